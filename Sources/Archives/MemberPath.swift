import Platform

/// The name of a recording in an archive, `speech.tar.gz::yes/one.wav`: the archive's path, and the member's name as stored.
package struct MemberPath: Hashable, Sendable {
    package let archive: String
    package let member: String

    /// What stands between the two.
    package static let separator = "::"

    /// The extensions of archives, in lower case, without the first dot.
    package static let extensions = [
        "tar", "tar.gz", "tgz", "tar.zst", "tar.zstd", "tzst", "zip", "tar.xz", "txz", "tar.bz2", "tbz2", "tbz",
    ]

    /// Divides a path after the first archive's extension that the separator follows; nil where none does.
    ///
    /// A path is that of a file if there is one of the whole name: the caller asks for it first.
    package init?(_ path: String) {
        var start = path.utf8.startIndex
        let (colon, bytes) = (UInt8(ascii: ":"), path.utf8)
        while let first = bytes[start...].firstIndex(of: colon) {
            let next = bytes.index(after: first)
            guard next < bytes.endIndex, bytes[next] == colon else {
                start = next
                continue
            }
            let (archive, member) = (String(path[..<first]), String(path[bytes.index(after: next)...]))
            if Self.isArchive(archive), !member.isEmpty {
                (self.archive, self.member) = (archive, member)
                return
            }
            start = next
        }
        return nil
    }

    /// Whether a file is an archive by its name.
    package static func isArchive(_ path: String) -> Bool { stem(of: path) != nil }

    /// The path of an archive without its extension; nil: it has none of an archive, or nothing before it.
    package static func stem(of path: String) -> String? {
        let lower = path.lowercased()
        // The longest extension that fits: of `a.tar.gz` both parts.
        let found = extensions.filter { lower.utf8.reversed().starts(with: ".\($0)".utf8.reversed()) }
            .max { $0.count < $1.count }
        guard let found, let stem = String(path.utf8.dropLast(found.utf8.count + 1)), !stem.isEmpty,
            stem.utf8.last != UInt8(ascii: "/")
        else { return nil }
        return stem
    }

    /// Whether a member's name leads out of the folder that it would be unpacked in.
    package static func isUnsafe(_ name: String) -> Bool {
        guard let first = name.utf8.first, first != UInt8(ascii: "/"), first != UInt8(ascii: "\\") else { return true }
        let parts = name.utf8.split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        return parts.contains { $0.elementsEqual("..".utf8) }
    }
}
