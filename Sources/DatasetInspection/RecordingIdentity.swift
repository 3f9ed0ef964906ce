import Archives
import FeatureModel
import FileIO

/// Identifies recordings that a manifest may name in several ways: `a.wav`, `./a.wav`, a link to it; `a.tar::b.wav`.
package struct RecordingIdentity {
    private let root: String
    private var last: (path: String, hash: UInt64)?

    /// - Parameter root: Folder that relative paths start from.
    package init(root: String) { self.root = root }

    /// A hash of the file that a path leads to, or of the normalised path if there is no such file.
    ///
    /// - Complexity: One call of the file system, unless the path is that of the last call.
    package mutating func hash(of path: String) -> UInt64 {
        if let last, last.path.utf8.elementsEqual(path.utf8) { return last.hash }
        let location = Clip.location(of: path, root: root)
        let hash: UInt64
        if let identity = FileStatus(path: location)?.identity {
            hash = [identity.device, identity.inode].withUnsafeBytes { xxh3($0) }
        } else if let member = RecordingPath.member(location) {
            // A member is a recording of its own, by its name in the archive.
            let name = Array(Self.direct(member.member).utf8)
            if let identity = FileStatus(path: member.archive)?.identity {
                hash = [identity.device, identity.inode, name.withUnsafeBytes { xxh3($0) }].withUnsafeBytes { xxh3($0) }
            } else {
                hash = (Array((Self.direct(member.archive) + MemberPath.separator).utf8) + name).withUnsafeBytes {
                    xxh3($0)
                }
            }
        } else {
            hash = Array(Self.direct(location).utf8).withUnsafeBytes { xxh3($0) }
        }
        last = (path, hash)
        return hash
    }

    /// The path without empty parts, `.` and `..`.
    static func direct(_ path: String) -> String {
        var parts: [Substring.UTF8View] = []
        for part in path.utf8.split(separator: UInt8(ascii: "/")) {
            if part.elementsEqual(".".utf8) { continue }
            if part.elementsEqual("..".utf8), let above = parts.last, !above.elementsEqual("..".utf8) {
                parts.removeLast()
            } else if !part.elementsEqual("..".utf8) || !path.utf8.starts(with: "/".utf8) {
                parts.append(part)
            }
        }
        return (path.utf8.starts(with: "/".utf8) ? "/" : "")
            + parts.map { String(Substring($0)) }.joined(separator: "/")
    }
}
