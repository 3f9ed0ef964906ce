import FileIO
import Platform

/// The name of a recording in an archive, `speech.tar.gz::yes/one.wav`: the archive's path, and the member's name as stored.
package struct MemberPath: Hashable, Sendable {
    package let archive: String
    package let member: String

    /// What separates the two.
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

/// Recordings by their paths: those of files, and those of members of archives.
package enum RecordingPath {
    /// The bytes of a recording, and their status; nil: there is no such file.
    ///
    /// - Throws: `ArchiveError` where the path is that of a member, and it cannot be read.
    package static func content(_ path: String) throws(ArchiveError) -> (FileContent, ContentStatus?) {
        if let status = FileStatus(path: path) { return (.file(path), ContentStatus(status)) }
        guard let member = MemberPath(path) else { return (.file(path), nil) }
        let part = try OpenArchives.part(member)
        return (.part(part), part.status)
    }

    /// The archive and the name that a path consists of; nil: it is that of a file.
    package static func member(_ path: String) -> MemberPath? {
        FileStatus(path: path) == nil ? MemberPath(path) : nil
    }

    /// Whether there is a recording of this path; true also where the system does not say, such as in a folder that may not be
    /// entered: then another folder is not a remedy.
    package static func exists(_ path: String) -> Bool {
        guard FileStatus(path: path) == nil, errno == ENOENT || errno == ENOTDIR else { return true }
        guard let member = MemberPath(path), let archive = try? OpenArchives.archive(member.archive) else {
            return false
        }
        return archive.location(of: member.member) != nil
    }
}

extension FileStamp {
    /// The stamp of a recording now: that of its file, or of its archive with the member's offset and length.
    ///
    /// The stamp of a member of a compressed tar is that of the archive alone, so that nothing is unpacked.
    package init(recording path: String) {
        guard let status = FileStatus(path: path) else {
            self = MemberPath(path).map(FileStamp.init) ?? .absent
            return
        }
        self = status.stamp
    }

    private init(_ path: MemberPath) {
        guard let status = FileStatus(path: path.archive) else {
            self = .absent
            return
        }
        do {
            self = try OpenArchives.location(of: path, status).map { status.stamp.moved(by: $0) } ?? .absent
        } catch {
            self = status.stamp
        }
    }

    /// The stamp of a range of bytes in a file that has this stamp.
    private func moved(by range: (offset: Int, count: Int)) -> FileStamp {
        var hash = UInt64(range.offset) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(range.count)
        hash = (hash ^ hash >> 32) &* 0xD6E8_FEB8_6659_FD93
        return FileStamp(byteCount: byteCount, modified: modified ^ Int64(bitPattern: hash ^ hash >> 32))
    }
}
