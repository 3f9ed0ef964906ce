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
        // What is named so is read by one call; of another file, only what tells that it is none.
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
        bytes.count == 16 && bytes[..<4].elementsEqual("RIFF".utf8) && bytes[8...].elementsEqual("WAVEfmt ".utf8)
    }

    /// Reads the header; nil where the file is not plain.
    ///
    /// - Parameters:
    ///   - bytes: The start of the file, or all of it.
    ///   - fileSize: Length of the file in bytes.
    init?(_ bytes: UnsafeRawBufferPointer, fileSize: Int) {
        func text(_ offset: Int) -> [UInt8] { Array(bytes[offset..<offset + 4]) }
        func long(_ offset: Int) -> Int {
            Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
        }
        func short(_ offset: Int) -> Int {
            Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
        }
        guard bytes.count >= 44, Self.isWave(UnsafeRawBufferPointer(rebasing: bytes[..<16])),
            long(4) + 8 == fileSize, [16, 18].contains(long(16))
        else { return nil }
        switch (format: short(20), bits: short(34)) {
        case (1, 16): encoding = .pcm16
        case (3, 32): encoding = .float32
        default: return nil
        }
        channels = short(22)
        sampleRate = long(24)
        guard (1...64).contains(channels), (1...1_000_000).contains(sampleRate),
            short(32) == channels * encoding.rawValue
        else { return nil }
        let channels = channels
        /// Chunks that libsndfile skips by their size, and well-formed ones without effect on the samples.
        func isHarmless(_ name: [UInt8], _ start: Int, _ size: Int) -> Bool {
            switch String(decoding: name, as: UTF8.self) {
            case "JUNK", "PAD ", "FLLR": return true
            case "fact": return size == 4
            case "PEAK": return size == 8 + 8 * channels
            case "LIST":
                guard size >= 4, start + size <= bytes.count, text(start) == Array("INFO".utf8) else { return false }
                var offset = start + 4
                while offset < start + size {
                    guard offset + 8 <= start + size else { return false }
                    let length = long(offset + 4)
                    offset += 8 + length + length % 2
                }
                return offset == start + size
            default: return false
            }
        }
        var offset = 20 + long(16)
        var data: (offset: Int, size: Int)?
        while offset < fileSize {
            guard offset + 8 <= bytes.count else { return nil }
            let (name, size) = (text(offset), long(offset + 4))
            if name == Array("data".utf8) {
                guard data == nil else { return nil }
                data = (offset + 8, size)
            } else if !isHarmless(name, offset + 8, size) {
                return nil
            }
            offset += 8 + size + size % 2
        }
        let frameSize = channels * encoding.rawValue
        guard offset == fileSize, let data, data.size > 0, data.size % frameSize == 0 else { return nil }
        dataOffset = data.offset
        frameCount = data.size / frameSize
    }
}
