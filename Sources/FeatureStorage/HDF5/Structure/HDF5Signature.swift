import ClipSpool
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
}
