import AudioDecoding
import FeatureModel

/// The signals of a clip: at the configured rate, of other channels, by another resampler, or at its own rate.
package struct RecordingSignals {
    /// Which signals.
    struct Kind: Hashable, Sendable {
        let channels: ChannelSelection
        let resampler: ResamplingMethod
        /// Whether the samples have the recording's own rate.
        let isOwnRate: Bool

        init(_ channels: ChannelSelection, _ resampler: ResamplingMethod, isOwnRate: Bool) {
            // At its own rate, a signal is the same with any resampler.
            (self.channels, self.isOwnRate) = (channels, isOwnRate)
            self.resampler = isOwnRate ? AudioConfiguration.standard.resampler : resampler
        }

        init(_ audio: AudioConfiguration) { self.init(audio.channels, audio.resampler, isOwnRate: false) }
    }

    private let clip: Clip
    private let path: String
    private let audio: AudioConfiguration
    private let policy: RecordingPolicy
    private var decoded: [Kind: [[Float]]] = [:]
    /// Rate of the signals, in Hz.
    package let rate: Int
    /// What decoding found.
    package let recording: ClipMeasurement

    /// Decodes a clip as it is configured.
    ///
    /// - Throws: `ClipFailure`.
    package init(
        _ clip: Clip, path: String, audio: AudioConfiguration, policy: RecordingPolicy
    ) throws(ClipFailure) {
        (self.clip, self.path, self.audio, self.policy) = (clip, path, audio, policy)
        let read = try Self.read(clip, path, audio, policy)
        (rate, recording) = (read.rate, read.measurement)
        decoded[Kind(audio)] = read.signals
    }

    /// The signals as they are configured: one, or with `audio.channels: all` one for each channel.
    package var signals: [[Float]] { decoded[Kind(audio)] ?? [] }

    /// When they start in the file, in s.
    var start: Double { clip.segment?.start ?? 0 }

    /// Samples of each of them.
    package var sampleCount: Int { signals.first?.count ?? 0 }

    /// Signals by their kinds; one that cannot be decoded, such as of a channel that is missing, is left out.
    mutating func signals(_ kinds: Set<Kind>) -> [Kind: [[Float]]] {
        for kind in kinds where decoded[kind] == nil { decoded[kind] = decode(kind) }
        return decoded
    }

    private func decode(_ kind: Kind) -> [[Float]]? {
        let rate = kind.isOwnRate ? recording.sampleRate : rate
        let audio = try? AudioConfiguration(
            sampleRate: rate, channels: clip.channel.map { .number($0) } ?? kind.channels, resampler: kind.resampler)
        guard let audio else { return nil }
        return try? Self.read(clip, path, audio, policy).signals
    }

    private static func read(
        _ clip: Clip, _ path: String, _ audio: AudioConfiguration, _ policy: RecordingPolicy
    ) throws(ClipFailure) -> (signals: [[Float]], rate: Int, measurement: ClipMeasurement) {
        let decoder = ClipDecoder(audio, policy: policy)
        let (rate, count) = try decoder.signals(of: clip, path: path)
        let isAll = clip.channel == nil && audio.channels == .all
        var signals = [[Float]](repeating: [], count: count)
        let measurement = try decoder.read(
            clip, path: path, rate: rate, signals: isAll ? count : nil, decoded: { _ in },
            receive: { signal, samples in signals[signal].append(contentsOf: samples) })
        return (signals, rate, measurement)
    }
}
