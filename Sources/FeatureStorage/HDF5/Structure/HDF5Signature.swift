import ClipSpool
import FileIO
import Platform

/// Tells HDF5 files from others by their first bytes, without libhdf5.
package enum HDF5Signature {
    static let bytes: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Whether a regular file begins as HDF5 files do, be it damaged further on; a file that cannot be read does not.
    package static func begins(_ path: String) -> Bool {
        // Without blocking: a pipe nobody writes to would never open.
        guard let file = try? StorageFile(path: path, flags: O_RDONLY | O_NONBLOCK, operation: "opening the file"),
            let size = file.regularSize, size >= bytes.count
        else { return false }
        var found = [UInt8](repeating: 0, count: bytes.count)
        return found.withUnsafeMutableBytes { pread(file.number, $0.baseAddress, $0.count, 0) } == bytes.count
            && found == bytes
    }
}
