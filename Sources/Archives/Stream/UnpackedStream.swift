import FileIO
import Platform

/// The bytes of a stream such as standard input, read once and forward, unpacked where they are compressed.
final class UnpackedStream {
    private let descriptor: Int32
    private let shouldStop: () -> Bool
    private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
    /// Read and not unpacked.
    private var packed: Range<Int> = 0..<0
    /// Unpacked and not handed out; where nothing is compressed, a part of `input`.
    private var rest: Range<Int> = 0..<0
    private var decompressor: (any Decompressor)?
    private var isAtEnd = false
    private var readCount = 0
    private var unpackedCount = 0

    /// How long a read waits before the caller is asked whether to stop, in milliseconds.
    private static let tick: Int32 = 100

    /// Waits for the first bytes, which show how the stream is compressed.
    ///
    /// - Parameter descriptor: Stays open.
    /// - Throws: `ArchiveError` where it is empty, no tar, or cannot be read.
    init(descriptor: Int32, shouldStop: @escaping () -> Bool) throws(ArchiveError) {
        (self.descriptor, self.shouldStop) = (descriptor, shouldStop)
        guard isatty(descriptor) == 0 else { throw ArchiveError("expected a tar, found a terminal") }
        while packed.count < 6, try fill() {}
        guard !packed.isEmpty else { throw ArchiveError("expected a tar, found nothing (0 bytes)") }
        let start = Array(input[packed].prefix(6))
        guard !ZipIndexer.signatures.contains(where: start.starts) else {
            throw .zipInStream
        }
        decompressor = try Archive.decompressor(start)
        if decompressor == nil { rest = packed }
    }

    deinit {
        input.deallocate()
        output.deallocate()
    }

    /// The next bytes, from one to `maximum`; none at the end. Valid until the next call.
    func next(_ maximum: Int) throws(ArchiveError) -> UnsafeRawBufferPointer {
        while rest.isEmpty, try refill() {}
        let count = min(maximum, rest.count)
        let bytes = UnsafeRawBufferPointer(rebasing: (decompressor == nil ? input : output)[rest.prefix(count)])
        rest = rest.dropFirst(count)
        return bytes
    }

    /// Fills `rest`, which is empty; false at the end.
    private func refill() throws(ArchiveError) -> Bool {
        guard let decompressor else {
            packed = 0..<0
            guard try fill() else { return false }
            rest = packed
            return true
        }
        while true {
            if packed.isEmpty { _ = try fill() }
            let step: (taken: Int, written: Int)
            do throws(CompressionError) {
                step = try decompressor.unpack(
                    UnsafeRawBufferPointer(rebasing: input[packed]), into: output)
            } catch {
                throw ArchiveError("\(error)")
            }
            packed = packed.dropFirst(step.taken)
            unpackedCount += step.written
            guard unpackedCount <= Unpacking.limit(packed: readCount) else {
                throw Unpacking.tooLarge(packed: readCount)
            }
            if step.written > 0 {
                rest = 0..<step.written
                return true
            }
            guard step.taken == 0, packed.isEmpty, isAtEnd else { continue }
            guard decompressor.mayEnd else { throw .cutOffPacked }
            return false
        }
    }

    /// Appends compressed bytes to those not yet decompressed; false at the end of the stream.
    private func fill() throws(ArchiveError) -> Bool {
        guard !isAtEnd else { return false }
        if packed.isEmpty { packed = 0..<0 }
        let free = UnsafeMutableRawBufferPointer(rebasing: input[packed.upperBound...])
        while true {
            if shouldStop() { throw .stopped }
            // Also where it would not block: a pipe's writer may be slow.
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&polled, 1, Self.tick)
            guard ready >= 0 || errno == EINTR else { throw ArchiveError(.last, cannot: "read the stream") }
            if ready <= 0 { continue }
            let count = read(descriptor, free.baseAddress, free.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else { throw ArchiveError(.last, cannot: "read the stream") }
            isAtEnd = count == 0
            readCount += count
            packed = packed.lowerBound..<(packed.upperBound + count)
            return count > 0
        }
    }
}
