import FileIO
import Platform

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
    /// entered: then another folder is no remedy.
    package static func exists(_ path: String) -> Bool {
        guard FileStatus(path: path) == nil, errno == ENOENT || errno == ENOTDIR else { return true }
        guard let member = MemberPath(path), let archive = try? OpenArchives.archive(member.archive) else {
            return false
        }
        return archive.place(of: member.member) != nil
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
            self = try OpenArchives.place(of: path, status).map { status.stamp.moved(by: $0) } ?? .absent
        } catch {
            self = status.stamp
        }
    }

    /// The stamp of bytes in a file of this stamp.
    private func moved(by place: (offset: Int, count: Int)) -> FileStamp {
        var hash = UInt64(place.offset) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(place.count)
        hash = (hash ^ hash >> 32) &* 0xD6E8_FEB8_6659_FD93
        return FileStamp(byteCount: byteCount, modified: modified ^ Int64(bitPattern: hash ^ hash >> 32))
    }
}
