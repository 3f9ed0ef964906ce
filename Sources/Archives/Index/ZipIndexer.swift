import FileIO

/// Reads the central directory of a zip, ZIP64 included.
struct ZipIndexer {
    private var bytes: ArchiveBytes
    private(set) var index = MemberIndex()
    /// Where it starts, after other bytes.
    private var start = 0

    /// The first bytes of a zip: those of a member, or of the end of one without members.
    static let signatures: [[UInt8]] = [[0x50, 0x4B, 3, 4], [0x50, 0x4B, 5, 6]]

    /// Where the list of members is.
    private struct Directory {
        let offset, size: Int
        /// The number of entries that the end of the zip states; there may be more.
        let count: Int
        /// Bytes before the zip, such as a program that unpacks it.
        var shift: Int
        /// Whether offsets are modulo `turn`.
        var isWrapped = false
    }

    /// Programs that do not know ZIP64, such as those of macOS, keep offsets modulo this.
    private static let turn = 1 << 32
    /// Where the member that was listed last starts, and how much of that are turns, in zips of such programs.
    private var (lastHeader, turns) = (0, 0)
    /// Whether the header of a member was not found in such a zip, which is damaged then: others are not searched for.
    private var isMissingHeaders = false
    /// Headers of members in such zips.
    private var headers: ArchiveBytes

    /// Bytes of a member's own header, before its name.
    static let headerSize = 30
    private static let endSize = 22
    private static let entrySize = 46
    private static let ahead = 1 << 18

    /// Reads the directory, or its entries before the first damage, which becomes the index's `problem`.
    ///
    /// - Throws: `ArchiveError` where there is none, or it cannot be read.
    init(_ file: SharedFile, size: Int) throws(ArchiveError) {
        bytes = ArchiveBytes(file, size: size)
        headers = bytes
        try run()
    }

    /// The members of a zip that follows other bytes, such as a program that unpacks it. Bytes may follow it, too.
    ///
    /// - Throws: `ArchiveError.neither` where there is no such zip, `.inDamagedTar` where it may be a member of a tar; the system's
    ///   error where the bytes cannot be read.
    static func indexAfterOtherBytes(_ file: SharedFile, size: Int) throws(ArchiveError) -> MemberIndex {
        var indexer: ZipIndexer
        do throws(ArchiveError) {
            indexer = try ZipIndexer(file, size: size)
        } catch  where error.isTransient {
            throw error
        } catch {
            throw .neither
        }
        guard try !indexer.isInTar() else { throw .inDamagedTar }
        return indexer.index
    }

    /// Whether the file starts with a header of a tar, damaged or not, or has one right before the zip.
    private mutating func isInTar() throws(ArchiveError) -> Bool {
        for offset in [0, start - TarHeaders.block] {
            if TarHeaders.hasMagic(try bytes.bytes(at: offset, TarHeaders.block)) { return true }
        }
        return false
    }

    /// Entries are read to the end of the list: their number is stated in 16 bits, and some programs write more of them.
    private mutating func run() throws(ArchiveError) {
        let directory = try directory()
        start = directory.shift
        let end = directory.offset + directory.size
        var (offset, entries) = (directory.offset, 0)
        while offset < end, try !isSignature(at: offset) {
            guard let next = try take(at: offset, in: directory) else {
                index.problem = ArchiveError("its list of members is damaged at byte \(offset)")
                return
            }
            offset = next
            entries += 1
        }
        if entries < directory.count {
            index.problem = ArchiveError("its list of members ends after \(entries) of \(directory.count)")
        }
    }

    /// Whether the list ends here, with its signature.
    private mutating func isSignature(at offset: Int) throws(ArchiveError) -> Bool {
        try bytes.bytes(at: offset, 4, ahead: Self.ahead).elementsEqual([0x50, 0x4B, 5, 5])
    }

    private mutating func directory() throws(ArchiveError) -> Directory {
        let tail = min(bytes.size, Self.endSize + 0xFFFF)
        let end = try bytes.bytes(at: bytes.size - tail, tail)
        let missing = ArchiveError("it is cut off or damaged: the list of its members, at its end, is missing")
        // The comment after the record may hold anything: the record's own length has to fit.
        var found: Int?
        for offset in stride(from: tail - Self.endSize, through: 0, by: -1)
        where end.field(offset, 4).elementsEqual([0x50, 0x4B, 5, 6])
            && offset + Self.endSize + end.number(at: offset + 20, 2) <= tail
        {
            found = offset
            break
        }
        guard let found else { throw missing }
        let record = end.field(found, Self.endSize)
        let position = bytes.size - tail + found
        guard record.number(at: 4, 2) == record.number(at: 6, 2) || record.number(at: 4, 2) == 0xFFFF else {
            throw ArchiveError("it is one of several parts of a divided zip")
        }
        var (count, size, offset) = (record.number(at: 10, 2), record.number(at: 12, 4), record.number(at: 16, 4))
        var last = position
        if count == 0xFFFF || size == 0xFFFF_FFFF || offset == 0xFFFF_FFFF, position >= 20 {
            let locator = try bytes.bytes(at: position - 20, 20)
            if locator.number(at: 0, 4) == 0x0706_4B50 {
                let start = locator.number(at: 8, 8)
                guard start >= 0, start <= bytes.size - 56 else { throw missing }
                let long = try bytes.bytes(at: start, 56)
                guard long.count == 56, long.number(at: 0, 4) == 0x0606_4B50 else { throw missing }
                (count, size, offset) = (long.number(at: 32, 8), long.number(at: 40, 8), long.number(at: 48, 8))
                last = start
            }
        }
        guard size >= 0, offset >= 0, count >= 0, size <= last, offset <= last - size, count <= size / Self.entrySize
        else { throw missing }
        var directory = Directory(offset: last - size, size: size, count: count, shift: last - size - offset)
        // A file that starts with a member has no bytes before the zip.
        if directory.shift > 0, try bytes.bytes(at: 0, 4).elementsEqual(Self.signatures[0]) {
            guard directory.shift % Self.turn == 0 else { throw Self.otherList }
            (directory.shift, directory.isWrapped) = (0, true)
        }
        return directory
    }

