import CKernels
import FeatureModel
import Platform

/// A plain WAV file (see `PlainWaveHeader`), read with the same samples as by libsndfile.
final class PlainWaveFile: SampleSource {
    let path: String
    var sampleRate: Int { header.sampleRate }
    var channels: Int { header.channels }
    var frameCount: Int? { header.frameCount }
    var isFrameCountEstimated: Bool { false }
    var seeksExactly: Bool { true }
    var isAlwaysFinite: Bool { header.encoding == .pcm16 }
    // A header whose sizes do not add up to the file's is none of a plain file.
    var cutOff: CutOff? { nil }
    var earlyEnd: CutOff? { nil }

    private let header: PlainWaveHeader
    private let descriptor: Int32
    private let buffer: ReadBuffer
    private var position = 0
    private let kernels = veery_kernels_best()

    /// Opens a file; nil where it cannot be opened, or is not as plain as that.
    ///
    /// - Parameter buffer: Used by this file alone for as long as it lives.
    init?(path: String, buffer: ReadBuffer) {
        // Not even opened, if it is a pipe: its writer would take that for a reader.
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        buffer.clear()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let start = buffer.bytes(at: 0, count: 16, of: descriptor, ahead: false), PlainWaveHeader.begins(start),
            let bytes = buffer.bytes(at: 0, count: min(Int(status.st_size), ReadBuffer.capacity), of: descriptor),
            let header = PlainWaveHeader(bytes, fileSize: Int(status.st_size))
        else {
            close(descriptor)
            return nil
        }
        self.path = path
        self.header = header
        self.descriptor = descriptor
        self.buffer = buffer
    }

    deinit { close(descriptor) }

    func seek(to frame: Int) throws(ClipFailure) { position = min(max(frame, 0), header.frameCount) }

    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(ClipFailure) -> Int {
        let size = header.frameSize
        let wanted = min(frames, header.frameCount - position)
        var done = 0
        while done < wanted {
            let count = min(wanted - done, ReadBuffer.capacity / size)
            let offset = header.dataOffset + position * size
            guard let bytes = buffer.bytes(at: offset, count: count * size, of: descriptor) else {
                throw .cannotRead(SystemCallError(errno))
            }
            let found = bytes.count / size
            convert(bytes, count: found * header.channels, into: samples + done * header.channels)
            position += found
            done += found
            // The file was truncated meanwhile.
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
