import FileIO
import Platform

/// Tells HDF5 files from others by their first bytes, without libhdf5.
package enum HDF5Signature {
    static let bytes: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Whether a regular file starts with HDF5's signature; false for one that cannot be read.
    package static func begins(_ path: String) -> Bool {
        // Without blocking: a pipe without a writer would never open.
        guard let file = try? StorageFile(path: path, flags: O_RDONLY | O_NONBLOCK, operation: "opening the file"),
            let size = file.regularSize, size >= bytes.count
        else { return false }
        var found = [UInt8](repeating: 0, count: bytes.count)
        return found.withUnsafeMutableBytes { pread(file.number, $0.baseAddress, $0.count, 0) } == bytes.count
            && found == bytes
    }

    /// Whether a regular file begins as an HDF5 file, and ends before the end that it names: it is damaged, or a network file
    /// system does not show all of it yet. An empty one may be either.
    package static func isCutShort(_ path: String) -> Bool {
        guard let file = try? StorageFile(path: path, flags: O_RDONLY | O_NONBLOCK, operation: "opening the file"),
            let size = file.regularSize
        else { return false }
        var start = [UInt8](repeating: 0, count: 52)
        let count = max(0, start.withUnsafeMutableBytes { pread(file.number, $0.baseAddress, $0.count, 0) })
        guard start.prefix(min(count, bytes.count)) == bytes.prefix(count) else { return false }
        guard count == start.count else { return true }
        // The version of the superblock says where the end of the file is in it.
        let offset: Int
        switch start[bytes.count] {
        case 0: offset = 40
        case 1: offset = 44
        case 2, 3: offset = 28
        default: return false
        }
        let end = start[offset..<offset + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return UInt64(size) < end
    }
}
