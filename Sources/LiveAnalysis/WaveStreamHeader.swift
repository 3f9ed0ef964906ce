import AudioDecoding
import FeatureModel

/// The header of a WAV file that comes through a pipe, so its length may not be filled in.
///
/// RIFF and RF64, plain and extensible formats; chunks before the samples are skipped.
struct WaveStreamHeader: Hashable {
    /// What the samples are like.
    let format: LiveFormat
    /// Bytes before the first sample.
    let byteCount: Int
    /// Bytes of samples; nil: until the stream ends.
    let dataBytes: Int?

    /// A header with more in it than this is refused.
    static let maximumBytes = 1 << 20
    /// The bytes that it takes to know whether a stream starts with such a header.
    static let signatureBytes = 12
    /// A length of all ones: it is unknown, or stands in the chunk `ds64`.
    static let allOnes = 0xFFFF_FFFF

    /// What a header says of lengths.
    private struct Lengths {
        /// Of all that follows the first 8 bytes.
        var file: Int
        /// Of the samples.
        var data: Int
    }

    /// Whether a stream that starts with these bytes is a WAV file.
    static func isWave(_ bytes: [UInt8]) -> Bool {
        (bytes.has("RIFF", at: 0) || bytes.has("RF64", at: 0)) && bytes.has("WAVE", at: 8)
    }

    /// Reads a header.
    ///
    /// - Parameters:
    ///   - bytes: The start of the stream.
    ///   - fileBytes: The length of all of it; nil: unknown.
    /// - Returns: Nil where more bytes are needed.
    /// - Throws: The reason why it cannot be used, in words.
    static func read(_ bytes: [UInt8], fileBytes: Int? = nil) throws(WaveStreamProblem) -> WaveStreamHeader? {
        guard bytes.count >= signatureBytes else { return nil }
        guard isWave(bytes) else { throw WaveStreamProblem("expected a WAV header, found other bytes") }
        var format: LiveFormat?
        var long: Lengths?
        let walk = ChunkWalk(bytes, maximum: .max)
        for chunk in walk {
            if walk.has("data", chunk) {
                guard let format else {
                    throw WaveStreamProblem("the WAV header has no chunk 'fmt ' before its samples")
                }
                var lengths = Lengths(file: number(bytes, 4, bytes: 4), data: Int(chunk.size))
                if bytes.has("RF64", at: 0), lengths.data == allOnes, let long { lengths = long }
                return WaveStreamHeader(
                    format: format, byteCount: chunk.start,
                    dataBytes: isKnown(lengths, format, start: chunk.start, fileBytes) ? lengths.data : nil)
            }
            guard let end = chunk.end, end <= maximumBytes else {
                throw WaveStreamProblem(
                    "the samples do not start within the first \(maximumBytes) bytes of the WAV file")
            }
            guard end <= bytes.count else { return nil }
            if walk.has("fmt ", chunk) {
                format = try self.format(bytes, chunk)
            } else if walk.has("ds64", chunk), chunk.size >= 16 {
                long = Lengths(
                    file: number(bytes, chunk.start, bytes: 8), data: number(bytes, chunk.start + 8, bytes: 8))
            }
        }
        return nil
    }

    /// Whether a header's length of samples is one, and not what programs write that do not know it.
    ///
    /// ffmpeg writes all ones, and in RF64 zeros; sox 0x7FFFF000, cut to whole samples; arecord 0x80000000, others a little
    /// less; a program that was killed before it filled the length in leaves 0. Some of these are possible lengths: a file
    /// that is as long as its header says is believed.
    private static func isKnown(_ lengths: Lengths, _ format: LiveFormat, start: Int, _ fileBytes: Int?) -> Bool {
        let doubtful = [0...0, 0x7FFF_F000 - format.frameBytes...0x8000_0000, 0xFFFF_F000...allOnes, 1 << 60...Int.max]
        guard doubtful.contains(where: { $0.contains(lengths.data) }) else { return true }
        guard let fileBytes, lengths.data <= fileBytes - start else { return false }
        return lengths.file == fileBytes - 8
    }

