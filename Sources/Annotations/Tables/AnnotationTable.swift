import Essentials
import FeatureModel
import Manifests

/// An annotation file of any format that has been read and found valid.
package struct AnnotationTable: Sendable {
    package let path: String
    package let kind: AnnotationKind
    package internal(set) var content: AnnotationContent

    /// The names that rows give their recordings, in the order of the rows.
    var recordingNames: [String] {
        var seen: Set<String> = []
        return content.rows.compactMap(\.recording).filter { seen.insert($0).inserted }
    }

    /// A name of a recording with an extension.
    func fileName(of recording: String) -> String {
        content.namesStems && !RecordingName.isRecording(recording) ? recording + ".wav" : recording
    }

    /// Number of a manifest's rows without times, which mark nothing.
    package var rowsWithoutTimes: Int { content.rowsWithoutTimes }

    /// Whether it has Kaleidoscope's distances, which are not confidences.
    package var hasDistances: Bool { content.columns.contains { $0.lowercased() == BirdNETResults.distance } }

    /// Whether it has no column of labels, or an empty one.
    var isUnlabelled: Bool {
        !content.hasLabels || !content.columns.isEmpty && content.rows.allSatisfy(\.labels.isEmpty)
    }

    /// What was read of it and not used.
    package var account: Account {
        var account = Account()
        account.merge(content.account, as: path)
        account.add(.timesMissing, source: path, count: content.rowsWithoutTimes)
        if isUnlabelled, !content.rows.isEmpty {
            let blank = content.labelColumn.map { ["\(quoted($0)) (empty)"] } ?? []
            let names = blank + content.columns.map(quoted)
            for (position, name) in names.enumerated() {
                account.add(.labelsNotFound, source: path, at: position, name)
            }
            if names.isEmpty { account.add(.labelsNotFound, source: path, count: 1) }
        }
        return account
    }

    /// Takes note of recordings that rows name with another extension.
    ///
    /// - Parameter recordings: Those of which the annotations are taken.
    package func conversions(of recordings: [String]) -> Account {
        var account = Account()
        guard !content.namesStems else { return account }
        for recording in Set(recordings).sorted() {
            let index = RecordingIndex([Self.location(recording, in: nil)])
            var known: Set<String> = []
            for row in (try? rows(of: recording)) ?? [] {
                guard let name = row.recording, known.insert(name).inserted, index.isConverted(0, name) else {
                    continue
                }
                account.add(
                    .recordingsConverted, source: path, at: row.line,
                    "\(quoted(name)) as \(quoted(URL(filePath: recording).lastPathComponent))")
            }
        }
        return account
    }

    /// Number of rows with times, of all recordings.
    package var count: Int { content.rows.count }

    /// Reads a file.
    ///
    /// - Parameters:
    ///   - options: What the user says of such files.
    ///   - format: The name of its format; nil: by its content and its name.
    /// - Throws: `AnnotationError`, or `ManifestError` of a manifest; where rows are wrong, all their problems at once.
    package init(path: String, options: AnnotationOptions = AnnotationOptions(), format: String? = nil) throws {
        let table = try AnnotationTable(unchecked: path, options: options, format: format)
        guard table.content.problemCount == 0 else {
            throw AnnotationError.invalid(
                path: path, problems: table.content.problems, total: table.content.problemCount)
        }
        if let problem = Self.annotatorProblem(options, table.content.annotators) {
            throw AnnotationError.invalid(path: path, problems: [problem], total: 1)
        }
        self = table
    }

    /// The same, with `quoting` as the only option.
    package init(path: String, quoting: ManifestFormat.Quoting) throws {
        var options = AnnotationOptions()
        options.quoting = quoting
        try self.init(path: path, options: options)
    }

    /// Reads a file, whose content may have problems.
    ///
    /// - Throws: `AnnotationError` where it cannot be read at all, or `ManifestError` of a manifest.
    package init(unchecked path: String, options: AnnotationOptions, format: String? = nil) throws {
        try self.init(document: AnnotationDocument(path: path), options: options, format: format)
    }

    package init(document: AnnotationDocument, options: AnnotationOptions, format: String? = nil) throws {
        guard let found = AnnotationFormats.format(of: document, options, named: format) else {
            throw Self.unknown(document)
        }
        if let unit = options.timeUnit, unit != .seconds, found.kind != .times {
            throw AnnotationError.fixedUnit(path: document.path, kind: found.kind, unit: unit)
        }
        var content = AnnotationContent()
        try found.read(document, options, into: &content)
        // XML says its encoding itself.
        if document.isAssumed, found.kind != .birdsong { content.account.add(.encodingsAssumed, source: "", count: 1) }
        content.apply(options, as: found.kind)
        self.path = document.path
        self.kind = found.kind
        self.content = content
    }

    /// That nothing is by the annotator who is asked for; nil: something is, or nobody is asked for.
    ///
    /// - Parameter annotators: Those of all files together; nil: there is nothing to ask of.
    package static func annotatorProblem(
        _ options: AnnotationOptions, _ annotators: Set<String>?
    ) -> AnnotationProblem? {
        guard let annotator = options.annotator, let annotators, !annotators.contains(annotator) else { return nil }
        return AnnotationProblem(
            line: nil,
            text: "no annotation is by \(quoted(annotator)) (\(setting: .annotator))"
                + (annotators.isEmpty ? "" : "; the annotators are: ")
                + Note(annotators.sorted().prefix(20).map(quoted).joined(separator: ", "))
                + (annotators.count > 20 ? " …" : ""))
    }

    /// The format of a file by its content and name; nil: that of none.
    package static func kind(of document: AnnotationDocument, options: AnnotationOptions) -> AnnotationKind? {
        AnnotationFormats.format(of: document, options, named: nil)?.kind
    }

    private static func unknown(_ document: AnnotationDocument) -> AnnotationError {
        if let format = document.foreign { return .noReader(path: document.path, format) }
        guard document.text != nil else {
            return .unreadable(
                path: document.path,
                reason: "it is not valid UTF-8, UTF-16 or Windows-1252 (Latin-1), or has a NUL byte; save it as UTF-8, "
                    + "without")
        }
        let line = document.head().first
        return .unknownTable(
            path: document.path, line: line?.number ?? 1, found: String((line?.text ?? "").prefix(60)))
    }

    /// The annotations of a recording, in the file's order.
    ///
    /// A row belongs to it if it names no recording, or one of the same path, relative to the table's folder or as given; if
    /// there are none, rows with a recording of the same file name do.
    ///
    /// - Parameters:
    ///   - sampleRate: Its rate in Hz, for positions in samples; nil: not known.
    ///   - channels: Number of its channels; nil: not known.
    ///   - channel: The only channel to search, from 0; nil: all.
    /// - Throws: `AnnotationError.otherRecordings` where all rows name other recordings; `unknownSampleRate`; `noSuchChannel`.
    package func annotations(
        of recording: String, sampleRate: Int? = nil, channels: Int? = nil, channel: Int? = nil
    ) throws(AnnotationError) -> [FeatureModel.Annotation] {
        let rows = try rows(of: recording)
        if let channels, let row = rows.first(where: { $0.channel ?? 0 >= channels }) {
            throw .noSuchChannel(
                path: path, line: row.line, channel: row.channel ?? 0, recording: recording, channels: channels)
        }
        return try rows.filter { row in
            channel == nil || channels == 1 || row.channel == nil || row.channel == channel
        }.map { row throws(AnnotationError) in
            guard let annotation = row.annotation(rate: sampleRate) else { throw .unknownSampleRate(path: path) }
            return annotation
        }
    }

    private func rows(of recording: String) throws(AnnotationError) -> [AnnotationRow] {
        let rows = content.rows
        guard rows.contains(where: { $0.recording != nil }) else { return rows }
        let folder = URL(filePath: path).deletingLastPathComponent()
        let wanted = Self.location(recording, in: nil)
        let exact = rows.filter { row in
            guard let name = row.recording else { return true }
            return name.utf8.elementsEqual(recording.utf8) || Self.location(name, in: folder) == wanted
                || Self.location(name, in: nil) == wanted
        }
        if !exact.isEmpty { return exact }
        let name = URL(filePath: recording).lastPathComponent
        let alike = rows.filter { row in
            row.recording.map { URL(filePath: Self.slashed($0)).lastPathComponent == name } ?? true
        }
        guard alike.isEmpty else { return alike }
        let index = RecordingIndex([wanted])
        let converted = rows.filter { row in
            guard let other = row.recording, case .found = index.find(fileName(of: other), folders: []) else {
                return false
            }
            return true
        }
        guard converted.isEmpty else { return converted }
        let others = Set(rows.compactMap(\.recording)).sorted()
        throw .otherRecordings(path: path, recording: name, found: Array(others.prefix(3)), total: others.count)
    }

    /// An absolute path, without following links.
    private static func location(_ path: String, in folder: URL?) -> String {
        URL(filePath: slashed(path), relativeTo: folder).absoluteURL.standardizedFileURL.path
    }

    /// Raven under Windows writes backslashes.
    private static func slashed(_ path: String) -> String { path.replacing("\\", with: "/") }
}
