/// A format of annotations that has no reader, by the name of a file and the start of its text.
package struct ForeignAnnotations: Hashable, Sendable {
    /// What it is called.
    package let name: String
    /// How to make a table of it that is read.
    let way: String

    /// What it is, and what to do: `RTTM, for which Veery has no reader: make a table …`.
    package var sentence: String { "\(name), for which Veery has no reader: \(way)" }

    private init(_ name: String, _ way: String) { (self.name, self.way) = (name, way) }

    /// Formats whose files have an extension of their own, in lower case.
    private static let byExtension: [String: ForeignAnnotations] = [
        "rttm": rttm, "ctm": ctm, "stm": stm, "phn": timit, "wrd": timit, "eaf": elan, "svl": sonicVisualiser,
        "srt": subRip, "vtt": webVTT, "mlf": htk, "jams": jams, "trs": transcriber, "cha": chat, "aup": audacityProject,
        "aup3": audacityProject,
    ]

    private static let rttm = Self(
        "RTTM", table("path,start,duration,label", awk: #"{print $2 ".wav," $4 "," $5 "," $8}"#))
    private static let ctm = Self(
        "CTM", table("path,start,duration,label", awk: #"{print $1 ".wav," $3 "," $4 "," $5}"#))
    private static let stm = Self(
        "STM", table("path,start,end,label", awk: #"{print $1 ".wav," $4 "," $5 "," $3}"#))
    private static let timit = Self(
        "a label file of TIMIT with times in samples",
        table("path,start_sample,end_sample,label", awk: #"{print "NAME.wav," $1 "," $2 "," $3}"#))
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

    private static func table(_ columns: String, awk program: String) -> String {
        "make a table \(columns) of it, such as by awk 'BEGIN {print \"\(columns)\"} \(program)' FILE > labels.csv"
    }

    /// Whether a file may have such a format, by its name.
    package static func isPossible(_ name: String) -> Bool {
        let ending = pathExtension(name)
        return byExtension[ending] != nil || ["json", "lab", "xml"].contains(ending)
    }

    /// - Parameter start: The first part of the text.
    package init?(fileName: String, start: String) {
        let ending = Self.pathExtension(fileName)
        func holds(_ texts: String...) -> Bool { texts.allSatisfy(start.contains) }
        let isObject =
            start.utf8.first { $0 > Byte.space }.map { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") } == true
        if holds("ooBinaryFile") {
            self = Self.binaryTextGrid
        } else if start.hasPrefix("segment_id\tstart_time_seconds\tend_time_seconds") {
            self = Self.audioSet
        } else if isObject, holds("\"annotation\"", "\"start_time\"", "\"class") {
            self = Self.batdetect
        } else if isObject, holds("\"annotations\"", "\"namespace\"") {
            self = Self.jams
        } else if isObject, holds("\"annotations\"", "\"result\"") {
            self = Self.labelStudio
        } else if holds("<ANNOTATION_DOCUMENT") {
            self = Self.elan
        } else if holds("<!DOCTYPE sonic-visualiser") {
            self = Self.sonicVisualiser
        } else if holds("<!DOCTYPE Trans") {
            self = Self.transcriber
        } else if start.hasPrefix("WEBVTT") {
            self = Self.webVTT
        } else if start.hasPrefix("#!MLF!#") || ending == "lab" && Self.isHTK(start) {
            self = Self.htk
        } else if Self.isRTTM(start) {
            self = Self.rttm
        } else if let known = Self.byExtension[ending] {
            self = known
        } else {
            return nil
        }
    }

    private static func fields(_ start: String) -> [Substring] {
        let line =
            start.utf8.split { $0 == Byte.lineFeed || $0 == UInt8(ascii: "\r") }.first.map { Substring($0) } ?? ""
        return line.split(separator: " ")
    }

    private static func isRTTM(_ start: String) -> Bool {
        let fields = fields(start)
        return fields.count >= 9 && fields[0] == "SPEAKER" && Double(fields[3]) != nil && Double(fields[4]) != nil
    }

    private static func isHTK(_ start: String) -> Bool {
        let fields = fields(start)
        return fields.count >= 3 && Int(fields[0]) != nil && Int(fields[1]) != nil
    }

    private static func pathExtension(_ name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: Byte.dot) else { return "" }
        return name[name.utf8.index(after: dot)...].lowercased()
    }
}
