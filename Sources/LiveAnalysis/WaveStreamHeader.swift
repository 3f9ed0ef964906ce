import AudioDecoding
import FeatureModel

/// The header of a WAV file that comes through a pipe, so its length may be unknown.
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

    /// Whether a stream that starts with these bytes is a WAV file.
    static func isWave(_ bytes: [UInt8]) -> Bool { isRead(WaveHeader.Kind(bytes)) }

    private static func isRead(_ kind: WaveHeader.Kind?) -> Bool { kind == .riff || kind == .rf64 }

    /// Reads a header.
    ///
    /// - Parameters:
    ///   - bytes: The start of the stream.
    ///   - fileBytes: The length of all of it; nil: unknown.
    /// - Returns: Nil where more bytes are needed.
    /// - Throws: The reason why it cannot be used, in words.
    static func read(_ bytes: [UInt8], fileBytes: Int? = nil) throws(WaveStreamProblem) -> WaveStreamHeader? {
        guard bytes.count >= signatureBytes else { return nil }
        guard let header = WaveHeader(bytes, limit: maximumBytes), isRead(header.kind) else {
            throw WaveStreamProblem("expected a WAV header, found other bytes")
        }
        guard let data = header.data else {
            guard let end = header.end, end <= maximumBytes else {
                throw WaveStreamProblem(
                    "the samples do not start within the first \(maximumBytes) bytes of the WAV file")
            }
            return nil
        }
        // Only now: of several chunks 'fmt ', the last one counts.
        guard let format = try self.format(header) else {
            throw WaveStreamProblem("the WAV header has no chunk 'fmt ' before its samples")
        }
        return WaveStreamHeader(
            format: format, byteCount: data.start, dataBytes: length(header, format, start: data.start, fileBytes))
    }

    /// The header's length of samples; nil where it is what programs write that do not know it.
    ///
    /// ffmpeg writes all ones, and in RF64 zeros; sox 0x7FFFF000, cut to whole samples; arecord 0x80000000, others a little
    /// less; a program that was killed before it wrote the length leaves 0. Some of these are possible lengths: a file that is
    /// as long as its header says is believed.
    private static func length(_ header: WaveHeader, _ format: LiveFormat, start: Int, _ fileBytes: Int?) -> Int? {
        let doubtful = [
            0...0, 0x7FFF_F000 - format.frameBytes...0x8000_0000, 0xFFFF_F000...WaveHeader.allOnes, 1 << 60...Int.max,
        ]
        let length = Int(clamping: header.dataBytes ?? 0)
        guard doubtful.contains(where: { $0.contains(length) }) else { return length }
        guard let fileBytes, length <= fileBytes - start else { return nil }
        return Int(clamping: header.fileBytes) == fileBytes - 8 ? length : nil
    }

    /// What the samples are like; nil: the header does not say it, or not yet.
    private static func format(_ header: WaveHeader) throws(WaveStreamProblem) -> LiveFormat? {
        guard let chunk = header.formatChunk else { return nil }
        guard let wave = header.format else {
            guard chunk.size < WaveFormat.minimumBytes else { return nil }
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
}

/// Why a WAV header cannot be used.
struct WaveStreamProblem: Error, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

extension LiveFormat {
    /// The header of a WAV file of such samples that comes through a pipe: it leaves their number open.
    package var waveHeader: [UInt8] { WaveStreamHeader.open(self) }
}

extension WaveStreamHeader {
    /// A header for an unknown number of samples.
    static func open(_ format: LiveFormat) -> [UInt8] {
        WaveHeaderBytes.header(
            isFloat: format.encoding == .f32le || format.encoding == .f64le, sampleBytes: format.encoding.bytes,
            sampleRate: format.sampleRate, channels: format.channels, dataBytes: nil)
    }

    /// A header with the true length of the samples after it.
    ///
    /// - Parameters:
    ///   - header: All bytes before the samples.
    ///   - dataBytes: The bytes of the samples.
    /// - Returns: The header, as long as before; nil where it has no room for the length.
    static func closed(_ header: [UInt8], _ format: LiveFormat, dataBytes: Int) -> [UInt8]? {
        guard let chunks = WaveHeader(header, limit: header.count), isRead(chunks.kind),
            chunks.data?.start == header.count
        else { return nil }
        let fileBytes = header.count - 8 + dataBytes + dataBytes % 2
        let frames = dataBytes / format.frameBytes
        var result = header
        func put(_ number: Int, at offset: Int, bytes count: Int) {
            result.replaceSubrange(offset..<offset + count, with: WaveHeaderBytes.bytes(number, count))
        }
        if let fact = chunks.fact, fact.size >= 4 {
            put(min(frames, WaveHeader.allOnes), at: fact.start, bytes: 4)
        }
        if let long = chunks.lengths?.chunk {
            for (index, number) in [fileBytes, dataBytes, frames].enumerated() {
                put(number, at: long.start + 8 * index, bytes: 8)
            }
        }
        let isLong = chunks.lengths != nil
        guard isLong || fileBytes < WaveHeader.allOnes else { return nil }
        put(isLong ? WaveHeader.allOnes : fileBytes, at: 4, bytes: 4)
        put(isLong ? WaveHeader.allOnes : dataBytes, at: header.count - 4, bytes: 4)
        return result
    }
}
