import FeatureModel

/// The header of a WAV file that comes through a pipe, where nobody could go back and fill in its length.
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
    static let mostBytes = 1 << 20
    /// The bytes that it takes to know whether a stream begins with such a header.
    static let signatureBytes = 12
    /// The lengths that programs write who do not know it: sox and arecord stop a little short of 2³¹.
    private static let unknownLength = 0x7FFF_0000

    /// Whether a stream that begins with these bytes is a WAV file.
    static func begins(_ bytes: some Collection<UInt8>) -> Bool {
        guard bytes.count >= signatureBytes else { return false }
        let name = Array(bytes.prefix(4))
        return (name == Array("RIFF".utf8) || name == Array("RF64".utf8))
            && bytes.dropFirst(8).prefix(4).elementsEqual("WAVE".utf8)
    }

    /// Reads a header.
    ///
    /// - Parameter bytes: The beginning of the stream.
    /// - Returns: Nil where more bytes are needed.
    /// - Throws: The reason why it cannot be used, in words.
    static func read(_ bytes: [UInt8]) throws(WaveStreamProblem) -> WaveStreamHeader? {
        guard bytes.count >= signatureBytes else { return nil }
        guard begins(bytes) else { throw WaveStreamProblem("expected a WAV header, found other bytes") }
        let isLong = bytes.starts(with: "RF64".utf8)
        var place = signatureBytes
        var format: LiveFormat?
        var longData: Int?
        while place + 8 <= bytes.count {
            let name = bytes[place..<place + 4]
            let size = number(bytes, place + 4, bytes: 4)
            let start = place + 8
            if name.elementsEqual("data".utf8) {
                guard let format else {
                    throw WaveStreamProblem("the WAV header has no chunk 'fmt ' before its samples")
                }
                return WaveStreamHeader(
                    format: format, byteCount: start, dataBytes: dataBytes(size, isLong ? longData : nil))
            }
            guard start + size + size % 2 <= mostBytes else {
                throw WaveStreamProblem("the samples do not begin within the first \(mostBytes) bytes of the WAV file")
            }
            guard start + size + size % 2 <= bytes.count else { return nil }
            if name.elementsEqual("fmt ".utf8) {
                format = try self.format(bytes[start..<start + size])
            } else if name.elementsEqual("ds64".utf8), size >= 16 {
                longData = number(bytes, start + 8, bytes: 8)
            }
            place = start + size + size % 2
        }
        return nil
    }

    /// The length of the samples by the header; a length that nobody knew is none.
    private static func dataBytes(_ size: Int, _ long: Int?) -> Int? {
        if let long, size == 0xFFFF_FFFF { return long > 0 && long < 1 << 60 ? long : nil }
        return size == 0 || size >= unknownLength ? nil : size
    }

    private static func format(_ chunk: ArraySlice<UInt8>) throws(WaveStreamProblem) -> LiveFormat {
        let bytes = Array(chunk)
        guard bytes.count >= 16 else {
            throw WaveStreamProblem("expected 16 bytes or more in the WAV header's chunk 'fmt ', found \(bytes.count)")
        }
        var tag = number(bytes, 0, bytes: 2)
        let (channels, rate) = (number(bytes, 2, bytes: 2), number(bytes, 4, bytes: 4))
        let (frameBytes, bits) = (number(bytes, 12, bytes: 2), number(bytes, 14, bytes: 2))
        // In the extensible format the tag stands at the beginning of a long name.
        if tag == 0xFFFE, bytes.count >= 26 { tag = number(bytes, 24, bytes: 2) }
        guard let encoding = LiveSampleEncoding(waveFormat: tag, bits: bits) else {
            throw WaveStreamProblem(
                "expected PCM of 8, 16, 24 or 32 bits or floating point of 32 or 64 bits in the WAV header, "
                    + "found format \(tag) of \(bits) bits")
        }
        guard (1...1024).contains(channels), AudioConfiguration.sampleRates.contains(rate) else {
            throw WaveStreamProblem("found \(channels) channels at \(rate) Hz in the WAV header")
        }
        guard frameBytes == channels * encoding.bytes else {
            throw WaveStreamProblem(
                "expected \(channels * encoding.bytes) bytes for a sample of \(channels) channel(s) of \(bits) bits in "
                    + "the WAV header, found \(frameBytes)")
        }
        return LiveFormat(encoding: encoding, sampleRate: rate, channels: channels)
    }

    private static func number(_ bytes: [UInt8], _ place: Int, bytes count: Int) -> Int {
        let value = bytes[place..<place + count].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(clamping: value)
    }
}

/// Why a WAV header cannot be used.
struct WaveStreamProblem: Error, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
