import FeatureModel

/// A recording that is always decoded from its first sample on: so a part is exactly the samples that the whole recording has there.
///
/// Parts in rising order are read in one pass, even if they overlap: the last samples are kept. For a part before them, decoding
/// starts again.
class ForwardRecording: SampleSource {
    let path: String
    let sampleRate: Int
    let channels: Int
    let libraries: Set<DecodingLibrary>
    final var frameCount: Int?
    final var isFrameCountEstimated: Bool
    final var cutOff: CutOff?
    private(set) final var earlyEnd: CutOff?
    var seeksExactly: Bool { true }
    var isAlwaysFinite: Bool { false }

    final let window: SampleWindow
    /// Whether the last frame was decoded.
    final var isAtEnd = false
    /// Counts what is decoded and not read.
    final var skipped: SkippedSound?
    private var position = 0

    init(
        path: String, sampleRate: Int, channels: Int, libraries: Set<DecodingLibrary>, frameCount: Int?,
        isFrameCountEstimated: Bool, cutOff: CutOff?
    ) {
        (self.path, self.sampleRate, self.channels, self.libraries) = (path, sampleRate, channels, libraries)
        (self.frameCount, self.isFrameCountEstimated, self.cutOff) = (frameCount, isFrameCountEstimated, cutOff)
        // Samples have the byte order of all systems that Swift runs on.
        window = SampleWindow(frameSize: channels * MemoryLayout<Float>.size)
    }

    /// Decodes further samples into the window; returns false at the end.
    func decode() throws(ClipFailure) -> Bool { false }

    /// Decodes further samples, and drops them; returns false at the end.
    final func skip() throws(ClipFailure) -> Bool {
        let start = window.end
        guard try decode() else { return false }
        skipped?.add(frames: window.end - start, sampleRate: sampleRate)
        return true
    }

    /// Starts decoding again.
    func restart() throws(ClipFailure) {
        window.reset()
        isAtEnd = false
    }

    /// What is missing after the last frame that was decoded; nil: nothing.
    func missing() -> CutOff? { nil }

    func prepareForSegments() throws(ClipFailure) {}

    func failureAtEnd() -> ClipFailure? { nil }

    final func seek(to frame: Int) throws(ClipFailure) {
        earlyEnd = nil
        if frame < window.start { try restart() }
        window.keep(from: frame)
        while frame > window.end {
            guard try skip() else {
                throw missing().map { .cutOff($0) } ?? .endsBefore(frame: frame, end: window.end)
            }
        }
        position = frame
    }

    final func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(ClipFailure) -> Int {
        var position = position
        let count = try window.read(&position, into: samples, frames: frames) { () throws(ClipFailure) in try decode() }
        self.position = position
        if count < frames { earlyEnd = missing() }
        return count
    }
}

/// A recording of libsndfile whose samples depend, in their last bits, on where decoding started (MP3).
final class ForwardSoundFile: ForwardRecording {
    private let file: SoundFile

    private static let blockFrames = 16_384

    /// Takes over an open recording.
    ///
    /// - Throws: `ClipFailure` where something was read of it and it cannot be opened again.
    init(_ file: SoundFile) throws(ClipFailure) {
        if !file.isAtStart { try file.restart() }
        self.file = file
        super.init(
            path: file.path, sampleRate: file.sampleRate, channels: file.channels, libraries: file.libraries,
            frameCount: file.frameCount, isFrameCountEstimated: file.isFrameCountEstimated, cutOff: file.cutOff)
    }

    override func failureAtEnd() -> ClipFailure? { file.failureAtEnd() }

    override func missing() -> CutOff? { file.earlyEnd }

    override func restart() throws(ClipFailure) {
        try file.restart()
        try super.restart()
    }

    override func decode() throws(ClipFailure) -> Bool {
        guard !isAtEnd else { return false }
        let free = window.freeSpace().bindMemory(to: Float.self)
        guard let start = free.baseAddress else { return false }
        let count: Int
        do throws(ClipFailure) {
            count = try file.read(into: start, frames: min(free.count / channels, Self.blockFrames))
        } catch {
            // The position of the decoder is unknown now.
            window.reset()
            try file.restart()
            throw error
        }
        window.add(count * window.frameSize)
        isAtEnd = count == 0
        return count > 0
    }
}
