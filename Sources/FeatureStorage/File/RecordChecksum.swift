import FeatureModel
import FileIO

/// What `/clips/record_xxh3` holds: XXH3-128 of everything else that `/clips` knows of a clip.
///
/// The bytes, all little-endian: the columns in the order of `ClipTable`, integers as 64 bits, times as float64;
/// where there is `/clips/label_matrix`, the clip's row; where there are `/clips/statistics`, the clip's rows of mean, std, min,
/// max; then for each dataset of `/clips/extra`, by the bytes of its name, name and text. A text is its number of bytes as a 32-bit
/// integer, then its UTF-8.
struct RecordChecksum {
    private let columns: [ClipColumn]
    private let patchRows: Int
    /// The other columns in the order of their names: the index in `StoredClip.extra`, and the name.
    private let extra: [(index: Int, name: String)]
    /// Length of a row of `/clips/label_matrix`; nil: there is none.
    private let labels: Int?

    /// - Parameters:
    ///   - table: The columns of the file.
    ///   - labels: Number of its labels.
    init(_ table: ClipTable, labels: Int) {
        columns = table.columns
        patchRows = table.patchRows
        self.labels = table.hasLabelMatrix ? labels : nil
        extra = Self.order(table.extra)
    }

    /// The manifest's other columns in the order in which they are hashed, each with its index.
    static func order(_ names: [String]) -> [(index: Int, name: String)] {
        names.enumerated().map { (index: $0, name: $1) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The checksum as 32 hexadecimal digits.
    func checksum(of clip: StoredClip, statistics: BinStatistics?) -> String {
        let columnValues = statistics.map { FeatureFormat.columns(of: [$0]).map(\.values) } ?? []
        var bytes = ByteBuffer(capacity: 1024 + columnValues.reduce(0) { $0 + $1.count } * MemoryLayout<Double>.size)
        for column in columns {
            switch column {
            case .text(let column): bytes.append(stored: column.value(clip))
            case .integer(let column): bytes.append(Int64(column.value(clip, patchRows: patchRows)))
            case .seconds(let column): bytes.append(column.value(clip))
            }
        }
        if let labels {
            LabelMatrix.row(clip.labelIndices ?? [], labels: labels).withUnsafeBytes { bytes.append($0) }
        }
        for numbers in columnValues { bytes.append(numbers[...]) }
        for (index, name) in extra {
            bytes.append(stored: name)
            bytes.append(stored: clip.extra[index])
        }
        return XXH3Hash128.checksum(of: bytes.bytes).hex
    }
}

extension ByteBuffer {
    /// Appends a text as a column of fixed width gives it back: without zero bytes at its end.
    mutating func append(stored text: String) {
        guard text.utf8.last == 0 else { return append(text) }
        let bytes = Array(text.utf8)
        append(String(decoding: bytes[..<(bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0)], as: UTF8.self))
    }
}