    private static func format(
        _ bytes: [UInt8], _ chunk: ChunkWalk<[UInt8]>.Chunk
    ) throws(WaveStreamProblem) -> LiveFormat {
        guard let wave = WaveFormat(bytes, chunk) else {
            throw WaveStreamProblem("expected 16 bytes or more in the WAV header's chunk 'fmt ', found \(chunk.size)")
        }
        let (tag, bits, channels, rate) = (wave.tag, wave.bits, wave.channels, wave.sampleRate)
        guard let encoding = LiveSampleEncoding(waveFormat: tag, bits: bits) else {
            throw WaveStreamProblem(
                "expected PCM of 8, 16, 24 or 32 bits or floating point of 32 or 64 bits in the WAV header, "
                    + "found format \(tag) of \(bits) bits")
        }
        guard (1...1024).contains(channels), AudioConfiguration.sampleRates.contains(rate) else {
            throw WaveStreamProblem("found \(channels) channels at \(rate) Hz in the WAV header")
        }
        guard wave.frameBytes == channels * encoding.bytes else {
            throw WaveStreamProblem(
                "expected \(channels * encoding.bytes) bytes for a frame of \(channels) \(channels == 1 ? "channel" : "channels") of \(bits) bits in "
                    + "the WAV header, found \(wave.frameBytes)")
        }
        return LiveFormat(encoding: encoding, sampleRate: rate, channels: channels)
    }

    /// The number at an offset where there is one.
    private static func number(_ bytes: [UInt8], _ offset: Int, bytes count: Int) -> Int {
        Int(clamping: bytes.number(at: offset, count, isBigEndian: false) ?? 0)
    }
}

/// Why a WAV header cannot be used.
struct WaveStreamProblem: Error, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension WaveStreamHeader {
    /// A header for an unknown number of samples.
    static func open(_ format: LiveFormat) -> [UInt8] {
        let isFloat = format.encoding == .f32le || format.encoding == .f64le
        let chunk: [[UInt8]] = [
            bytes(isFloat ? 3 : 1, 2), bytes(format.channels, 2), bytes(format.sampleRate, 4),
            bytes(format.sampleRate * format.frameBytes, 4), bytes(format.frameBytes, 2),
            bytes(8 * format.encoding.bytes, 2),
        ]
        return Array("RIFF".utf8) + bytes(allOnes, 4) + Array("WAVEfmt ".utf8) + bytes(16, 4) + chunk.joined()
            + Array("data".utf8) + bytes(allOnes, 4)
    }

    /// A header with the true length of the samples after it.
    ///
    /// - Parameters:
    ///   - header: All that stands before the samples.
    ///   - dataBytes: Of the samples.
    /// - Returns: The header, as long as before; nil where it has no room for the length.
    static func closed(_ header: [UInt8], _ format: LiveFormat, dataBytes: Int) -> [UInt8]? {
        guard isWave(header) else { return nil }
        let fileBytes = header.count - 8 + dataBytes + dataBytes % 2
        let frames = dataBytes / format.frameBytes
        var result = header
        func put(_ number: Int, at offset: Int, bytes count: Int) {
            result.replaceSubrange(offset..<offset + count, with: bytes(number, count))
        }
        var isLong = false
        let walk = ChunkWalk(header)
        for chunk in walk where chunk.offset + 8 <= header.count - 8 {
            guard chunk.start + Int(chunk.size) <= header.count else { return nil }
            if walk.has("fact", chunk), chunk.size >= 4 {
                put(min(frames, allOnes), at: chunk.start, bytes: 4)
            } else if walk.has("ds64", chunk), chunk.size >= 24, header.has("RF64", at: 0) {
                for (index, number) in [fileBytes, dataBytes, frames].enumerated() {
                    put(number, at: chunk.start + 8 * index, bytes: 8)
                }
                isLong = true
            }
        }
        guard isLong || fileBytes < allOnes else { return nil }
        put(isLong ? allOnes : fileBytes, at: 4, bytes: 4)
        put(isLong ? allOnes : dataBytes, at: header.count - 4, bytes: 4)
        return result
    }

    private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
