import AudioDecoding
import FeatureModel
import Resampling
import SignalProcessing

/// Turns a stream of interleaved audio, at any rate and with any number of channels, into rows of features: chooses or
/// mixes channels, resamples to `audio.sample_rate`, and continues as `FeatureStream` does.
///
/// Samples may come in pieces of any size: the rows, to the last bit, do not depend on it, and equal those of the same
/// audio read from a file. Memory does not grow with the length of the signal. What `FeatureStream` says of clips whose mean
/// or maximum has to be known holds here too. Not safe to use from two threads at once.
public final class AudioFeatureStream {
    /// What is computed, at the rate that the signal is brought to.
    public let plan: FeaturePlan
    /// Rate of the samples that come in, in Hz.
    public let inputRate: Int
    /// Interleaved channels of the samples that come in.
    public let channels: Int
    /// The stream after channels and resampling, for its `peak` and `rowBins`.
    public let features: FeatureStream

    private let mixer: ChannelMixer
    private let resampler: Resampler?
    private let signal: UnsafeMutableBufferPointer<Float>

    private static let blockFrames = 4096

    /// Makes plan, resampler and buffers.
    ///
    /// - Parameters:
    ///   - configuration: What to compute; without `audio.sample_rate`, at the rate that the samples have.
    ///   - inputRate: Rate of the samples that will come, in Hz.
    ///   - channels: Their interleaved channels, at least 1.
    /// - Throws: `ConfigurationError` where the configuration does not fit the rate, `ClipFailure` where there is no such
    ///   channel or the rates are too far apart, `SignalError` where memory runs out.
    public convenience init(_ configuration: FeatureConfiguration, inputRate: Int, channels: Int) throws {
        try self.init(configuration, inputRate: inputRate, channels: channels, lowLatency: false)
    }

    /// - Parameters:
    ///   - lowLatency: Whether resampling delays samples as little as possible, for a display. By libsoxr, the rows then
    ///   differ from those of a file by its rounding.
    ///   - keepsRests: Whether the values of rows are followed by their rests (`RowRests`), as far as the plan is precise.
    package init(
        _ configuration: FeatureConfiguration, inputRate: Int, channels: Int, lowLatency: Bool, keepsRests: Bool = false
    ) throws {
        guard AudioConfiguration.sampleRates.contains(inputRate) else {
            throw ClipFailure.rateOutOfRange(inputRate, allowed: AudioConfiguration.sampleRates)
        }
        guard channels > 0 else { throw ClipFailure.noChannels(channels) }
        guard channels == 1 || configuration.audio.channels != .all else {
            throw ConfigurationError.invalidValue(
                key: "audio.channels", found: "all",
                expected: "mix, first or a channel number: a stream becomes one signal")
        }
        if let (key, value) = configuration.rows.resizing {
            throw ConfigurationError.invalidValue(
                key: key, found: value, expected: "null: rows of a stream that has not ended are not resized")
        }
        let rate = configuration.audio.sampleRate ?? inputRate
        plan = try FeaturePlan(configuration, sampleRate: Double(rate))
        features = try FeatureStream(plan, keepsRests: keepsRests, streamsRests: keepsRests)
        mixer = try ChannelMixer(configuration.audio.channels, channels: channels)
        resampler =
            rate == inputRate
            ? nil
            : try Resampler(from: inputRate, to: rate, by: configuration.audio.resampler, lowLatency: lowLatency)
        self.inputRate = inputRate
        self.channels = channels
        signal = .allocate(capacity: Self.blockFrames)
    }

    deinit { signal.deallocate() }

    /// Starts a clip, discarding an unfinished one; see `FeatureStream.start`.
    public func start(_ level: SignalLevel = .none, peak: Float? = nil) {
        resampler?.reset()
        features.start(level, peak: peak)
    }

    /// Reads a signal before `start`, where its level has to be known (`plan.needsSurvey`): the level, as `start` takes it,
    /// follows from the samples after channels and resampling.
    ///
    /// - Parameter pieces: Hands all samples of the signal, in order and interleaved, to the closure it is given; is called once or
    ///   twice.
    /// - Throws: `ClipFailure` of stage `condition` where resampling fails, or what `pieces` throws.
    public func level(
        of pieces: ((UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void) throws(ClipFailure) -> Void
    ) throws(ClipFailure) -> SignalLevel {
        var survey = SignalSurvey(plan)
        while survey.needsPass {
            resampler?.reset()
            try pieces { samples throws(ClipFailure) in try condition(samples) { survey.push($0) } }
            try resampler?.finish { survey.push($0) }
            survey.endPass()
        }
        return survey.level
    }

    /// Takes samples and hands over the rows that they complete.
    ///
    /// - Parameters:
    ///   - interleaved: On the unit scale; whole frames of `channels` samples.
    ///   - receive: Called with whole rows, up to 16 at a time, valid during the call.
    /// - Precondition: The number of samples is a multiple of `channels`.
    /// - Throws: What `receive` throws, or `ClipFailure` of stage `condition` where resampling fails.
    public func push(
        _ interleaved: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void
    ) throws(ClipFailure) {
        try condition(interleaved) { part throws(ClipFailure) in try features.push(part, receive: receive) }
    }

    /// Chooses or mixes channels, and resamples.
    private func condition(
        _ interleaved: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void
    ) throws(ClipFailure) {
        precondition(interleaved.count % channels == 0, "a stream of \(channels) channels needs whole frames")
        guard let source = interleaved.baseAddress, let target = signal.baseAddress else { return }
        let frames = interleaved.count / channels
        var taken = 0
        while taken < frames {
            let count = min(Self.blockFrames, frames - taken)
            mixer.apply(source + taken * channels, frames: count, into: target)
            taken += count
            let piece = UnsafeBufferPointer(rebasing: signal[..<count])
            if let resampler {
                try resampler.push(piece, receive: receive)
            } else {
                try receive(piece)
            }
        }
    }

    /// Hands over the rows of all frames that are complete, without waiting for a batch to be full.
    ///
    /// - Throws: What `receive` throws.
    public func flush(receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void) throws(ClipFailure) {
        try features.flush(receive: receive)
    }

    /// Hands over the rows that are left, and starts a new signal.
    ///
    /// - Throws: What `receive` throws, or `ClipFailure` of stage `condition` where resampling fails.
    public func finish(receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void) throws(ClipFailure) {
        try resampler?.finish { part throws(ClipFailure) in try features.push(part, receive: receive) }
        try features.finish(receive: receive)
    }

    /// Takes samples and returns the rows that they complete, `features.rowBins` values wide, at the cost of an array.
    ///
    /// - Precondition: The number of samples is a multiple of `channels`.
    /// - Throws: `ClipFailure` of stage `condition` where resampling fails.
    public func push(_ interleaved: [Float]) throws(ClipFailure) -> FeatureMatrix {
        var values: [Float] = []
        try interleaved.withUnsafeBufferPointer { samples throws(ClipFailure) in
            try push(samples) { rows throws(ClipFailure) in values.append(contentsOf: rows) }
        }
        return FeatureMatrix(bins: features.rowBins, values: values)
    }

    /// Returns the rows that are left, and starts a new signal.
    ///
    /// - Throws: `ClipFailure` of stage `condition` where resampling fails.
    public func finish() throws(ClipFailure) -> FeatureMatrix {
        let bins = features.rowBins
        var values: [Float] = []
        try finish { rows throws(ClipFailure) in values.append(contentsOf: rows) }
        return FeatureMatrix(bins: bins, values: values)
    }
}
