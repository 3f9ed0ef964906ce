import FileIO

/// The frames of AAC without a container (ADTS), counted by their headers: ffmpeg only estimates the length by the bit rate.
///
/// Costs one read of the file.
struct ADTSFrames {
    /// The rate that the headers state, in Hz. Samples have twice that rate where a decoder finds the upper half of the spectrum encoded apart.
    let sampleRate: Int
    /// Samples of each channel at that rate, in whole frames.
    let sampleCount: Int
    /// Samples of a last frame that the file ends in; 0: it ends with a whole one, or with other bytes.
    let missingCount: Int
    /// Where the last whole frame ends, in bytes.
    let end: Int

    private static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
    ]

    /// Counts all frames. Tags and other bytes between and after them are left out, as by ffmpeg.
    ///
    /// Nil where there are none, or those of another stream follow: then ffmpeg has to know.
    init?(_ content: FileContent) {
        guard let header = HeaderBytes(content), let reader = Reader(content),
            let first = reader.frame(at: header.leadingTagsSize), first.rate < Self.rates.count
        else { return nil }
        var (offset, count, missing, end) = (header.leadingTagsSize, 0, 0, 0)
        while offset < reader.size {
            if let frame = reader.frame(at: offset), frame.isLike(first) {
                guard offset + frame.size <= reader.size else {
                    missing = frame.samples
                    break
                }
                count += frame.samples
                offset += frame.size
                end = offset
            } else if offset == end, reader.endsInHeader(at: offset) {
                missing = first.samples
                break
            } else if let tag = reader.tagSize(at: offset) {
                offset += tag
            } else {
                guard let next = reader.nextFrames(from: offset) else { break }
                guard next.frame.isLike(first) else { return nil }
                offset = next.offset
            }
        }
        guard count > 0 else { return nil }
        (sampleRate, sampleCount, missingCount, self.end) = (Self.rates[first.rate], count, missing, end)
    }

    /// The header of a frame.
    private struct Frame {
        static let headerBytes = 7

        /// Profile, rate and channels, which are those of the first frame.
        let fixed: [UInt8]
        /// The index of the rate.
        let rate: Int
        /// In bytes.
        let size: Int
        let samples: Int

        init?(_ bytes: UnsafeRawBufferPointer) {
            guard bytes.count >= Self.headerBytes, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return nil }
            fixed = [bytes[1] & 0xFE, bytes[2] & 0xFD, bytes[3] & 0xC0]
            rate = Int(bytes[2] >> 2 & 15)
            size = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5] >> 5)
            samples = (Int(bytes[6] & 3) + 1) * 1024
            guard size >= Self.headerBytes else { return nil }
        }

        func isLike(_ other: Frame) -> Bool { fixed == other.fixed }
    }

    private final class Reader {
        let size: Int
        private let file: RegularFile
        private let buffer = ReadBuffer()

        init?(_ content: FileContent) {
            guard let file = RegularFile(content) else { return nil }
            size = file.size
            self.file = file
        }

        func frame(at offset: Int) -> Frame? {
            buffer.bytes(at: offset, count: Frame.headerBytes, of: file).flatMap { Frame($0) }
        }

        func tagSize(at offset: Int) -> Int? {
            guard let head = buffer.bytes(at: offset, count: SoundTag.headBytes, of: file), let tag = SoundTag(head)
            else { return nil }
            return tag.size <= size - offset ? tag.size : nil
        }

        /// Whether the file ends within the header of a frame.
        func endsInHeader(at offset: Int) -> Bool {
            guard let bytes = buffer.bytes(at: offset, count: Frame.headerBytes, of: file) else { return false }
            return (2..<Frame.headerBytes).contains(bytes.count) && bytes[0] == 0xFF && bytes[1] & 0xF6 == 0xF0
        }

        /// The next offset at which two frames of one stream follow one another, or one ends with the file; nil: none.
        func nextFrames(from offset: Int) -> (offset: Int, frame: Frame)? {
            var offset = offset
            while offset < size {
                if let frame = frame(at: offset) {
                    let next = offset + frame.size
                    if next == size || self.frame(at: next)?.isLike(frame) == true { return (offset, frame) }
                }
                offset += 1
            }
            return nil
        }
    }
}
