import Archives
import FeatureModel
import FileIO

/// The comparison of a sound file with what was written to it: the sizes in its header, and its samples; where the encoding does
/// not keep these, their number.
///
/// Programs read a size of 0 or −1 as that of a pipe, up to the end of the file. A file that was completed has exact sizes.
struct WrittenSound {
    let path: String
    let format: SoundFileFormat
    let sampleRate: Int
    let channels: Int
    let frames: Int
    /// The checksum of the samples: integers in the upper bits of 32, or `Float`; nil: the encoding does not keep them.
    let digest: CRC32?

    /// What is not as it was written.
    struct Difference: Error {
        let reason: String
        let isSystemFault: Bool
    }

    private static let blockSamples = 65_536

    /// Reads the file.
    ///
    /// - Returns: Its tags.
    /// - Complexity: Decodes the file.
    func run() throws(Difference) -> [SoundFileTag: String] {
        let file = try reading { () throws(ClipFailure) in try SoundFile(path: path) }
        guard file.frameCount == frames, file.channels == channels, file.sampleRate == sampleRate else {
            throw difference(
                "expected \(frames) frames of \(channels) channels at \(sampleRate) Hz, found "
                    + "\(file.frameCount.map(String.init) ?? "an unknown number") of \(file.channels) at \(file.sampleRate) Hz"
            )
        }
        try checkHeader()
        let tags = file.tags
        let found = try reading { () throws(ClipFailure) in try decode(file) }
        guard found.frames == frames else {
            throw difference("expected \(frames) frames, found \(found.frames)")
        }
        if let digest, found.digest != digest { throw difference("its samples are others") }
        return tags
    }

    private func decode(_ file: SoundFile) throws(ClipFailure) -> (frames: Int, digest: CRC32) {
        let capacity = max(1, Self.blockSamples / channels)
        // A number, integer or not, of 32 bits.
        let samples = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 * capacity * channels, alignment: 64)
        defer { samples.deallocate() }
        let floats = samples.bindMemory(to: Float.self)
        var found = CRC32()
        var total = 0
        while let start = floats.baseAddress {
            let isInteger = digest != nil && format.encoding?.integerBits != nil
            let count =
                isInteger
                ? try file.readIntegers(into: UnsafeMutableRawPointer(start), frames: capacity)
                : try file.read(into: start, frames: capacity)
            guard count > 0 else { break }
            total += count
            if digest != nil { found.update(UnsafeRawBufferPointer(rebasing: samples[..<(4 * count * channels)])) }
        }
        return (total, found)
    }

    /// Compares every size that the header gives.
    private func checkHeader() throws(Difference) {
        guard let header = HeaderBytes(.file(path)) else { throw difference("it cannot be opened again") }
        if format.isFLAC {
            // The last 36 bits of these eight bytes of STREAMINFO.
            let stated = header.number(at: 18, 8, isBigEndian: true).map { Int($0 & 0xF_FFFF_FFFF) }
            guard stated == frames else { throw size(stated, frames) }
            // The largest size of a block, the sizes of the smallest and the largest frame in bytes, and the MD5 of all samples; 0 is
            // unknown, as before the end of the file.
            let sizes = header.number(at: 10, 8, isBigEndian: true) ?? 0
            let hasDigest = header.bytes(at: 26, 16)?.contains { $0 != 0 } ?? false
            guard frames == 0 || hasDigest && sizes & 0xFF_FFFF != 0 && sizes >> 24 & 0xFF_FFFF != 0 else {
                throw difference("its header is that of a file which is not complete")
            }
        }
        guard let data = SampleData.find(header) else { return }
        // Compressed, it is as long as the file, except what may follow.
        let bytes = format.encoding?.bytes.map { $0 * frames * channels } ?? data.promised ?? -1
        guard bytes >= 0, bytes <= data.present else { throw size(data.promised, bytes) }
        for field in data.fields {
            let expected =
                switch field.meaning {
                case .data(let more): bytes + more
                case .file(let start): header.fileSize - start
                case .frames: frames
                }
            let stated = header.number(at: field.offset, field.width, isBigEndian: field.isBigEndian)
            guard stated == UInt64(clamping: expected) else { throw size(stated.map { Int(clamping: $0) }, expected) }
        }
    }

    private func size(_ found: Int?, _ expected: Int) -> Difference {
        difference("expected a size of \(expected) in its header, found \(found.map(String.init) ?? "none")")
    }

    /// In a lossless format, every bit of the samples is known: a difference is a fault of the disk. In a lossy one, the codec may
    /// have caused it, and would do so again.
    private func difference(_ reason: String) -> Difference {
        Difference(reason: reason, isSystemFault: digest != nil)
    }

    private func reading<Value>(_ body: () throws(ClipFailure) -> Value) throws(Difference) -> Value {
        do { return try body() } catch {
            throw Difference(reason: error.reason, isSystemFault: digest != nil || error.isOfSystem)
        }
    }
}

extension ClipFailure {
    /// Whether the system refused: of a file that was just written, any such error is the system's fault.
    fileprivate var isOfSystem: Bool {
        switch self {
        case .cannotOpen, .cannotRead, .notDecodable(_, .some): true
        default: false
        }
    }
}

extension SoundFileFormat {
    /// Whether samples that were written are read back to the last bit, once they are rounded to the encoding's width.
    var keepsSamples: Bool {
        switch encoding {
        case .signed8, .unsigned8, .pcm16, .pcm24, .pcm32, .float, .double, .alac16: true
        // libsndfile 1.2 does not read back all bits of longer ALAC where a packet cannot be compressed, as of noise.
        case .muLaw, .aLaw, .alac20, .alac24, .alac32, .vorbis, .opus, .mpegLayer3, nil: false
        }
    }
}
