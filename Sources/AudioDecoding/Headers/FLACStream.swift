import FileIO

/// Numbers from the header of a FLAC, which has no checksum, and from its first and last frames, which have one.
struct FLACStream {
    /// Maximum samples of each channel in a frame.
    let longestBlock: Int
    /// The same for all frames but the last one, where their headers count frames; 1: they count samples, as old files do without
    /// saying so; nil: they say so, or it is not known.
    let fixedBlock: Int?
    /// Rate in Hz by the first frame; nil: not given.
    let frameRate: Int?
    /// Samples of each channel by the last frame; nil: the file ends without a whole frame.
    let frameCount: Int?
    /// Maximum bytes of a frame by the header; nil: not given.
    let largestFrame: Int?
    let firstFrameOffset: Int

    /// Maximum bytes of a frame that are searched, also where the header does not give a maximum.
    private static let longestFrame = 1 << 18

    /// Maximum bytes of a frame. A longer one is not found.
    var maximumFrameBytes: Int { Self.maximumBytes(largestFrame) }

    private static func maximumBytes(_ largestFrame: Int?) -> Int { min(largestFrame ?? longestFrame, longestFrame) }

    /// Reads the header and both frames; nil where the file is not FLAC.
    init?(_ file: HeaderBytes) {
        guard file.has("fLaC", at: 0),
            // STREAMINFO is always the first metadata block: lengths of blocks, sizes of frames.
            let shortest = file.number(at: 8, 2, isBigEndian: true),
            let longest = file.number(at: 10, 2, isBigEndian: true), longest >= 16,
            let largest = file.number(at: 15, 3, isBigEndian: true), let start = Self.firstFrame(file)
        else { return nil }
        longestBlock = Int(longest)
        largestFrame = largest == 0 ? nil : Int(largest)
        firstFrameOffset = start
        let head = file.bytes(at: start, min(FLACFrameHeader.maximumBytes, file.fileSize - start)).map(Array.init) ?? []
        let first = head.withUnsafeBufferPointer { FLACFrameHeader($0, at: 0) }
        frameRate = first?.sampleRate
        let fixedBlock = shortest == longest ? Int(longest) : first.flatMap { Self.unit(of: $0, file, from: start) }
        self.fixedBlock = fixedBlock
        let size = min(Self.maximumBytes(largestFrame), file.fileSize - start)
        let tail = file.bytes(at: file.fileSize - size, size).map(Array.init) ?? []
        frameCount = tail.withUnsafeBufferPointer { tail in
            Self.last(tail).flatMap { frame in
                frame.samples(fixedBlock: fixedBlock)?.upperBound
            }
        }
    }

    /// What headers count in a file whose frames differ in length, by the first two that follow one another: old files have numbers of
    /// samples, and programs that give a shorter last frame as the shortest of all have numbers of frames.
    private static func unit(of first: FLACFrameHeader, _ file: HeaderBytes, from start: Int) -> Int? {
        guard !first.countsSamples else { return nil }
        let bytes = file.bytes(at: start, min(2 * longestFrame, file.fileSize - start)).map(Array.init) ?? []
        return bytes.withUnsafeBufferPointer { bytes in
            var last = first
            for offset in bytes.indices.dropFirst() where bytes[offset] == 0xFF {
                guard let next = FLACFrameHeader(bytes, at: offset), !next.countsSamples else { continue }
                if next.number == last.number + 1 { return last.blockFrames }
                if next.number == last.number + last.blockFrames { return 1 }
                last = next
            }
            return nil
        }
    }

    /// Offset of the first frame, after the blocks of metadata.
    private static func firstFrame(_ file: HeaderBytes) -> Int? {
        var offset = 4
        while let kind = file.bytes(at: offset, 1)?.first,
            let length = file.number(at: offset + 1, 3, isBigEndian: true)
        {
            offset += 4 + Int(length)
            if kind & 0x80 != 0 { return offset < file.fileSize ? offset : nil }
        }
        return nil
    }

    /// The frame at the very end of the bytes, with both checksums right.
    ///
    /// - Complexity: Reads every byte once, from the end. Summing from each header would take a minute for a file that ends
    ///   with many headers.
    private static func last(_ bytes: UnsafeBufferPointer<UInt8>) -> FLACFrameHeader? {
        guard bytes.count > FLACFrameHeader.maximumBytes / 2 else { return nil }
        let wanted = UInt16(bytes[bytes.count - 2]) << 8 | UInt16(bytes[bytes.count - 1])
        // CRC-16 (x¹⁶ + x¹⁵ + x² + 1) of all bytes from `offset` to the end: each bit adds a power of x, by the number of bits
        // after it.
        var (sum, power): (UInt16, UInt16) = (0, polynomial)
        for offset in (0..<bytes.count - 2).reversed() {
            for bit in 0..<8 {
                if bytes[offset] >> UInt8(bit) & 1 == 1 { sum ^= power }
                power = power & 0x8000 == 0 ? power << 1 : power << 1 ^ polynomial
            }
            guard bytes[offset] == 0xFF, sum == wanted, offset < bytes.count - 6 else { continue }
            if let header = FLACFrameHeader(bytes, at: offset) { return header }
        }
        return nil
    }

    /// x¹⁶ modulo that polynomial.
    private static let polynomial: UInt16 = 0x8005
}
