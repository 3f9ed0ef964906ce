/// Whether a file holds one FLAC, or several in a row.
///
/// Two of one length look like one by the first header and the last frame. libFLAC, which bisects the file to find a sample, then
/// takes it from one of them or another.
enum FLACStreamCount {
    /// Bytes of the shortest frame: a header, one constant, two checksums.
    private static let shortestFrame = 11
    /// Bytes that are read at once where the header does not give the size of the longest frame.
    private static let unknownFrame = 1 << 16
    /// Maximum bytes that are read at once.
    private static let longest = 1 << 20

    /// Whether another FLAC starts after the first one.
    ///
    /// Numbers of frames rise through a recording. They are looked at so often that no whole recording of this length fits in
    /// between, thus another one shows by a number that falls.
    ///
    /// - Parameters:
    ///   - stream: The header.
    ///   - frameCount: Samples of each channel.
    /// - Complexity: Reads two frames every `frames · 11` bytes: some hundred times, of a short file all of it.
    static func isRepeated(_ file: HeaderBytes, _ stream: FLACStream, frameCount: Int) -> Bool {
        let frames = max(frameCount / max(stream.longestBlock, 1), 1)
        // Two frames, after a part of another one.
        let usual = 3 * (stream.largestFrame ?? unknownFrame) + FLACFrameHeader.maximumBytes
        // A pair may be found at the end of the bytes that are read.
        let step = frames * shortestFrame - usual
        var (offset, size, highest) = (stream.firstFrameOffset, usual, 0)
        while offset < file.fileSize {
            guard let bytes = file.bytes(at: offset, min(size, file.fileSize - offset)).map(Array.init) else {
                return false
            }
            let (pair, start) = bytes.withUnsafeBufferPointer { (firstPair(in: $0), startOfStream(in: $0)) }
            guard let pair else {
                if start != nil { return true }
                guard offset + bytes.count < file.fileSize else { return false }
                if size < longest {
                    // Frames are longer than the header says, as those of another recording may be.
                    size *= 4
                } else {
                    // A start may lie across the end of these bytes.
                    offset += bytes.count - startBytes
                }
                continue
            }
            if let start, start < pair.second { return true }
            guard pair.number >= highest else { return true }
            (highest, size) = (pair.number, usual)
            offset += max(pair.second, step)
        }
        return false
    }

    /// Bytes that begin a FLAC: its name, and the head of its first block, which is 34 bytes long.
    private static let startBytes = 8

    private static func startOfStream(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        guard bytes.count >= startBytes else { return nil }
        return (0...bytes.count - startBytes).first { offset in
            bytes[offset] == 0x66 && bytes[offset + 1] == 0x4C && bytes[offset + 2] == 0x61 && bytes[offset + 3] == 0x43
                && bytes[offset + 4] & 0x7F == 0 && bytes[offset + 5] == 0 && bytes[offset + 6] == 0
                && bytes[offset + 7] == 34
        }
    }

    /// The first frame whose successor follows: four bytes like the start of a frame, with a checksum of 8 bits, may also be samples.
    private static func firstPair(in bytes: UnsafeBufferPointer<UInt8>) -> (number: Int, second: Int)? {
        var found: [(number: Int, next: Int)] = []
        for offset in bytes.indices where bytes[offset] == 0xFF {
            guard let header = FLACFrameHeader(bytes, at: offset) else { continue }
            if let first = found.first(where: { $0.next == header.number }) { return (first.number, offset) }
            found.append((header.number, header.number + (header.countsSamples ? header.blockFrames : 1)))
        }
        return nil
    }
}
