import AudioDecoding
import FeatureModel

/// An input as it was asked for.
package struct LiveRequest: Hashable, Sendable {
    /// Where samples come from.
    package enum Origin: Hashable, Sendable {
        /// Bytes on standard input.
        case standardInput
        /// Bytes of a file or a named pipe.
        case bytes(path: String)
        /// A recording, played.
        case recording(path: String)
    }

    /// What was said of raw samples; nil: nothing.
    package struct Given: Hashable, Sendable {
        /// `--rate`, in Hz.
        package var sampleRate: Int?
        /// `--format`.
        package var encoding: LiveSampleEncoding?
        /// `--channels`.
        package var channels: Int?

        /// Keeps the values.
        package init(sampleRate: Int? = nil, encoding: LiveSampleEncoding? = nil, channels: Int? = nil) {
            self.sampleRate = sampleRate
            self.encoding = encoding
            self.channels = channels
        }

        /// What raw samples are like; nil: not given.
        var format: LiveFormat? {
            sampleRate.map { LiveFormat(encoding: encoding ?? .s16le, sampleRate: $0, channels: channels ?? 1) }
        }
    }

    /// Where samples come from.
    package let origin: Origin
    /// What was said of raw samples.
    package let given: Given
    /// How much faster than it lasts a recording is played; 0: as fast as it can be read.
    package let speed: Double
    /// What becomes of a recording that is cut off, and of samples that are not finite.
    package let policy: RecordingPolicy

    /// Keeps the values.
    package init(
        _ origin: Origin, given: Given = Given(), speed: Double = 1, policy: RecordingPolicy = RecordingPolicy()
    ) {
        self.origin = origin
        self.given = given
        self.speed = speed
        self.policy = policy
    }

    /// What the input is called, in words and in a feature file.
    package var name: String {
        switch origin {
        case .standardInput: "stdin"
        case .bytes(let path), .recording(let path): path
        }
    }
}
