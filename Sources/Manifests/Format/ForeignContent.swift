/// What a file that was given as a manifest really is, by its first bytes.
package enum ForeignContent: Sendable {
    case gzip, bzip2, xz, zstandard, zip, workbook, parquet, database, pdf
    case utf16, utf32
    case featureFile, recording, jsonArray

    /// By a file's first bytes; nil where they may be those of a manifest.
    init?(_ bytes: UnsafeRawBufferPointer) {
        func starts(_ signature: [UInt8], at offset: Int = 0) -> Bool {
            bytes.dropFirst(offset).starts(with: signature)
        }
        func starts(_ text: String, at offset: Int = 0) -> Bool { starts(Array(text.utf8), at: offset) }
        if starts([0x1F, 0x8B]) {
            self = .gzip
        } else if starts("BZh"), bytes.count > 9, starts([0x31, 0x41, 0x59, 0x26, 0x53, 0x59], at: 4) {
            self = .bzip2
        } else if starts([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]) {
            self = .xz
        } else if starts([0x28, 0xB5, 0x2F, 0xFD]) {
            self = .zstandard
        } else if starts([0x50, 0x4B, 3, 4]) {
            self = .zip
        } else if starts([0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1]) {
            self = .workbook
        } else if starts("PAR1") {
            self = .parquet
        } else if starts("SQLite format 3\0") {
            self = .database
        } else if starts("%PDF-") {
            self = .pdf
        } else if starts([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .featureFile
        } else if Self.isRecording(bytes) {
            self = .recording
        } else if starts([0xFF, 0xFE, 0, 0]) || starts([0, 0, 0xFE, 0xFF]) {
            self = .utf32
        } else if starts([0xFF, 0xFE]) || starts([0xFE, 0xFF]) || Self.hasHalfNulls(bytes) {
            self = .utf16
        } else if Self.isJSONArray(bytes) {
            self = .jsonArray
        } else {
            return nil
        }
    }

    /// Whether a text starts with an array that holds objects, arrays or strings.
    private static func isJSONArray(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes.lazy.filter { $0 > Byte.space }.makeIterator()
        guard rest.next() == UInt8(ascii: "["), let next = rest.next() else { return false }
        return next == UInt8(ascii: "{")
    }

    private static func isRecording(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let kinds = ["RIFF", "RIFX", "RF64", "riff", "FORM", "fLaC", "OggS", "caff"].map { Array($0.utf8) }
        guard kinds.contains(where: bytes.starts(with:)) || bytes.starts(with: Array("ID3".utf8)) else { return false }
        // No text has such bytes so early.
        return bytes.prefix(12).contains { $0 < 9 }
    }

    /// Whether every other of the first bytes is 0, as in UTF-16 without a byte order mark.
    private static func hasHalfNulls(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count >= 8 else { return false }
        let nulls = (0..<8).map { bytes[$0] == 0 }
        return (0..<8).allSatisfy { nulls[$0] == ($0 % 2 == 0) } || (0..<8).allSatisfy { nulls[$0] == ($0 % 2 == 1) }
    }

    /// What it is, in words.
    var name: String {
        switch self {
        case .gzip: "compressed by gzip"
        case .bzip2: "compressed by bzip2"
        case .xz: "compressed by xz"
        case .zstandard: "compressed by Zstandard"
        case .zip: "a ZIP archive or an Excel workbook"
        case .workbook: "an Excel workbook"
        case .parquet: "a Parquet file"
        case .database: "an SQLite database"
        case .pdf: "a PDF"
        case .utf16: "UTF-16"
        case .utf32: "UTF-32"
        case .featureFile: "an HDF5 file"
        case .recording: "a recording"
        case .jsonArray: "a JSON array"
        }
    }

    /// What to do about it.
    var advice: String {
        switch self {
        case .gzip: "unpack it first (gunzip)"
        case .bzip2: "unpack it first (bunzip2)"
        case .xz: "unpack it first (unxz)"
        case .zstandard: "unpack it first (unzstd)"
        case .zip: "unpack it, or save the sheet as 'CSV UTF-8'"
        case .workbook: "save the sheet as 'CSV UTF-8'"
        case .parquet, .database: "export its table as CSV"
        case .pdf: "expected a table"
        case .utf16, .utf32: "save it as UTF-8 (iconv -f \(name) -t UTF-8)"
        case .jsonArray: "write an object on every line instead (jq -c '.[]' array.json > manifest.jsonl)"
        case .featureFile: "'veery inspect' and 'veery render' read feature files"
        case .recording: "'veery render' draws recordings, and 'veery crawl' makes a manifest of a folder of them"
        }
    }
}
