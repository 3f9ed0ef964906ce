import AudioDecoding
import FeatureModel

extension SampleEnvelope {
    /// Reads the samples of a recording, or a part of it, at its own rate, for a waveform. Memory is bounded: up to two million
    /// stretches of one or more samples.
    ///
    /// - Parameter channel: The channel, from 0; nil: those of `channels`.
    package static func read(
        path: String, segment: Segment? = nil, channel: Int? = nil, channels: ChannelSelection = .mix,
        policy: RecordingPolicy = RecordingPolicy()
    ) throws -> SampleEnvelope {
        let decoder = ClipDecoder(try AudioConfiguration(sampleRate: nil, channels: channels), policy: policy)
        let clip = Clip(index: 0, id: path, path: path, segment: segment, channel: channel)
        let rate = try decoder.signalRate(path: path)
        var accumulator = EnvelopeAccumulator()
        let found = try decoder.read(clip, path: path, rate: rate, decoded: { _ in }) { samples in
            accumulator.add(samples)
        }
        return accumulator.finish(start: found.start, rate: rate)
    }
}
