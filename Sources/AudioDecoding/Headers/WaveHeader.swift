/// What the header of a WAV says: the chunks from its start to its samples, in RIFF, RIFX, RF64 or BW64.
///
/// What to make of it is for who reads it: a file, or a stream of which only the start has come.
package struct WaveHeader {
    /// The first four letters.
    package enum Kind: String {
        case riff = "RIFF"
        /// With big-endian numbers.
        case rifx = "RIFX"
        case rf64 = "RF64"
        case bw64 = "BW64"

        /// Nil where the bytes do not start like a WAV of any kind.
        package init?<Source: HeaderSource>(_ source: Source) {
            let kinds: [Kind] = [.riff, .rf64, .rifx, .bw64]
            guard source.has("WAVE", at: 8), let kind = kinds.first(where: { source.has($0.rawValue, at: 0) }) else {
                return nil
            }
            self = kind
        }

        var isBigEndian: Bool { self == .rifx }
        /// Whether lengths may have 64 bits, in the chunk 'ds64'.
        var isLong: Bool { self == .rf64 || self == .bw64 }
    }

    /// Lengths of 64 bits.
    package struct Lengths {
        package let chunk: HeaderChunk
        /// Of all that follows the first 8 bytes.
        let file: UInt64
        /// Of the samples.
        let data: UInt64
    }

    /// A length of 32 bits that is unknown, or is in the chunk 'ds64'.
    package static let allOnes = 0xFFFF_FFFF

    package let kind: Kind
    /// The length of all that follows the first 8 bytes.
    private let shortFileBytes: UInt64
    /// The chunk 'fmt '; of several, the last before the samples.
    package private(set) var formatChunk: HeaderChunk?
    /// What it says; nil: it is too short, or not there to its end.
    package private(set) var format: WaveFormat?
    /// The chunk 'fact'.
    package private(set) var fact: HeaderChunk?
    /// The chunk 'ds64' of kinds that may have one.
    package private(set) var lengths: Lengths?
    /// The chunk with the samples; nil: the bytes end before it, or there are too many others.
    package private(set) var data: HeaderChunk?
    /// Where the chunk after the last that was read starts; nil: far past the end of any file.
    package private(set) var end: Int? = 12

    /// Reads the start of a WAV as far as it is there; nil: the file is not a WAV.
    ///
    /// - Parameter limit: An offset in bytes: chunks that start after it are not read. Nil: the first 10,000 chunks are read.
    package init?<Source: HeaderSource>(_ source: Source, limit: Int? = nil) {
        guard let kind = Kind(source) else { return nil }
        self.kind = kind
        shortFileBytes = source.number(at: 4, 4, isBigEndian: kind.isBigEndian) ?? 0
        let walk = ChunkWalk(source, isBigEndian: kind.isBigEndian, maximum: limit ?? 10_000)
        for chunk in walk {
            end = chunk.end
            if walk.has("data", chunk) {
                data = chunk
                return
            } else if walk.has("fmt ", chunk) {
                (formatChunk, format) = (chunk, WaveFormat(source, chunk, isBigEndian: kind.isBigEndian))
            } else if walk.has("fact", chunk) {
                fact = chunk
            } else if kind.isLong, chunk.size >= 24, walk.has("ds64", chunk),
                let file = source.number(at: chunk.start, 8, isBigEndian: false),
                let data = source.number(at: chunk.start + 8, 8, isBigEndian: false)
            {
                lengths = Lengths(chunk: chunk, file: file, data: data)
            }
            if let limit, let end, end > limit { return }
        }
    }

    /// The chunk 'ds64' where the length of the samples is there.
    var longLengths: Lengths? {
        data.flatMap { $0.size == 0 || $0.size == Self.allOnes ? lengths : nil }
    }

    /// Bytes of samples, as stated; nil: their chunk was not read.
    package var dataBytes: UInt64? { longLengths?.data ?? data?.size }

    /// Bytes of all that follows the first 8, as stated.
    package var fileBytes: UInt64 { longLengths?.file ?? shortFileBytes }
}

/// What the chunk 'fmt ' of a WAV says.
package struct WaveFormat {
    /// The kind of samples: 1 for integers, 3 for floating point.
    package let tag: Int
    package let channels: Int
    /// In Hz.
    package let sampleRate: Int
    package let frameBytes: Int
    /// Of a sample.
    package let bits: Int

    /// Bytes that every such chunk has.
    package static let minimumBytes = 16

    /// Reads a chunk; nil where it is too short, or not there to its end.
    fileprivate init?<Source: HeaderSource>(_ source: Source, _ chunk: HeaderChunk, isBigEndian: Bool) {
        func number(_ offset: Int, _ width: Int) -> Int? {
            source.number(at: chunk.start + offset, width, isBigEndian: isBigEndian).map(Int.init)
        }
        guard chunk.size >= Self.minimumBytes, let tag = number(0, 2), let channels = number(2, 2),
            let rate = number(4, 4), let frameBytes = number(12, 2), let bits = number(14, 2)
        else { return nil }
        (self.channels, sampleRate, self.frameBytes, self.bits) = (channels, rate, frameBytes, bits)
        // In the extended form, the kind of samples comes first in a further field.
        guard tag == 0xFFFE, chunk.size >= 26 else {
            self.tag = tag
            return
        }
        guard let kind = number(24, 2) else { return nil }
        self.tag = kind
    }
}
