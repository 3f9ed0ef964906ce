import AudioDecoding
import FeatureModel

/// The signals of a clip: at the configured rate, of other channels, or at its own rate.
package struct RecordingSignals {
    /// Which signal.
    struct Kind: Hashable, Sendable {
        let channels: ChannelSelection
        /// Whether the samples have the recording's own rate.
        let isOwnRate: Bool
    }

    private let clip: Clip
    private let path: String
    private let audio: AudioConfiguration
    private let policy: RecordingPolicy
    private let decoder: ClipDecoder
    private var decoded: [Kind: [Float]] = [:]
    /// Rate of the signals, in Hz.
    package let rate: Int
    /// What decoding found.
    package private(set) var recording: ClipMeasurement

    /// Decodes a clip as it is configured.
    ///
    /// - Throws: `ClipFailure`.
    package init(
        _ clip: Clip, path: String, audio: AudioConfiguration, policy: RecordingPolicy
    ) throws(ClipFailure) {
        (self.clip, self.path, self.audio, self.policy) = (clip, path, audio, policy)
        decoder = ClipDecoder(audio, policy: policy)
        rate = try decoder.signalRate(path: path)
        var samples: [Float] = []
        recording = try decoder.read(
            clip, path: path, rate: rate, decoded: { _ in }, receive: { samples.append(contentsOf: $0) })
        decoded[Kind(channels: audio.channels, isOwnRate: false)] = samples
    }

    /// The signal as it is configured.
    package var samples: [Float] { decoded[Kind(channels: audio.channels, isOwnRate: false)] ?? [] }

    /// Signals by their kinds; one that cannot be decoded, such as of a channel that is missing, is left out.
    mutating func signals(_ kinds: Set<Kind>) -> [Kind: [Float]] {
        for kind in kinds where decoded[kind] == nil { decoded[kind] = decode(kind) }
        return decoded
    }

    private func decode(_ kind: Kind) -> [Float]? {
        let rate = kind.isOwnRate ? recording.sampleRate : rate
        let audio = try? AudioConfiguration(
            sampleRate: rate, channels: clip.channel.map { .number($0) } ?? kind.channels)
        guard let audio else { return nil }
        var samples: [Float] = []
        let other = ClipDecoder(audio, policy: policy)
        let found = try? other.read(
            clip, path: path, rate: rate, decoded: { _ in }, receive: { samples.append(contentsOf: $0) })
        return found == nil ? nil : samples
    }
}
