import AudioDecoding
import Concurrency
import FeatureModel
import FileIO
import SignalProcessing

/// The samples of a recording, or of a part of it, that features are computed of: decoded, the channels chosen, at the rate of the
/// features. Memory does not depend on their number.
package final class RecordingSamples {
    /// In Hz.
    package let sampleRate: Int
    /// Number of channels of the samples.
    package let channels: Int
    /// How many samples of each channel there will be, as far as the recording's header says.
    package let expectedFrames: Int

    private let clip: Clip
    private let decoder: ClipDecoder
    private let expected: Checksum128?
    private var checksum = XXH3Hash128()
    /// Samples of each channel that wait for those of others.
    private let waiting: [GrowingBuffer]
    private var interleaved: [Float] = []

    /// Opens a recording.
    ///
    /// - Parameters:
    ///   - path: The recording.
    ///   - segment: The part; nil: all of it.
    ///   - audio: Its channels and rate.
    ///   - policy: How a recording that is cut off, and samples that are not finite, are treated.
    ///   - expected: The checksum of the samples as they are decoded, before channels are chosen and the rate is changed, which
    ///     feature files keep of each clip; nil: not known.
    /// - Throws: `SamplesError.recording`.
    package init(
        path: String, segment: Segment? = nil, _ audio: AudioConfiguration, policy: RecordingPolicy = RecordingPolicy(),
        expected: Checksum128? = nil
    ) throws(SamplesError) {
        clip = Clip(index: 0, id: path, path: path, segment: segment)
        decoder = ClipDecoder(audio, policy: policy)
        self.expected = expected
        do throws(ClipFailure) {
            (sampleRate, channels) = try decoder.signals(of: clip, path: path)
            let found = try decoder.survey(clip, path: path)
            expectedFrames = Int((found.duration * Double(sampleRate)).rounded(.up))
        } catch {
            throw .recording(path: path, error.withoutAdvice)
        }
        waiting = (0..<(channels > 1 ? channels : 0)).map { _ in GrowingBuffer() }
    }

    /// Reads all samples, once.
    ///
    /// - Parameter receive: Takes the next samples, of all channels in turn.
    /// - Throws: `SamplesError`, or what `receive` throws. Another checksum than the expected one is found after the last sample.
    package func read(
        cancellation: Cancellation, receive: (UnsafeBufferPointer<Float>) throws -> Void
    ) throws -> ClipMeasurement {
        checksum.reset()
        var refusal: (any Error)?
        let found: ClipMeasurement
        do throws(ClipFailure) {
            found = try decoder.read(
                clip, path: clip.path, rate: sampleRate, signals: channels > 1 ? channels : nil,
                decoded: { if expected != nil { checksum.update(UnsafeRawBufferPointer($0)) } },
                receive: { channel, samples throws(ClipFailure) in
                    do {
                        if cancellation.isCancelled { throw SamplesError.cancelled }
                        if channels == 1 { try receive(samples) } else { try join(samples, of: channel, receive) }
                    } catch {
                        refusal = error
                        throw .stopped
                    }
                })
        } catch {
            throw refusal ?? SamplesError.recording(path: clip.path, error.withoutAdvice)
        }
        let sum = checksum.finish()
        if let expected, sum != expected { throw SamplesError.changed(path: clip.path, expected: expected, found: sum) }
        return found
    }

    /// Hands over the frames that are complete.
    private func join(
        _ samples: UnsafeBufferPointer<Float>, of channel: Int, _ receive: (UnsafeBufferPointer<Float>) throws -> Void
    ) throws {
        guard waiting[channel].append(samples) else { throw SamplesError.noMemory }
        guard channel == channels - 1 else { return }
        let frames = waiting.map(\.count).min() ?? 0
        if interleaved.count < frames * channels {
            interleaved = [Float](repeating: 0, count: frames * channels)
        }
        for (channel, buffer) in waiting.enumerated() {
            for frame in 0..<frames { interleaved[frame * channels + channel] = buffer.values[frame] }
            buffer.removeFirst(frames)
        }
        try interleaved.withUnsafeBufferPointer {
            try receive(UnsafeBufferPointer(rebasing: $0[..<(frames * channels)]))
        }
    }
}

extension ClipFailure {
    /// The same without what to do about times in a manifest, which a part of one recording does not have.
    fileprivate var withoutAdvice: ClipFailure {
        switch self {
        case .segmentEndsLate(_, let length, _): .segmentEndsLate(end: nil, length: length)
        case .segmentStartsLate(let start, let length, _): .segmentStartsLate(start: start, length: length)
        default: self
        }
    }
}

/// Why the samples of a recording were not read.
package enum SamplesError: Error, Hashable, Sendable {
    /// It was asked to stop.
    case cancelled
    /// The recording cannot be read to its end.
    case recording(path: String, ClipFailure)
    /// The checksum of the decoded samples is not the expected one.
    case changed(path: String, expected: Checksum128, found: Checksum128)
    /// Memory runs out.
    case noMemory
}

extension SamplesError: CustomStringConvertible {
    /// The error as one sentence for a person.
    package var description: String {
        switch self {
        case .cancelled: "stopped before the last sample"
        case .recording(let path, let failure): "\(path): \(failure.reason)"
        case .changed(let path, let expected, let found):
            "\(path): expected samples with the checksum \(expected.hex), found \(found.hex): the recording was changed or "
                + "replaced, or another version of its decoder was used, whose samples differ (MP3, Ogg, AAC …)"
        case .noMemory: "no memory for the samples of all channels"
        }
    }
}

extension SamplesError: SystemFaultReporting {
    package var isSystemFault: Bool {
        switch self {
        case .cancelled, .changed: false
        case .recording(_, let failure): failure.isSystemFault
        case .noMemory: true
        }
    }
}
