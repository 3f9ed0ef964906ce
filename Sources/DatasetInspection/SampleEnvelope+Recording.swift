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

/// Collects the minimum and the maximum sample of every stretch of a signal, in bounded memory: of too many stretches,
/// neighbours are merged.
struct EnvelopeAccumulator {
    private let maximumStretches: Int
    private var length = 1
    private var minima: [Float] = []
    private var maxima: [Float] = []
    private var minimum = Float.infinity
    private var maximum = -Float.infinity
    private var pending = 0

    /// - Parameter maximumStretches: Even, and at least 2.
    init(maximumStretches: Int = 1 << 21) { self.maximumStretches = maximumStretches }

    mutating func add(_ samples: UnsafeBufferPointer<Float>) {
        for sample in samples {
            minimum = min(minimum, sample)
            maximum = max(maximum, sample)
            pending += 1
            if pending == length { complete() }
        }
    }

    /// The envelope of a signal of `rate` samples a second whose first sample is at `start` seconds.
    mutating func finish(start: Double, rate: Int) -> SampleEnvelope {
        if pending > 0 { complete() }
        return SampleEnvelope(start: start, step: Double(length) / Double(rate), minima: minima, maxima: maxima)
    }

    private mutating func complete() {
        minima.append(minimum)
        maxima.append(maximum)
        minimum = .infinity
        maximum = -.infinity
        pending = 0
        guard minima.count >= maximumStretches else { return }
        for index in 0..<minima.count / 2 {
            minima[index] = min(minima[2 * index], minima[2 * index + 1])
            maxima[index] = max(maxima[2 * index], maxima[2 * index + 1])
        }
        minima.removeLast(minima.count - minima.count / 2)
        maxima.removeLast(maxima.count - maxima.count / 2)
        length *= 2
    }
}
