import FileIO
import Platform

/// Recognises HDF5 files by their first bytes, without libhdf5.
package enum HDF5Signature {
    static let bytes: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Whether a regular file starts with HDF5's signature; false for one that cannot be read.
    package static func begins(_ path: String) -> Bool { firstBytes(of: path, bytes.count)?.bytes == bytes }

    /// The first bytes of a regular file, fewer where it has no more, and its size; nil if it is not a regular file, or cannot be opened.
    static func firstBytes(of path: String, _ count: Int) -> (bytes: [UInt8], size: Int)? {
        // Without blocking: a pipe without a writer would never open.
        guard let file = try? StorageFile(path: path, flags: O_RDONLY, operation: "opening the file"),
            let size = file.regularSize
        else { return nil }
        var start = [UInt8](repeating: 0, count: count)
        let found = start.withUnsafeMutableBytes { pread(file.number, $0.baseAddress, $0.count, 0) }
        return (Array(start.prefix(max(found, 0))), size)
    }

    /// Whether a regular file begins as an HDF5 file, and ends before the end that it names: it is damaged, or a network file
    /// system does not show all of it yet. An empty one may be either.
    package static func isCutShort(_ path: String) -> Bool {
        guard let (start, size) = firstBytes(of: path, 52) else { return false }
        guard start.prefix(bytes.count) == bytes.prefix(start.count) else { return false }
        guard start.count == 52 else { return true }
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
