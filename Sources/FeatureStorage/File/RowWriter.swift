#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Writes rows of `/features` to their place in the file. Safe to use from any number of threads.
package final class RowWriter: Sendable {
    private let file: FileDescriptor
    private let offset: Int
    private let bins: Int
    private let rows: Int

    init(path: String, offset: Int, bins: Int, rows: Int) throws(StorageError) {
        file = try FileDescriptor(path: path, flags: O_RDWR, operation: "opening the file for rows")
        self.offset = offset
        self.bins = bins
        self.rows = rows
    }

    /// Writes whole rows from row `start` on.
    ///
    /// - Precondition: The rows lie within the dataset.
    /// - Throws: `StorageError.system`, such as for a full disk.
    package func write(_ values: UnsafeBufferPointer<Float>, at start: Int) throws(StorageError) {
        precondition(start >= 0 && start + values.count / bins <= rows, "rows out of range")
        try file.write(UnsafeRawBufferPointer(values), at: offset + start * bins * MemoryLayout<Float>.size)
    }

    func synchronize() throws(StorageError) { try file.synchronize() }
}
