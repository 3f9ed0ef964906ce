import CKernels
import FeatureModel
import FileIO
import Platform

/// A plain WAV file (see `PlainWaveHeader`), with the same samples as libsndfile's.
final class PlainWaveFile: SampleSource {
    let path: String
    var sampleRate: Int { header.sampleRate }
    var channels: Int { header.channels }
    var frameCount: Int? { header.frameCount }
    var isFrameCountEstimated: Bool { false }
    var seeksExactly: Bool { true }
    var libraries: Set<DecodingLibrary> { [] }
    var isAlwaysFinite: Bool { header.encoding == .pcm16 }
    // The sizes in a plain file's header add up to its own.
    var cutOff: CutOff? { nil }
    var earlyEnd: CutOff? { nil }

    private let header: PlainWaveHeader
    private let file: RegularFile
    private let buffer: ReadBuffer
    private var position = 0
    private let kernels = veery_kernels_best()

    /// Opens a recording; nil where it cannot be opened or is not plain.
    ///
    /// - Parameters:
    ///   - status: Of its bytes just now.
    ///   - path: What it is called.
    ///   - buffer: Used by this file alone while it lives.
    init?(_ content: FileContent, _ status: ContentStatus?, path: String, buffer: ReadBuffer) {
        // A pipe is not even opened: its writer would take that for a reader.
        guard status?.file.isRegular == true, let file = RegularFile(content) else { return nil }
        buffer.clear()
        // A file named like a WAV is read by one call; of others, just enough to see that they are not WAVs.
        let isNamedSo = path.utf8.suffix(4).elementsEqual(".wav".utf8) || path.utf8.suffix(4).elementsEqual(".WAV".utf8)
        guard let start = buffer.bytes(at: 0, count: 16, of: file, ahead: isNamedSo), PlainWaveHeader.isWave(start),
            let bytes = buffer.bytes(at: 0, count: min(file.size, ReadBuffer.capacity), of: file),
            let header = PlainWaveHeader(bytes, fileSize: file.size)
        else { return nil }
        self.path = path
        self.header = header
        self.file = file
        self.buffer = buffer
    }

    func seek(to frame: Int) throws(ClipFailure) { position = min(max(frame, 0), header.frameCount) }

    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(ClipFailure) -> Int {
        let size = header.frameSize
        let wanted = min(frames, header.frameCount - position)
        var done = 0
        while done < wanted {
            let count = min(wanted - done, ReadBuffer.capacity / size)
            let offset = header.dataOffset + position * size
            guard let bytes = buffer.bytes(at: offset, count: count * size, of: file) else {
                throw .cannotRead(SystemCallError(errno))
            }
            let found = bytes.count / size
            convert(bytes, count: found * header.channels, into: samples + done * header.channels)
            position += found
            done += found
            // The file has been truncated since.
            guard found == count else { break }
        }
        return done
    }

    private func convert(_ bytes: UnsafeRawBufferPointer, count: Int, into samples: UnsafeMutablePointer<Float>) {
        switch header.encoding {
        case .pcm16:
            if let start = bytes.baseAddress { kernels.pointee.pcm16(start, count, samples) }
        case .float32:
            for index in 0..<count {
                let bits = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
                samples[index] = Float(bitPattern: bits)
            }
        }
    }
}

/// The header of a plain WAV file: RIFF, 16-bit PCM or 32-bit floating point, well-formed chunks.
///
/// Most recordings are plain, and reading them without libsndfile takes a third of the time. Anything else is left to
/// libsndfile.
struct PlainWaveHeader: Equatable {
    /// How a sample is stored, little-endian.
    enum Encoding: Int {
        case pcm16 = 2
        case float32 = 4
    }

    let encoding: Encoding
    let sampleRate: Int
    let channels: Int
    /// Offset of the samples in bytes.
    let dataOffset: Int
    /// Number of frames, at least 1.
    let frameCount: Int

    var frameSize: Int { channels * encoding.rawValue }

    /// Whether a file with these first sixteen bytes is a WAV file.
    static func isWave(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count == 16 && WaveHeader.Kind(bytes) == .riff && bytes.has("fmt ", at: 12)
    }

    /// Reads the header; nil where the file is not plain.
    ///
    /// - Parameters:
    ///   - bytes: The start of the file, or all of it.
    ///   - fileSize: Length of the file in bytes.
    init?(_ bytes: UnsafeRawBufferPointer, fileSize: Int) {
        guard let header = WaveHeader(bytes), header.kind == .riff, Int(clamping: header.fileBytes) == fileSize - 8,
            let chunk = header.formatChunk, chunk.offset == 12, [16, 18].contains(chunk.size), let wave = header.format
        else { return nil }
        switch (wave.tag, wave.bits) {
        case (1, 16): encoding = .pcm16
        case (3, 32): encoding = .float32
        default: return nil
        }
        (channels, sampleRate) = (wave.channels, wave.sampleRate)
        let frameSize = channels * encoding.rawValue
        guard (1...64).contains(channels), (1...1_000_000).contains(sampleRate), wave.frameBytes == frameSize else {
            return nil
        }
        guard let data = header.data, data.size > 0, Int(data.size) % frameSize == 0 else { return nil }
        var end = chunk.start + Int(chunk.size)
        let walk = ChunkWalk(bytes, start: end)
        for chunk in walk {
            guard let next = chunk.end,
                chunk.offset == data.offset || Self.isHarmless(chunk, in: walk, channels: channels)
            else { return nil }
            end = next
        }
        guard end == fileSize else { return nil }
        dataOffset = data.start
        frameCount = Int(data.size) / frameSize
    }

    /// Whether libsndfile skips a chunk by its size, or it is well-formed and without effect on the samples.
    private static func isHarmless(
        _ chunk: HeaderChunk, in walk: ChunkWalk<UnsafeRawBufferPointer>, channels: Int
    ) -> Bool {
        if ["JUNK", "PAD ", "FLLR"].contains(where: { walk.has($0, chunk) }) { return true }
        if walk.has("fact", chunk) { return chunk.size == 4 }
        if walk.has("PEAK", chunk) { return chunk.size == 8 + 8 * channels }
        let end = chunk.start + Int(chunk.size)
        guard walk.has("LIST", chunk), chunk.size >= 4, end <= walk.source.count,
            walk.source.has("INFO", at: chunk.start)
        else { return false }
        let list = UnsafeRawBufferPointer(rebasing: walk.source[..<end])
        return ChunkWalk(list, start: chunk.start + 4).reduce(chunk.start + 4) { $1.end ?? .max } == end
    }
}
