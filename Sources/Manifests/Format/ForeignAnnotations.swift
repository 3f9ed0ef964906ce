import FeatureModel

/// A format of annotations that has no reader, or is no dataset, by the name of a file and the start of its text.
package struct ForeignAnnotations: Hashable, Sendable {
    /// What it is called.
    package let name: String
    /// How to make a table of it that is read.
    private let way: String
    /// The program of awk that makes the table; nil: none does.
    private let program: String?
    /// Whether it is read as annotations, and nothing else.
    package let isRead: Bool

    /// What it is, and what to do: `RTTM, for which Veery has no reader: make a table …`.
    ///
    /// - Parameter path: The path of the file.
    package func sentence(path: String) -> String {
        "\(name), for which Veery has no reader: \(way)"
            + (program.map { ", " + StoredText(path: path).advice("awk \(ShellText.word($0))", to: "annotations.csv") }
                ?? "")
    }

    private init(_ name: String, _ way: String, program: String? = nil, isRead: Bool = false) {
        (self.name, self.way, self.program, self.isRead) = (name, way, program, isRead)
    }

    /// Formats whose files have an extension of their own, in lower case.
    private static let byExtension: [String: ForeignAnnotations] = [
        "rttm": rttm, "ctm": ctm, "stm": stm, "phn": timit, "wrd": timit, "eaf": elan, "svl": sonicVisualiser,
        "srt": subRip, "vtt": webVTT, "mlf": htk, "jams": jams, "trs": transcriber, "cha": chat, "aup": audacityProject,
        "aup3": audacityProject,
    ]

    private static let rttm = Self("RTTM", "", isRead: true)
    private static let ctm = Self("CTM", "", isRead: true)
    private static let stm = awk(
        "STM", "path,start,end,label", #"!/^;;/ && NF > 4 {print q($1 ".wav") "," $4 "," $5 "," q($3)}"#)
    private static let timit = awk(
        "a label file of TIMIT with times in samples", "path,start_sample,end_sample,label",
        #"{n = FILENAME; sub(/.*\//, "", n); sub(/\.[^.]*$/, "", n); print q(n ".wav") "," $1 "," $2 "," q($3)}"#)
    private static let htk = Self(
        "a label file of HTK with times in units of 100 ns", table("path,start,end,label", in: "seconds"))
    private static let elan = Self(
        "ELAN",
        "export it as a Praat TextGrid (File, Export As), or make a table path,start,end,label of it, in seconds")
    private static let batdetect = Self(
        "JSON of batdetect2", table("path,start,end,label", in: "seconds, with low and high in Hz"))
    private static let labelStudio = Self(
        "JSON of Label Studio", "export it as CSV, or make a table path,start,end,label of it, in seconds")
    private static let jams = Self("JAMS", table("path,start,duration,label", in: "seconds"))
    private static let sonicVisualiser = Self(
        "a layer of Sonic Visualiser",
        "export the annotation layer as CSV with a header, or make a table path,start,end,label of it, in seconds")
    private static let subRip = Self("SubRip", table("path,start,end,label", in: "seconds"))
    private static let webVTT = Self("WebVTT", table("path,start,end,label", in: "seconds"))
    private static let transcriber = Self("Transcriber", table("path,start,end,label", in: "seconds"))
    private static let chat = Self("CHAT", table("path,start,end,label", in: "seconds"))
    private static let audioSet = Self(
        "a table of AudioSet's strong labels",
        "make a table path,start,end,label of it; segment_id is the name of the video and its start in milliseconds")
    private static let audacityProject = Self(
        "a project of Audacity", "export its labels (File, Export Other, Export Labels), which are read")
    private static let binaryTextGrid = Self("a binary TextGrid", "save it as a text file in Praat, which is read")

    private static func table(_ columns: String, in unit: String = "seconds") -> String {
        "make a table \(columns) of it, in \(unit)"
    }

    /// - Parameter rules: What awk prints for the lines; `q` puts a text into quotation marks.
    private static func awk(_ name: String, _ columns: String, _ rules: String) -> Self {
        Self(
            name, "make a table \(columns) of it",
            program: #"function q(t) {gsub(/"/, "\"\"", t); return "\"" t "\""} BEGIN {print ""# + columns + "\"} "
                + rules)
    }

    /// The extension of a file in lower case, or the name that Kaldi's directories have for a format.
    private static func ending(_ name: String) -> String {
        name.nameExtension?.lowercased() ?? (["ctm", "rttm", "stm"].contains(name) ? name : "")
    }

    /// Whether a file may have such a format, by its name.
    package static func isPossible(_ name: String) -> Bool {
        let ending = ending(name.lastName)
        return byExtension[ending] != nil || ["json", "lab", "xml"].contains(ending)
    }

    /// How much of a text is looked at, in bytes: a document of JSON has to name its parts there.
    package static let startLength = 1 << 16

    /// - Parameter start: The first part of the text, in UTF-8.
    package init?(fileName: String, start: some Collection<UInt8>) {
        var start = Array(start.prefix(Self.startLength))[...]
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
        let first = start.first { $0 > Byte.space }
        let ending = Self.ending(fileName.lastName)
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            guard let known = Self.json(Array(start)) ?? (ending == "jams" ? Self.jams : nil) else { return nil }
            self = known
        } else if let known = Self.signatures.first(where: { start.starts(with: $0.start.utf8) }) {
            self = known.format
        } else if first == UInt8(ascii: "<"), let known = Self.xml(start.prefix(1 << 12)) {
            self = known
        } else if ending == "lab", Self.isHTK(start) {
            self = Self.htk
        } else if start.starts(with: "SPEAKER".utf8), Self.isRTTM(start) {
            self = Self.rttm
        } else if let known = Self.byExtension[ending] {
            self = known
        } else {
            return nil
        }
    }

    private static let signatures: [(start: String, format: Self)] = [
        ("ooBinaryFile", binaryTextGrid), ("segment_id\tstart_time_seconds\tend_time_seconds", audioSet),
        ("WEBVTT", webVTT),
        ("#!MLF!#", htk),
    ]

    private static func xml(_ start: ArraySlice<UInt8>) -> Self? {
        let text = String(decoding: start, as: UTF8.self)
        let roots = [
            ("<ANNOTATION_DOCUMENT", elan), ("<!DOCTYPE sonic-visualiser", sonicVisualiser),
            ("<!DOCTYPE Trans", transcriber),
        ]
        return roots.first { text.contains($0.0) }?.1
    }

    /// By the members of a document, or of the first element of an array. One that names a recording is a row of a manifest.
    private static func json(_ start: [UInt8]) -> Self? {
        start.withUnsafeBufferPointer { bytes in
            var scanner = JSONScanner(bytes)
            _ = scanner.take("[")
            let members = scanner.takeMembers()
            guard !members.contains(where: { ColumnNames.isPath($0.name) }) else { return nil }
            func first(of name: String) -> [String] {
                members.first { $0.name == name }?.first ?? []
            }
            let annotations = first(of: "annotations")
            if first(of: "annotation").contains("start_time") { return batdetect }
            if annotations.contains("namespace") { return jams }
            return annotations.contains("result") ? labelStudio : nil
        }
    }

    /// The fields of the first line.
    private static func fields(_ start: ArraySlice<UInt8>) -> [Substring] {
        let line = start.drop { $0 <= Byte.space }.prefix { $0 != Byte.lineFeed && $0 != Byte.carriageReturn }
        return String(decoding: line, as: UTF8.self)[...].split(separator: " ")
    }

    private static func isRTTM(_ start: ArraySlice<UInt8>) -> Bool {
        let fields = fields(start)
        return fields.count >= 9 && fields[0] == "SPEAKER" && Double(fields[3]) != nil && Double(fields[4]) != nil
    }

    /// Whether a first line has integers as HTK does. Seconds are not as great: an end of 10,000 is a millisecond.
    private static func isHTK(_ start: ArraySlice<UInt8>) -> Bool {
        let fields = fields(start)
        return fields.count >= 3 && Int(fields[0]) != nil && Int(fields[1]).map { $0 >= 10_000 } == true
    }
}

extension JSONScanner {
    /// Takes the members of an object, as far as they can be read: their names, and those of the members of the first object in each
    /// array.
    fileprivate mutating func takeMembers(areInner: Bool = false) -> [(name: String, first: [String])] {
        var members: [(name: String, first: [String])] = []
        guard take("{") else { return members }
        repeat {
            var name: [UInt8] = []
            guard (try? takeString(into: &name)) != nil, take(":") else { break }
            var elements = self
            let inner = !areInner && elements.take("[") ? elements.takeMembers(areInner: true).map(\.name) : []
            members.append((String(decoding: name, as: UTF8.self), inner))
            guard skipValue() else { break }
        } while take(",")
        return members
    }
}
