import FileIO
import Platform

/// An open archive: its members by name, each readable at any offset, by any number of threads.
///
/// A tar is read directly. A compressed tar is first decompressed as a whole, into an unnamed file: its checksum is known only at its
/// end, and no byte is returned before the checksum has been compared. Members of a zip are checked, and unpacked, one
/// by one.
package final class Archive: Sendable {
    /// The status of the archive when it was opened.
    let status: FileStatus
    /// The archive, or its unpacked bytes.
    private let file: SharedFile
    private let size: Int
    private let index: MemberIndex
    /// Nil: a tar.
    private let zip: ZipMembers?

    /// Opens an archive, and lists its members.
    ///
    /// - Complexity: Reads each header of a tar, the list of a zip, and all of a compressed tar.
    package init(path: String, unpacking: Unpacking.Settings = Unpacking.current) throws(ArchiveError) {
        let source: SharedFile
        do { source = try SharedFile(path: path) } catch { throw ArchiveError(opening: error) }
        guard let status = FileStatus(descriptor: source.descriptor), status.isRegular else {
            throw ArchiveError("the archive is not a regular file")
        }
        guard status.byteCount > 0 else { throw ArchiveError("the archive is an empty file (0 bytes)") }
        self.status = status
        var bytes = ArchiveBytes(source, size: status.byteCount)
        let start = Array(try bytes.bytes(at: 0, 6))
        if ZipIndexer.signatures.contains(where: start.starts) {
            (file, size) = (source, status.byteCount)
            index = try ZipIndexer(file, size: size).index
            zip = ZipMembers(file, size: size, status)
            return
        }
        guard let decompressor = try Self.decompressor(start) else {
            (file, size) = (source, status.byteCount)
            do throws(ArchiveError) {
                index = try TarIndexer(file, size: size).index
                zip = nil
            } catch .notTar {
                // A program that unpacks a zip may precede it.
                index = try ZipIndexer.indexAfterOtherBytes(file, size: size)
                zip = ZipMembers(file, size: size, status)
            }
            return
        }
        zip = nil
        file = try Unpacking.file(unpacking)
        let (count, verified, problem) = try Unpacking.unpack(
            source, 0..<status.byteCount, by: decompressor, maximum: Unpacking.limit(packed: status.byteCount),
            into: file, at: 0, unpacking)
        guard let problem else {
            size = count
            index = try TarIndexer(file, size: size).index
            return
        }
        // Of several compressed parts, those before the damage are right.
        guard verified > 0 else { throw problem }
        size = verified
        var index = try TarIndexer(file, size: size).index
        index.problem = problem
        self.index = index
    }

    /// What unpacks bytes that start like these; nil: they are not compressed.
    static func decompressor(_ start: [UInt8]) throws(ArchiveError) -> (any Decompressor)? {
        do throws(CompressionError) {
            if start.starts(with: GzipDecompressor.signature) { return try GzipDecompressor() }
            if ZstdDecompressor.starts(start) { return try ZstdDecompressor() }
        } catch {
            throw .outOfMemory(error)
        }
        let others = [
            ("xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]), ("bzip2", Array("BZh".utf8)), ("lz4", [4, 0x22, 0x4D, 0x18]),
        ]
        for (name, signature) in others where start.starts(with: signature) {
            throw ArchiveError(
                .unread,
                "archives compressed by \(name) are not read: unpack it, or compress the tar with gzip or zstd")
        }
        return nil
    }

    /// Number of members.
    package var count: Int { index.count }

    /// The names, as far as they can be shown, of members of which there are several: the last one counts.
    package var repeatedNames: [String] { index.replacedNames }

    /// What keeps members after the last one from being listed; nil: nothing.
    package var problem: ArchiveError? { index.problem }

    /// Calls a closure with every member, without a leading `./` in its name, in the order of the archive.
    ///
    /// - Parameter visit: Takes the name, nil where it is not valid UTF-8; the name as it can be shown; and why the member cannot be
    ///   read, nil where no reason is known.
    package func forEach(_ visit: (_ name: String?, _ shown: String, ArchiveMember, ArchiveError?) -> Void) {
        index.forEach { name, shown, member in visit(name, shown, member, refusal(of: member, named: shown)) }
    }

    /// The bytes of a member.
    ///
    /// - Complexity: Reads or unpacks a member of a zip, the first time.
    package func part(_ name: String) throws(ArchiveError) -> FilePart {
        guard let member = index.member(name) else {
            let reason = index.problem.map { ": \($0), and members after that are not found" } ?? ""
            throw ArchiveError(.missing, "the archive has no member of this name\(reason)")
        }
        if let refusal = refusal(of: member, named: name) { throw refusal }
        switch member.storage {
        case .plain(let offset):
            return FilePart(file, offset: offset, count: member.size, status: ContentStatus(status, offset: offset))
        case .zipped(let storage):
            guard let zip else { throw ArchiveError("the archive is not a zip") }
            return try zip.part(storage, size: member.size)
        }
    }

    /// Where a member starts in the archive, or in its unpacked bytes, and its length; nil: there is no member of this name.
    func location(of name: String) -> (offset: Int, count: Int)? {
        guard let member = index.member(name) else { return nil }
        return switch member.storage {
        case .plain(let offset): (offset, member.size)
        case .zipped(let storage): (storage.header, member.size)
        }
    }

    /// Whether an archive has to be unpacked as a whole.
    static func isCompressed(_ path: String) throws(SystemError) -> Bool {
        let start = try SharedFile(path: path).bytes(at: 0, 6)
        return start.starts(with: GzipDecompressor.signature) || ZstdDecompressor.starts(start)
    }

    private func refusal(of member: ArchiveMember, named name: String) -> ArchiveError? {
        if let refusal = member.kind.refusal(named: name) { return refusal }
        switch member.storage {
        case .plain(let offset):
            let present = max(size - offset, 0)
            guard member.size <= present else {
                let problem = index.problem.map { "\($0): " } ?? ""
                return ArchiveError("\(problem)\(present) of the member's \(member.size) bytes are there")
            }
        case .zipped(let storage): return zip?.refusal(of: storage, size: member.size)
        }
        return nil
    }
}
