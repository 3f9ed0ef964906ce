import Foundation

/// Tells feature files from recordings by their first bytes.
enum FeatureSignature {
    private static let bytes: [UInt8] = [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Whether the file begins as HDF5 files do; a file that cannot be read does not.
    static func isHDF5(_ path: String) -> Bool {
        var status = stat()
        // A named pipe would be waited for.
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let file = FileHandle(forReadingAtPath: path)
        else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: bytes.count)).map { Array($0) == bytes } ?? false
    }
}
