/// What a file that was given as a manifest really is, by its first bytes.
package struct ForeignContent: Hashable, Sendable {
    /// What it is, in words.
    package let name: String
    /// What to do about it, without the command.
    private let text: String
    /// A program that makes a manifest of it.
    private let program: Program?

    private enum Program: Sendable { case pandas, jq }

    private init(_ name: String, _ text: String, _ program: Program? = nil) {
        (self.name, self.text, self.program) = (name, text, program)
    }

    /// What to do about it.
    ///
    /// - Parameter stored: How it is stored.
    package func advice(_ stored: StoredText) -> String {
        switch program {
        case .jq: text + ", " + JSONDocument.array.advice(stored)
        case .pandas where stored.isPlainFile: text + ", such as by: " + Self.pandas(stored.shownPath)
        case .pandas, nil: text
        }
    }

    private static func pandas(_ path: String) -> String {
        "python3 -c \"import sys, pandas; pandas.read_parquet(sys.argv[1]).to_json(sys.argv[2], orient='records', "
            + "lines=True)\" \(ShellText.file(path)) "
            + ShellText.file(ShellText.newFile(beside: path, "manifest.jsonl"))
    }

    /// Kinds of files by their first bytes.
    private static let signatures: [(start: [UInt8], content: ForeignContent)] = [
        ([0x1F, 0x8B], Self("compressed by gzip twice", "unpack it first (gunzip)")),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], Self("compressed by xz", "unpack it first (unxz)")),
        ([0x28, 0xB5, 0x2F, 0xFD], Self("compressed by Zstandard", "unpack it first (unzstd)")),
        (
            [0x50, 0x4B, 3, 4],
            Self("a ZIP archive or an Excel workbook", "unpack it, or save the sheet as 'CSV UTF-8'")
        ),
        ([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1], Self("an Excel workbook", "save the sheet as 'CSV UTF-8'")),
        (
            Array("PAR1".utf8),
            Self(
                "a Parquet file", "write recordings that it holds as files, and its table as JSON Lines", .pandas)
        ),
        (Array("SQLite format 3\0".utf8), Self("an SQLite database", "export its table as CSV")),
        (Array("%PDF-".utf8), Self("a PDF", "expected a table")),
        (
            [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A],
            Self("an HDF5 file", "'veery inspect' and 'veery render' read feature files")
        ),
        ([0xFF, 0xFE, 0, 0], utf32), ([0, 0, 0xFE, 0xFF], utf32),
    ]
    private static let utf32 = Self("UTF-32", "save it as UTF-8 (iconv -f UTF-32 -t UTF-8)")

    package static let recording = Self(
        "a recording",
        "give its path, its folder or a manifest, such as one that 'veery clips' makes of it"
    )

    /// By a file's first bytes; nil where they may be those of a manifest.
    init?(_ bytes: UnsafeRawBufferPointer) {
        if let known = Self.signatures.first(where: { bytes.starts(with: $0.start) }) {
            self = known.content
        } else if bytes.starts(with: "BZh".utf8), bytes.dropFirst(4).starts(with: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59])
        {
            self = Self("compressed by bzip2", "unpack it first (bunzip2)")
        } else if Self.isRecording(bytes) {
            self = .recording
        } else if Self.isJSONArray(bytes) {
            self = Self("one JSON document (an array)", "write an object on every line", .jq)
        } else {
            return nil
        }
    }

    /// Whether a text starts with an array of objects.
    private static func isJSONArray(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.lazy.filter { $0 > Byte.space }.prefix(2).elementsEqual("[{".utf8)
    }

    private static func isRecording(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let kinds = ["RIFF", "RIFX", "RF64", "riff", "FORM", "fLaC", "OggS", "caff", "ID3"]
        // No text has such bytes so early.
        return kinds.contains { bytes.starts(with: $0.utf8) } && bytes.prefix(12).contains { $0 < 9 }
    }
}
