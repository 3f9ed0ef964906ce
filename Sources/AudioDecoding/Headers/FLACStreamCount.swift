/// Whether a file holds one FLAC, or several in a row.
///
/// Two of one length look like one by the first header and the last frame. libFLAC, which bisects the file to find a sample, then
/// takes it from one of them or another.
enum FLACStreamCount {
    /// Bytes of the shortest frame: a header, one constant, two checksums.
    private static let shortestFrame = 11
    /// Bytes that are read at once where the header does not give the size of the longest frame, and at the end.
    private static let unknownFrame = 1 << 16
    /// Bytes that are read at once: at least, and at most where the header does not say that frames are longer.
    private static let (shortest, longest) = (1 << 12, 1 << 20)

    /// Whether another FLAC follows the first one.
    ///
    /// Numbers of frames rise through a recording. They are looked at so often that no whole recording of this length fits in
    /// between, thus another one shows by a number that falls. A shorter one after long silence may be passed over: so the last bytes
    /// are looked at, too.
    ///
    /// - Parameters:
    ///   - stream: The header.
    ///   - frameCount: Samples of each channel.
    /// - Complexity: Reads a few frames every `frames · 11` bytes: some hundred times, of a short file all of it. No file takes longer
    ///   than in proportion to its length.
    static func isRepeated(_ file: HeaderBytes, _ stream: FLACStream, frameCount: Int) -> Bool {
        let frames = max(frameCount / max(stream.longestBlock, 1), 1)
        // A part of a frame, and two whole ones.
        let usual = 3 * (stream.largestFrame ?? unknownFrame) + FLACFrameHeader.maximumBytes
        // A pair may be found at the end of the bytes that are read.
        let step = frames * shortestFrame - usual
        let limit = max(usual, longest)
        var (offset, size, highest) = (stream.firstFrameOffset, min(usual, longest), 0)
        // Where the last pair was found.
        var passed = offset
        while offset < file.fileSize {
            guard let bytes = file.bytes(at: offset, min(size, file.fileSize - offset)).map(Array.init) else {
                return false
            }
            let (pair, startsAgain) = bytes.withUnsafeBufferPointer { bytes in
                let pair = firstPair(in: bytes)
                let before = min((pair?.second ?? bytes.count) + startBytes - 1, bytes.count)
                return (pair, isStreamStarted(in: UnsafeBufferPointer(rebasing: bytes[..<before])))
            }
            if startsAgain { return true }
            guard let pair else {
                guard offset + bytes.count < file.fileSize else { break }
                if size < limit {
                    // Frames are longer than those before, or than the header says, as those of another recording may be.
                    size = min(4 * size, limit)
                } else {
                    // These bytes may end within the start of another FLAC.
                    offset += bytes.count - startBytes
                }
                continue
            }
            guard pair.number >= highest else { return true }
            // Not always as much as the header says: tiny frames would take the square of their number.
            (highest, size) = (pair.number, min(usual, max(4 * pair.second, shortest)))
            passed = offset + pair.second
            offset += max(pair.second, step)
        }
        return endsInAnother(file, from: passed, highest: highest)
    }

    /// Whether the last bytes show another FLAC that is shorter, which fits in between.
    ///
    /// - Parameters:
    ///   - passed: The offset from which on no frames were found.
    ///   - highest: The highest number of a frame before that.
    private static func endsInAnother(_ file: HeaderBytes, from passed: Int, highest: Int) -> Bool {
        let start = max(passed, file.fileSize - unknownFrame)
        guard start < file.fileSize, let bytes = file.bytes(at: start, file.fileSize - start).map(Array.init) else {
            return false
        }
        return bytes.withUnsafeBufferPointer { bytes in
            isStreamStarted(in: bytes) || firstPair(in: bytes).map { $0.number < highest } ?? false
        }
    }

    /// Bytes that begin a FLAC: its name, and the head of its first block, which is 34 bytes long.
    private static let startBytes = 8

    private static func isStreamStarted(in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count >= startBytes else { return false }
        return (0...bytes.count - startBytes).contains { offset in
            bytes[offset] == 0x66 && bytes[offset + 1] == 0x4C && bytes[offset + 2] == 0x61 && bytes[offset + 3] == 0x43
                && bytes[offset + 4] & 0x7F == 0 && bytes[offset + 5] == 0 && bytes[offset + 6] == 0
                && bytes[offset + 7] == 34
        }
    }

    /// The first frame whose successor follows: four bytes like the start of a frame, with a checksum of 8 bits, may also be samples.
    private static func firstPair(in bytes: UnsafeBufferPointer<UInt8>) -> (number: Int, second: Int)? {
        // The numbers of headers by those of their successors: bytes that are nothing but headers take no longer than others.
        var numbers: [Int: Int] = [:]
        for offset in bytes.indices where bytes[offset] == 0xFF {
            guard let header = FLACFrameHeader(bytes, at: offset) else { continue }
            if let first = numbers[header.number] { return (first, offset) }
            let next = header.number + (header.countsSamples ? header.blockFrames : 1)
            if numbers[next] == nil { numbers[next] = header.number }
        }
        return nil
    }
}