    private static let otherList = ArchiveError(
        "it is cut off, damaged, or several zips in one file: the list at its end is not that of the members at its start"
    )

    /// Where a member starts, by the offset in its entry.
    ///
    /// Of an offset modulo `turn`, the member's own header decides: the list may be in another order than the file, and a member
    /// longer than a turn.
    private mutating func start(
        _ header: Int, _ name: ArraySlice<UInt8>, in directory: Directory
    ) throws(ArchiveError) -> Int {
        guard directory.isWrapped else { return header + directory.shift }
        if header + turns < lastHeader { turns += Self.turn }
        let probable = header + turns
        if !isMissingHeaders, try !isMember(name, at: probable) {
            for start in stride(from: header, to: directory.offset, by: Self.turn) where try isMember(name, at: start) {
                (lastHeader, turns) = (start, start - header)
                return start
            }
            isMissingHeaders = true
        }
        lastHeader = probable
        return probable
    }

    private mutating func isMember(_ name: ArraySlice<UInt8>, at offset: Int) throws(ArchiveError) -> Bool {
        let size = Self.headerSize
        let header = try headers.bytes(at: offset, size + name.count)
        return header.count == size + name.count && header.starts(with: Self.signatures[0])
            && header.number(at: 26, 2) == name.count && header.dropFirst(size).elementsEqual(name)
    }

    /// Takes an entry; returns the offset of the next one, or nil where this one is damaged.
    private mutating func take(at offset: Int, in directory: Directory) throws(ArchiveError) -> Int? {
        let end = directory.offset + directory.size
        let fixed = try bytes.bytes(at: offset, min(Self.entrySize, end - offset), ahead: Self.ahead)
        guard fixed.count == Self.entrySize, fixed.number(at: 0, 4) == 0x0201_4B50 else { return nil }
        let (nameSize, extraSize) = (fixed.number(at: 28, 2), fixed.number(at: 30, 2))
        let length = Self.entrySize + nameSize + extraSize + fixed.number(at: 32, 2)
        guard offset + length <= end else { return nil }
        let entry = try bytes.bytes(at: offset, length, ahead: Self.ahead)
        guard entry.count == length else { return nil }
        let name = entry.field(Self.entrySize, nameSize)
        var packed = entry.number(at: 20, 4)
        var size = entry.number(at: 24, 4)
        var header = entry.number(at: 42, 4)
        var extra = entry.field(Self.entrySize + nameSize, extraSize)
        while extra.count >= 4 {
            let (tag, count) = (extra.number(at: 0, 2), extra.number(at: 2, 2))
            guard count <= extra.count - 4 else { break }
            var field = extra.dropFirst(4).prefix(count)
            extra = extra.dropFirst(4 + count)
            guard tag == 1 else { continue }
            func long(_ value: inout Int) {
                guard value == 0xFFFF_FFFF, field.count >= 8 else { return }
                value = field.number(at: 0, 8)
                field = field.dropFirst(8)
            }
            long(&size)
            long(&packed)
            long(&header)
        }
        let limit = 1 << 60
        guard (0..<limit).contains(size), (0..<limit).contains(packed), (0..<limit).contains(header) else { return nil }
        let storage = ZipStorage(
            header: try start(header, name, in: directory), packedSize: packed, method: UInt16(entry.number(at: 10, 2)),
            checksum: UInt32(entry.number(at: 16, 4)), isEncrypted: entry.number(at: 8, 2) & 1 != 0)
        try index.add(
            name, ArchiveMember(kind: Self.kind(entry, name), size: size, storage: .zipped(storage)))
        return offset + length
    }

    /// By the mode of the file where a Unix system wrote it.
    private static func kind(_ entry: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>) -> ArchiveMember.Kind {
        if name.last == UInt8(ascii: "/") { return .folder }
        // By the system that wrote it: 3 for Unix, 19 for macOS.
        guard [3, 19].contains(entry.number(at: 5, 1)) else { return .regular }
        return switch entry.number(at: 40, 2) & 0xF000 {
        case 0xA000: .symbolicLink
        case 0x4000: .folder
        case 0x2000, 0x6000: .device
        case 0x1000: .pipe
        case 0x8000, 0: .regular
        default: .other
        }
    }
}
