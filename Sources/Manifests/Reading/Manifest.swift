import FeatureModel

/// A manifest that has been read once and found valid, with what is known of all its clips.
///
/// The clips themselves are not kept in memory, but read in order by a `ManifestReader`; memory grows with the labels, not with
/// the clips.
package struct Manifest: ClipSource {
    /// Where its bytes come from.
    let input: ManifestInput
    package var path: String { input.name }
    package let format: ManifestFormat
    package internal(set) var clipCount: Int
    package internal(set) var extraColumns: [String]
    /// The columns that a manifest of the clips needs.
    package let columns: [ManifestColumn]
    package internal(set) var hasLabelColumn: Bool
    package let hasSplitColumn: Bool
    package let hasChannelColumn: Bool
    package internal(set) var labels: [String]
    package internal(set) var splits: [Split]
    package internal(set) var widths: TextWidths
    package let sha256: String
    /// Length of the file in bytes.
    package let byteCount: Int
    package internal(set) var namesMediaFiles: Bool
    package internal(set) var rowsAccount: Account
    /// Where the rows come from, four bytes each; nil: they are those of the file.
    let origins: RowOrigins?
    /// What was read of a dataset in another format and is not in its rows.
    package internal(set) var sourceAccount = Account()
    /// Files of the dataset that may say something of its recordings, and that its format does not read.
    package internal(set) var unclaimed: [UnclaimedFile] = []
    /// Paths of tables in the dataset's folder that the rows are read of, where they could be something else.
    package internal(set) var tables: [String] = []
    /// The dataset's names of recordings that are not their paths.
    package internal(set) var names = NamedRecordings()
    /// How clips differ from their rows.
    var edits = ClipEdits()
    package internal(set) var correctionsSHA256: String?
    /// The other columns that the rows have.
    var storedColumns: [String] { edits.addsLabels ? extraColumns.dropLast() : extraColumns }
    package var account: Account { account { _ in false } }

    /// The account where another reader has claimed some of the files that the dataset's format does not read.
    package func account(where isClaimed: (UnclaimedFile) -> Bool) -> Account {
        var account = sourceAccount
        account.add(unclaimed.filter { !isClaimed($0) })
        account.merge(rowsAccount, as: path)
        return account
    }

    /// The source of remarks that follow from the rows alone, however the manifest is named.
    package static let remarkSource = "manifest"

    /// Reads and checks the whole file.
    ///
    /// - Throws: `ManifestError`; where rows are wrong, all their problems at once.
    package static func scan(
        _ input: ManifestInput, format: ManifestFormat, idsMayRepeat: Bool = false
    ) throws(ManifestError) -> Manifest {
        var (manifest, isAssumed) = try input.decoded { input throws(ManifestError) in
            var scanner = try ManifestScanner(input, format: format)
            scanner.idsMayRepeat = idsMayRepeat
            return try scanner.scan()
        }
        if isAssumed { manifest.sourceAccount.add(.encodingsAssumed, source: input.name, count: 1) }
        return manifest
    }

    /// The same of a file.
    package static func scan(
        path: String, format: ManifestFormat, idsMayRepeat: Bool = false
    ) throws(ManifestError) -> Manifest {
        try scan(ManifestInput(path: path), format: format, idsMayRepeat: idsMayRepeat)
    }

    package func reader() throws(ManifestError) -> any ClipReader { try ManifestReader(self) }

    /// The same, which also says where each clip comes from.
    package func rows() throws(ManifestError) -> ManifestReader { try ManifestReader(self) }

    package var ambiguousQuoting: ManifestFormat.Quoting? {
        format == .tsv || format == .quotedTSV ? format.quoting : nil
    }
}

/// The second reading of a manifest: its clips, one after another.
///
/// A reader belongs to one task. It throws if the file has changed since it was scanned.
package final class ManifestReader: ClipReader {
    /// The result of the first reading.
    package let manifest: Manifest
    /// SHA-256 of the file, in hexadecimal, at its end, where it equals that of the scan.
    package private(set) var sha256: String?
    private let parser: any RowParser
    private var row = ManifestRow()
    private var interpreter = RowInterpreter()
    private var problems = ProblemList()
    /// Rows and clips so far.
    private var (rows, index) = (0, 0)
    /// The number of other columns in a row.
    private let storedColumns: Int

    init(_ manifest: Manifest) throws(ManifestError) {
        self.manifest = manifest
        let parser = try makeRowParser(
            manifest.input, format: manifest.format, extraColumns: manifest.storedColumns)
        guard parser.extraColumns == manifest.storedColumns else {
            throw .changedWhileReading(path: manifest.path, detail: "it has other columns now")
        }
        self.parser = parser
        storedColumns = manifest.storedColumns.count
    }

    /// The file of the dataset and the line that the last clip comes from; an empty name: the manifest itself.
    package var origin: (file: String, line: Int) { manifest.origins?.origin(row: row.line) ?? ("", row.line) }

    /// Whether the last clip has an id of its own; otherwise its id is made of its path, channel and times.
    package var hasID: Bool { !row.range(.id).isEmpty }

    package func next() throws(ManifestError) -> Clip? {
        while let clip = try nextRow() {
            guard let edited = manifest.edits.edited(clip, index: index) else { continue }
            index += 1
            return edited
        }
        return nil
    }

    /// The clip of the next row, as the row has it; nil after the last.
    private func nextRow() throws(ManifestError) -> Clip? {
        guard sha256 == nil else { return nil }
        guard try parser.next(into: &row) else {
            try finish()
            return nil
        }
        interpreter.interpret(row, problems: &problems)
        if let problem = problems.kept.first { throw changed("line \(problem.line) is not as it was: \(problem.text)") }
        guard rows < manifest.clipCount + manifest.edits.leftOut else { throw changed("it has more rows now") }
        guard parser.extraSlots == storedColumns else { throw changed("it has other columns now") }
        rows += 1
        return clip()
    }

    private func clip() -> Clip {
        let known = ManifestColumn.allCases.count
        return Clip(
            index: index, id: String(decoding: interpreter.id, as: UTF8.self),
            path: row.text(ManifestColumn.path.rawValue), label: row.text(ManifestColumn.label.rawValue),
            split: row.text(ManifestColumn.split.rawValue), segment: interpreter.segment, channel: interpreter.channel,
            acceptsMono: interpreter.acceptsMono, declared: interpreter.declared,
            extra: (0..<storedColumns).map { row.text(known + $0) })
    }

    private func finish() throws(ManifestError) {
        let found = parser.source.sha256
        guard parser.source.byteCount == manifest.byteCount else {
            throw changed("it had \(manifest.byteCount) bytes and has \(parser.source.byteCount) now")
        }
        guard found == manifest.sha256 else { throw changed("its SHA-256 is another one now") }
        sha256 = found
    }

    private func changed(_ detail: String) -> ManifestError {
        .changedWhileReading(path: manifest.path, detail: detail)
    }
}
