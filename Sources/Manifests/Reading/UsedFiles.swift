import FileIO
import Platform

/// Files that are read, by their paths: 8 bytes each.
///
/// A path that leads to the same file by its text is the same: `./a.wav`, `b/../a.wav`, `b//a.wav` and `b\a.wav`, and one that
/// starts at the top of the file system. Links are not followed.
package struct UsedFiles: Sendable {
    private var hashes = HashSet64()
    /// Names of the folders from the top of the file system to the dataset's folder: as it is given, and without links.
    private let roots: [[Substring]]

    /// - Parameter root: The dataset's folder, which paths are relative to; nil: none leave it.
    package init(root: String? = nil) {
        roots =
            root.map { root in
                let isAbsolute = root.utf8.first == UInt8(ascii: "/")
                let given = isAbsolute ? root : (RelativeFolder.resolved(".") ?? "") + "/" + root
                return [given, RelativeFolder.resolved(root)].compactMap { $0.map { Self.names($0) } }
            } ?? []
    }

    /// - Parameter path: Relative to the dataset's folder, or absolute.
    package mutating func insert(_ path: String) { _ = hashes.insert(hash(path)) }

    package func contains(_ path: String) -> Bool { hashes.count > 0 && hashes.contains(hash(path)) }

    private func hash(_ path: String) -> UInt64 {
        var path = path.utf8.contains(UInt8(ascii: "\\")) ? path.replacing("\\", with: "/") : path
        if !Self.isPlain(path) { path = plain(path) }
        return xxh3(path)
    }

    /// Whether no name in a path is empty, or starts with a dot.
    private static func isPlain(_ path: String) -> Bool {
        var isStart = true
        for byte in path.utf8 {
            if isStart, byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".") { return false }
            isStart = byte == UInt8(ascii: "/")
        }
        return true
    }

    /// The shortest path of the same file from the dataset's folder; of one outside of it, the absolute path.
    private func plain(_ path: String) -> String {
        let isAbsolute = path.utf8.first == UInt8(ascii: "/")
        let names = Self.names(isAbsolute ? path : (roots.first?.joined(separator: "/") ?? "") + "/" + path)
        guard let root = roots.first(where: { names.starts(with: $0) }) else {
            return (isAbsolute || !roots.isEmpty ? "/" : "") + names.joined(separator: "/")
        }
        return names.dropFirst(root.count).joined(separator: "/")
    }

    /// The names in a path, without those that lead nowhere.
    private static func names(_ path: String) -> [Substring] {
        path.split(separator: "/").reduce(into: []) { names, name in
            if name == ".." { _ = names.popLast() } else if name != "." { names.append(name) }
        }
    }

}
