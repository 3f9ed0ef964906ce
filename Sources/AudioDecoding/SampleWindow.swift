import FeatureModel

/// The last samples of a recording that is decoded forward, for parts that overlap the one before.
final class SampleWindow {
    /// Bytes of a frame.
    let frameSize: Int
    /// The first frame that is kept.
    private(set) var start = 0
    /// Frames before this one may be dropped.
    private var anchor = 0
    private var bytes: UnsafeMutableRawBufferPointer
    private var count = 0

    /// Bytes at the start, and at most: as many as parts of three minutes need at 48 kHz.
    private static let (initialSize, maximumSize) = (1 << 20, 1 << 25)

    init(frameSize: Int) {
        self.frameSize = frameSize
        bytes = .allocate(byteCount: max(Self.initialSize, 4 * frameSize), alignment: 64)
    }

    deinit { bytes.deallocate() }

    /// The frame after the last whole one.
    var end: Int { start + count / frameSize }

    /// Forgets everything: decoding starts again.
    func reset() { (start, anchor, count) = (0, 0, 0) }

    /// Keeps the frames from this one on, as far as there is space.
    func keep(from frame: Int) { anchor = frame }

    /// The free space after the last byte: one frame or more.
    func freeSpace() -> UnsafeMutableRawBufferPointer {
        if bytes.count - count < bytes.count / 4 {
            drop(before: anchor)
            if bytes.count - count < bytes.count / 4 {
                if bytes.count < Self.maximumSize { grow() } else { drop(before: start + bytes.count / 2 / frameSize) }
            }
        }
        return UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
    }

    /// Takes over bytes that were written into the free space.
    func add(_ added: Int) { count += added }

    /// Replaces everything by bytes from an offset on.
    func dropBytes(_ offset: Int) {
        bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[offset..<count]))
        count -= offset
    }

    /// Everything so far.
    var contents: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[..<count]) }

    /// Copies frames that are there.
    func copy(from frame: Int, count frames: Int, to samples: UnsafeMutablePointer<Float>) {
        let source = bytes[((frame - start) * frameSize)...].prefix(frames * frameSize)
        UnsafeMutableRawBufferPointer(start: samples, count: source.count)
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: source))
    }

    /// Reads frames from a position on, and moves it past them.
    ///
    /// - Parameter decode: Adds frames after the last one; false: there are no more.
    /// - Returns: The number of frames; fewer than `frames` only at the end of the recording.
    func read(
        _ position: inout Int, into samples: UnsafeMutablePointer<Float>, frames: Int,
        decode: () throws(ClipFailure) -> Bool
    ) throws(ClipFailure) -> Int {
        let channels = frameSize / MemoryLayout<Float>.size
        var done = 0
        while done < frames {
            guard position < end else {
                guard try decode() else { break }
                continue
            }
            let count = min(frames - done, end - position)
            copy(from: position, count: count, to: samples + done * channels)
            position += count
            done += count
        }
        return done
    }

    private func drop(before frame: Int) {
        let frames = min(max(frame - start, 0), count / frameSize)
        guard frames > 0 else { return }
        dropBytes(frames * frameSize)
        start += frames
    }

    private func grow() {
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * bytes.count, alignment: 64)
        larger.copyMemory(from: contents)
        bytes.deallocate()
        bytes = larger
    }
}
