import FeatureModel
import FileIO
import Platform
import Synchronization

/// The file of a spool whose rows have the offsets that they will have in the feature file, so that it can become that file.
///
/// It starts with as many bytes as a feature file has before its rows. When all clips are done, these bytes and those after
/// the rows are filled in: no row is written twice. Safe to use from any number of threads, each of which writes its own rows.
package final class InPlaceRows: Sendable {
    /// Offset of row 0 in bytes, in a feature file of any size but the smallest.
    package static let offset = 4096

    /// Whether rows can be written to their final offsets before all clips are done: rows that are not changed later, one clip after
    /// another, each value with the four bytes that it has in memory.
    package static func isPossible(_ configuration: FeatureConfiguration) -> Bool {
        let store = configuration.store
        return configuration.rowNormalization.scope == .none && store.layout == .packed && store.element == .float32
            && store.compression == .none && configuration.patches.length == nil
            && (!configuration.rows.isActive || configuration.addsRowsEarly)
    }

    package let path: String
    /// Bytes of a row.
    let rowBytes: Int
    private let file: GrowingFile
    /// The end of what is reserved on the disk; nil: nothing more can be.
    private let reserved = Mutex<Int?>(0)
    private static let reservation = 32 << 20
    /// Maximum number of rows: 8 TB of them.
    package var maximumRows: Int { (1 << 43) / rowBytes }

    init(folder: String, bins: Int) throws(StorageError) {
        path = SpoolFolder.rowsPath(folder)
        rowBytes = bins * MemoryLayout<Float>.size
        // Rows of an interrupted run must not be lost by a mistake: a fresh run deletes them first.
        file = try GrowingFile(path: path, length: 0, isNew: true)
    }

    /// Writes whole rows from row `start` on.
    ///
    /// - Throws: `StorageError.system`, for example if the disk is full.
    func write(_ bytes: UnsafeRawBufferPointer, at start: Int) throws(StorageError) {
        let offset = Self.offset + start * rowBytes
        reserve(from: offset, to: offset + bytes.count)
        try file.write(bytes, at: offset)
    }

    /// Allocates disk space ahead of the rows: a write then takes two thirds of the time. `complete` frees what is not used.
    /// Nothing is allocated for rows far after all others, or for the gap before them.
    private func reserve(from start: Int, to end: Int) {
        let range: Range<Int>? = reserved.withLock { reserved in
            guard let last = reserved, end > last, start <= last + Self.reservation else { return nil }
            let next = end + Self.reservation
            reserved = next
            return last..<next
        }
        // Others need not wait: if they write too early, the system allocates space as it would without the reservation.
        if let range, !file.file.reserve(range) { reserved.withLock { $0 = nil } }
    }

    /// Reads rows back.
    func read(into bytes: UnsafeMutableRawBufferPointer, at start: Int) throws(StorageError) {
        try file.file.read(into: bytes, at: Self.offset + start * rowBytes)
    }

    /// Brings what was written to the disk, if that was last done longer ago than `age`.
    ///
    /// - Throws: `StorageError.system`.
    package func synchronize(ifOlderThan age: Duration = .zero) throws(StorageError) {
        try file.synchronize(ifOlderThan: age)
    }

    /// Copies the bytes before and after the rows from a feature file whose rows were not written.
    ///
    /// - Parameters:
    ///   - frame: Path of that file.
    ///   - rows: Number of rows.
    /// - Throws: `StorageError.system`. Rows are never changed, even if it throws.
    package func complete(with frame: String, rows: Int) throws(StorageError) {
        let source = try StorageFile(path: frame, flags: O_RDONLY, operation: "opening the file")
        let size = source.regularSize ?? 0
        let end = Self.offset + rows * rowBytes
        guard size >= end else { throw .damaged(path: frame, found: "it ends before its rows do") }
        var buffer = ByteBuffer(capacity: 1 << 20)
        for range in [0..<Self.offset, end..<size] {
            for start in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
                let count = min(1 << 20, range.upperBound - start)
                try buffer.fill(count: count) { bytes throws(StorageError) in try source.read(into: bytes, at: start) }
                try file.write(buffer.bytes, at: start)
            }
        }
        // Rows of clips that have failed may follow.
        try file.truncate(to: size)
    }
}

/// The rows of a finished clip in a spool's `InPlaceRows`.
package struct InPlaceClip: Hashable, Sendable {
    /// The first of them.
    package let row: Int
    /// XXH3-128 of all of them.
    package let checksum: Checksum128

    init(row: Int, checksum: Checksum128) {
        self.row = row
        self.checksum = checksum
    }

    /// - Returns: nil if there is no checksum, and if no file can have such rows.
    init?(row: Int, _ statistics: BinStatistics, _ cursor: inout ByteCursor) {
        let (end, isBehindAll) = row.addingReportingOverflow(statistics.count)
        let (bytes, isTooMuch) = end.multipliedReportingOverflow(by: statistics.bins * MemoryLayout<Float>.size)
        guard row >= 0, statistics.count > 0, statistics.bins > 0, !isBehindAll, !isTooMuch,
            bytes < .max - InPlaceRows.offset, let checksum = Checksum128(&cursor)
        else { return nil }
        self.init(row: row, checksum: checksum)
    }
}
