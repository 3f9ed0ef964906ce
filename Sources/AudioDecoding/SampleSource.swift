import FeatureModel

/// An open recording that samples can be read from.
protocol SampleSource: AnyObject {
    /// Path it was opened by.
    var path: String { get }
    /// Samples a second in each channel.
    var sampleRate: Int { get }
    /// Number of channels.
    var channels: Int { get }
    /// Frames (samples in each channel) that are there, as far as the header tells; nil where it does not say.
    var frameCount: Int? { get }
    /// Whether that is an estimate.
    var isFrameCountEstimated: Bool { get }
    /// What is missing at the end, as far as the header tells; nil: nothing.
    var cutOff: CutOff? { get }
    /// What is missing at the end, as the last read has found; nil: it found no early end.
    var earlyEnd: CutOff? { get }
    /// Whether samples do not depend on where reading started.
    var seeksExactly: Bool { get }

    /// Whether samples are numbers by the way they are stored, so that no check is needed.
    var isAlwaysFinite: Bool { get }

    /// Seeks to a frame, counted from 0.
    func seek(to frame: Int) throws(ClipFailure)

    /// Reads up to `frames` frames, interleaved, on the unit scale; returns how many, 0 at the end.
    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(ClipFailure) -> Int
}

extension SoundFile: SampleSource {
    var isAlwaysFinite: Bool { false }
}
