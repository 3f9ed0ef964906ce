import FeatureModel

/// An open recording that samples can be read from.
protocol SampleSource: AnyObject {
    var path: String { get }
    /// Sample rate in Hz.
    var sampleRate: Int { get }
    var channels: Int { get }
    /// Number of frames (samples in each channel) by the header; nil: not given.
    var frameCount: Int? { get }
    /// Whether that is an estimate.
    var isFrameCountEstimated: Bool { get }
    /// What is missing at the end by the header; nil: nothing.
    var cutOff: CutOff? { get }
    /// What is missing at the end by the last read; nil: it ended where it should, or has not ended.
    var earlyEnd: CutOff? { get }
    /// How the recording differs from what its own header says.
    var remarks: RecordingRemarks { get }
    /// Whether samples are independent of where reading started.
    var seeksExactly: Bool { get }

    /// The libraries that decode it.
    var libraries: Set<DecodingLibrary> { get }

    /// Whether the encoding has no infinities and NaNs, so that no check is needed.
    var isAlwaysFinite: Bool { get }

    /// Called before a part of the recording is read, not all of it. `frameCount` and `cutOff` may be known better then.
    func prepareForSegments() throws(ClipFailure)

    /// Seeks to a frame, counted from 0.
    func seek(to frame: Int) throws(ClipFailure)

    /// The failure at the end of the recording, which its header does not show; nil: none.
    func failureAtEnd() -> ClipFailure?

    /// Reads up to `frames` frames, interleaved, on the unit scale; returns how many, 0 at the end.
    func read(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(ClipFailure) -> Int
}

extension SampleSource {
    var remarks: RecordingRemarks { [] }

    /// Nothing: all is known from the header.
    func prepareForSegments() {}

    /// None.
    func failureAtEnd() -> ClipFailure? { nil }
}
