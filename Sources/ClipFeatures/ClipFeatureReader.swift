import AudioDecoding
import FeatureModel
import FileIO
import SignalProcessing

/// From a clip of a recording to final rows: decode → condition → frame → window → transform → scale.
///
/// Some configurations need figures of the whole clip first. Its level takes a pass of its own over the recording. Its peak is
/// known at the end of the first pass, whose rows are kept until then if they fit into `maximumKept`; those of a longer clip
/// are computed again. So memory does not depend on a clip's length.
package final class ClipFeatureReader {
    /// What is computed.
    package let plan: FeaturePlan
    /// Samples of the last clip's signal, at the plan's rate.
    package private(set) var sampleCount = 0

    private let decoder: ClipDecoder
    private let stream: ClipStream

    /// Maximum number of values that are kept of a clip: 16 MB.
    package static let maximumKept = ClipStream.usualMaximumKept

    /// Bytes that a worker needs for decoding, features and spool, roughly and at most.
    package static func memory(of plan: FeaturePlan) -> Int {
        // An array that grows has its old values beside it for a moment.
        let kept = plan.needsWholeClip ? 3 * maximumKept * MemoryLayout<Float>.size : 0
        // The transform's buffers and plan, several times its length in double precision.
        return 6 << 20 + kept + 128 * plan.bins + 128 * plan.minimumSamples
    }

    /// - Parameters:
    ///   - policy: What becomes of recordings that are cut off, and of samples that are not finite.
    ///   - maximumKept: Maximum number of values that are kept of a clip.
    /// - Throws: `SignalError` where memory runs out or FFTW has no plan.
    package init(
        _ plan: FeaturePlan, policy: RecordingPolicy = RecordingPolicy(),
        maximumKept: Int = ClipFeatureReader.maximumKept
    ) throws(SignalError) {
        self.plan = plan
        decoder = ClipDecoder(plan.configuration.audio, policy: policy)
        stream = try ClipStream(plan, maximumKept: maximumKept)
    }

    /// How many rows each of some clips of one recording will have, which is opened once for that; nil: that is not known.
    package func rowCounts(of clips: [Clip], path: String) -> [Int?] {
        decoder.sampleCounts(of: clips, path: path, rate: Int(plan.sampleRate)).map { count in
            count.map { plan.frameCount(samples: $0) }
        }
    }

    /// Computes a clip's rows.
    ///
    /// - Parameters:
    ///   - clip: Which part of the recording.
    ///   - path: Where the recording lies.
    ///   - content: Its bytes, which no others share their status with; nil: those of `path`.
    ///   - opened: Is told, before the first row, how many rows the clip will have; nil: that is not known. It may be another
    ///     number where the rate is changed.
    ///   - decoded: Gets the samples as decoded, once, whatever the number of passes.
    ///   - check: Is called now and then, and throws to stop.
    ///   - receive: Gets rows, in order.
    /// - Throws: `ClipFailure`, or what the closures throw.
    package func read(
        _ clip: Clip, path: String, content: FileContent? = nil, opened: (Int?) -> Void = { _ in },
        decoded: (UnsafeBufferPointer<Float>) -> Void = { _ in },
        check: () throws(ClipFailure) -> Void = {},
        receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void
    ) throws(ClipFailure) -> ClipMeasurement {
        sampleCount = 0
        var isFirst = true
        /// A pass over the recording.
        func pass(_ receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void) throws(ClipFailure)
            -> ClipMeasurement
        {
            let counts = isFirst
            isFirst = false
            return try decoder.read(
                clip, path: path, content: content, rate: Int(plan.sampleRate),
                opened: { if counts { opened($0.map { plan.frameCount(samples: $0) }) } },
                decoded: { if counts { decoded($0) } },
                receive: { samples throws(ClipFailure) in
                    try check()
                    if counts { sampleCount += samples.count }
                    try receive(samples)
                })
        }
        var survey = SignalSurvey(plan)
        if plan.needsSurvey { _ = try pass { survey.push($0) } }
        stream.start(survey.level)
        let found = try pass { samples throws(ClipFailure) in try stream.push(samples, receive: receive) }
        if try !stream.finish(receive: receive) {
            stream.startSecondPass()
            _ = try pass { samples throws(ClipFailure) in try stream.push(samples, receive: receive) }
            _ = try stream.finish(receive: receive)
        }
        return found
    }
}

extension ClipFailure {
    /// The failure of a clip that has no frame.
    ///
    /// - Parameter samples: The clip's length at the plan's rate.
    package static func tooShort(_ plan: FeaturePlan, samples: Int) -> ClipFailure {
        .tooShort(minimum: plan.minimumSamples, sampleRate: Int(plan.sampleRate), found: samples)
    }
}

/// A recording could not be read, and the system was at fault: nothing is known of the recording.
package struct InputFault: Error, Hashable, Sendable {
    /// The recording's path, as the manifest gives it.
    package let path: String
    /// What the system said.
    package let reason: String

    /// Keeps the values.
    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }
}

extension InputFault: CustomStringConvertible {
    /// The error as one sentence for a person.
    package var description: String { "\(path): \(reason): this says nothing of the recording, so the run ends here" }
}

extension InputFault: SystemFaultReporting {
    package var isSystemFault: Bool { true }
}
