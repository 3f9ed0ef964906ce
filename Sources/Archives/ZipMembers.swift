import FileIO
import Synchronization

/// The members of a zip that were asked for: their checksums are compared once, and compressed ones unpacked once.
final class ZipMembers: Sendable {
    private struct State {
        /// By the offset of the local header.
        var parts: [Int: FilePart] = [:]
        /// Holds what was unpacked; nil: nothing was.
        var unpacked: SharedFile?
        var unpackedCount = 0
    }

    private let file: SharedFile
    private let size: Int
    private let status: FileStatus
    private let state = Mutex(State())
    /// A thread that unpacks a member holds the lock of its number, so that no other unpacks it as well.
    private let locks: [Lock]

    private final class Lock: Sendable {
        let mutex = Mutex<Void>(())
    }

    init(_ file: SharedFile, size: Int, _ status: FileStatus) {
        (self.file, self.size, self.status) = (file, size, status)
        locks = (0..<16).map { _ in Lock() }
    }

    /// Why a member cannot be read, by the list alone; nil: the list shows no reason.
    func refusal(of storage: ZipStorage, size: Int) -> ArchiveError? {
        guard !storage.isEncrypted else { return ArchiveError("it is encrypted") }
        switch storage.method {
        case ZipStorage.stored:
            return storage.packedSize == size
                ? nil
                : ArchiveError("its list of members is damaged: \(storage.packedSize) bytes are stored of \(size)")
        case ZipStorage.deflated:
            return size <= Unpacking.limit(packed: storage.packedSize)
                ? nil : Unpacking.tooLarge(packed: storage.packedSize)
        default:
            return ArchiveError(
                "it is compressed by method \(storage.method) of zip: expected 0 (stored) or 8 (deflate)")
        }
    }

    /// The bytes of a member that is not refused.
    func part(_ storage: ZipStorage, size: Int) throws(ArchiveError) -> FilePart {
        try locks[storage.header & 15].mutex.withLock { _ throws(ArchiveError) in
            if let part = state.withLock({ $0.parts[storage.header] }), part.count == size { return part }
            let part = try read(storage, size: size)
            state.withLock { $0.parts[storage.header] = part }
            return part
        }
    }

    private func read(_ storage: ZipStorage, size: Int) throws(ArchiveError) -> FilePart {
        let start = try start(of: storage)
        guard storage.packedSize <= self.size - start else {
            throw ArchiveError(
                "it is cut off: \(max(self.size - start, 0)) of its \(storage.packedSize) bytes are there")
        }
        var checksum = CRC32()
        let status = ContentStatus(status, offset: storage.header)
        let part: FilePart
        if storage.method == ZipStorage.stored {
            try sum(start, size, &checksum)
            part = FilePart(file, offset: start, count: size, status: status)
        } else {
            let (target, offset) = try reserve(size)
            let decompressor: DeflateDecompressor
            do throws(CompressionError) { decompressor = try DeflateDecompressor() } catch { throw .outOfMemory(error) }
            let (count, _, problem) = try Unpacking.unpack(
                file, start..<start + storage.packedSize, by: decompressor, maximum: size, into: target, at: offset,
                receive: { checksum.update($0) })
            if let problem { throw problem }
            guard count == size else {
                throw ArchiveError("its compressed data is damaged: expected \(size) bytes, found \(count)")
            }
            part = FilePart(target, offset: offset, count: size, status: status)
        }
        guard checksum.value == storage.checksum else {
            throw ArchiveError("it is damaged: its checksum (CRC-32) is another one")
        }
        return part
    }

    /// The offset of a member's bytes, after its own header.
    private func start(of storage: ZipStorage) throws(ArchiveError) -> Int {
        var bytes = ArchiveBytes(file, size: size)
        let header = try bytes.bytes(at: storage.header, ZipIndexer.headerSize)
        guard header.count == ZipIndexer.headerSize, header.number(at: 0, 4) == 0x0403_4B50 else {
            throw ArchiveError("it is damaged: its header is not where the list of members says")
        }
        return storage.header + ZipIndexer.headerSize + header.number(at: 26, 2) + header.number(at: 28, 2)
    }

    /// Reserves space for unpacked bytes.
    private func reserve(_ size: Int) throws(ArchiveError) -> (file: SharedFile, offset: Int) {
        let file = try state.withLock { state throws(ArchiveError) in
            if let unpacked = state.unpacked { return unpacked }
            let file = try Unpacking.file()
            state.unpacked = file
            return file
        }
        let limit = Unpacking.limit(packed: self.size)
        let offset = state.withLock { state -> Int? in
            guard size <= limit - state.unpackedCount else { return nil }
            defer { state.unpackedCount += size }
            return state.unpackedCount
        }
        guard let offset else { throw Unpacking.tooLarge(packed: self.size) }
        return (file, offset)
    }

    private func sum(_ start: Int, _ count: Int, _ checksum: inout CRC32) throws(ArchiveError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: min(1 << 18, max(count, 1)), alignment: 64)
        defer { buffer.deallocate() }
        var done = 0
        while done < count {
            let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(buffer.count, count - done)])
            let found: Int
            do { found = try file.read(into: wanted, at: start + done) } catch {
                throw ArchiveError(error, cannot: "read the archive")
            }
            guard found > 0 else { throw ArchiveError("it became shorter while it was read") }
            checksum.update(UnsafeRawBufferPointer(rebasing: wanted[..<found]))
            done += found
        }
    }
}
