import FeatureModel

/// A recording whose samples depend, in their last bits, on where decoding started (MP3): it is always decoded from its first
/// sample on, so that a part is exactly the samples that the whole recording has there.
///
/// Parts in rising order are read in one pass, also if they overlap. One that starts earlier starts decoding again.
final class ForwardRecording: SampleSource {
    private let file: SoundFile
    private let window: SampleWindow
    private var position = 0
    private var isAtEnd = false

    var path: String { file.path }
    var sampleRate: Int { file.sampleRate }
    var channels: Int { file.channels }
    var frameCount: Int? { file.frameCount }
    var isFrameCountEstimated: Bool { file.isFrameCountEstimated }
    var cutOff: CutOff? { file.cutOff }
    private(set) var earlyEnd: CutOff?
    var seeksExactly: Bool { true }
    var libraries: Set<DecodingLibrary> { file.libraries }
    var isAlwaysFinite: Bool { false }

    private static let blockFrames = 16_384

    /// Takes over an open recording.
    ///
    /// - Throws: `ClipFailure` where something was read of it and it cannot be opened again.
    init(_ file: SoundFile) throws(ClipFailure) {
        if !file.isAtStart { try file.restart() }
        self.file = file
        window = SampleWindow(frameSize: file.channels * MemoryLayout<Float>.size)
    }

    func failureAtEnd() -> ClipFailure? { file.failureAtEnd() }

    func seek(to frame: Int) throws(ClipFailure) {
        earlyEnd = nil
        if frame < window.start { try restart() }
        window.keep(from: frame)
        while frame > window.end {
            guard try decode() else {
                throw file.earlyEnd.map { .cutOff($0) } ?? .endsBefore(frame: frame, end: window.end)
            }
        }
        position = frame
    }

    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(ClipFailure) -> Int {
        var position = position
        let count = try window.read(&position, into: samples, frames: frames) { () throws(ClipFailure) in try decode() }
        self.position = position
        if count < frames { earlyEnd = file.earlyEnd }
        return count
    }

    private func restart() throws(ClipFailure) {
        try file.restart()
        window.reset()
        isAtEnd = false
    }

    /// Decodes further samples into the window; returns false at the end.
    private func decode() throws(ClipFailure) -> Bool {
        guard !isAtEnd else { return false }
        let room = window.room().bindMemory(to: Float.self)
        guard let start = room.baseAddress else { return false }
        let count: Int
        do throws(ClipFailure) {
            count = try file.read(into: start, frames: min(room.count / channels, Self.blockFrames))
        } catch {
            // Where it stands is not known.
            window.reset()
            try file.restart()
            throw error
        }
        window.add(count * window.frameSize)
        isAtEnd = count == 0
        return count > 0
    }
}
