import Checksums

/// Files that are read, by their paths: 8 bytes each.
package struct UsedFiles: Sendable {
    private var hashes = HashSet64()

    package init() {}

    /// - Parameter path: Relative to the dataset's folder.
    package mutating func insert(_ path: String) { _ = hashes.insert(Self.hash(path)) }

    package func contains(_ path: String) -> Bool { hashes.count > 0 && hashes.contains(Self.hash(path)) }

    /// Of the path without what changes nothing: `./` at its start, and backslashes in place of slashes.
    private static func hash(_ path: String) -> UInt64 {
        var path = path.utf8.contains(UInt8(ascii: "\\")) ? path.replacing("\\", with: "/") : path
        while path.utf8.starts(with: "./".utf8) { path.removeFirst(2) }
        return path.withUTF8 { xxh3(UnsafeRawBufferPointer($0)) }
    }
}
