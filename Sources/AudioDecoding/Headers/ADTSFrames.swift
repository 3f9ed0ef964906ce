import FileIO

/// The frames of AAC without a container (ADTS), counted by their headers: ffmpeg only estimates the length by the bit rate.
///
/// Costs one read of the file.
struct ADTSFrames {
    /// Of the headers, in Hz. Samples have twice that rate where a decoder finds the upper half of the spectrum encoded apart.
    let sampleRate: Int
    /// Samples of each channel at that rate.
    let sampleCount: Int

    private static let headerBytes = 7
    private static let samples = 1024
    private static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
    ]

    /// Counts all frames; nil where there are other bytes between them, or another stream: then ffmpeg has to know.
    init?(_ content: FileContent) {
        guard let header = HeaderBytes(content), let file = RegularFile(content) else { return nil }
        let buffer = ReadBuffer()
        var offset = header.leadingTagsSize
        var (count, first): (Int, [UInt8]?) = (0, nil)
        while offset + Self.headerBytes <= file.size,
            let bytes = buffer.bytes(at: offset, count: Self.headerBytes, of: file), bytes.count == Self.headerBytes
        {
            guard bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { break }
            // Profile, rate and channels are those of the first frame.
            let fixed = [bytes[1] & 0xFE, bytes[2] & 0xFD, bytes[3] & 0xC0]
            guard first == nil || first == fixed else { return nil }
            first = fixed
            let size = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5] >> 5)
            guard size >= Self.headerBytes, offset + size <= file.size else { return nil }
            count += (Int(bytes[6] & 3) + 1) * Self.samples
            offset += size
        }
        let rate = first.map { Int($0[1] >> 2 & 15) } ?? Self.rates.count
        let isTag = file.size - offset == SourceLayout.trailerBytes && header.has("TAG", at: offset)
        guard count > 0, rate < Self.rates.count, offset == file.size || isTag else { return nil }
        (sampleRate, sampleCount) = (Self.rates[rate], count)
    }
}
