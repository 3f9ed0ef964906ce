/// The last samples of a recording that is decoded forward: a part that overlaps the one before is there.
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

    /// The frame behind the last whole one.
    var end: Int { start + count / frameSize }

    /// Forgets everything: decoding starts again.
    func reset() { (start, anchor, count) = (0, 0, 0) }

    /// Keeps the frames from this one on, as far as there is room.
    func keep(from frame: Int) { anchor = frame }

    /// Room behind the last byte, for at least one frame.
    func room() -> UnsafeMutableRawBufferPointer {
        if bytes.count - count < bytes.count / 4 {
            drop(before: anchor)
            if bytes.count - count < bytes.count / 4 {
                if bytes.count < Self.maximumSize { grow() } else { drop(before: start + bytes.count / 2 / frameSize) }
            }
        }
        return UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
    }

    /// Takes over bytes that were written into the room.
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
