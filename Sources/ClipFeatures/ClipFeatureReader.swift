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

    /// The libraries that have decoded, or tried to decode, and resampled so far.
    package var libraries: Set<DecodingLibrary> { decoder.libraries }

    private let decoder: ClipDecoder
    private let policy: RecordingPolicy
    /// Looks at other recordings while `decoder` reads one; nil: that was not needed so far.
    private var aside: ClipDecoder?
    private let stream: ClipStream
    /// Those of the other channels, and what lays their rows side by side; nil: there is one signal.
    private let others: (streams: [ClipStream], rows: ChannelRows)?

    /// Maximum number of values that are kept of a clip: 16 MB.
    package static let maximumKept = ClipStream.usualMaximumKept

    /// Bytes that a worker needs for decoding, features and spool, roughly and at most.
    package static func memory(of plan: FeaturePlan) -> Int {
        // An array that grows has its old values beside it for a moment.
        let kept = plan.needsWholeClip ? 3 * maximumKept * MemoryLayout<Float>.size : 0
        // The transform's buffers and plan, several times its length in double precision.
        let repeated = plan.fit == .repeat || plan.fit == .repeatPad ? 4 * (plan.fixedLength ?? 0) : 0
        return 6 << 20 + plan.channels * (kept + repeated + 128 * plan.bins + 128 * plan.geometry.fftLength)
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
        self.policy = policy
        decoder = ClipDecoder(plan.configuration.audio, policy: policy)
        stream = try ClipStream(plan, maximumKept: maximumKept)
        guard plan.configuration.audio.channels == .all else {
            others = nil
            return
        }
        var streams: [ClipStream] = []
        for _ in 1..<max(plan.channels, 1) { streams.append(try ClipStream(plan, maximumKept: maximumKept)) }
        others = (streams, ChannelRows(channels: plan.channels, bins: plan.bins))
    }

    /// How many rows each of some clips of one recording will have, which is opened once for that; nil: that is not known.
    package func rowCounts(of clips: [Clip], path: String) -> [Int?] {
        decoder.sampleCounts(of: clips, path: path, rate: Int(plan.sampleRate)).map { count in
            count.map { plan.frameCount(samples: $0) }
        }
    }

    /// How many rows a clip will have, while another is read; nil: that is not known.
    package func rowCountAside(of clip: Clip, path: String) -> Int? {
        let aside = aside ?? ClipDecoder(plan.configuration.audio, policy: policy)
        self.aside = aside
        let count = aside.sampleCounts(of: [clip], path: path, rate: Int(plan.sampleRate)).first ?? nil
        return count.map { plan.frameCount(samples: $0) }
    }

    /// Computes a clip's rows.
    ///
    /// - Parameters:
    ///   - clip: Which part of the recording.
    ///   - path: Where the recording lies.
    ///   - content: Its bytes, which no others share their status with; nil: those of `path`.
    ///   - status: That of the file `path` just now; nil: it is looked up.
    ///   - opened: Is told, before the first row, how many rows the clip will have; nil: that is not known. It may be another
    ///     number where the rate is changed.
    ///   - decoded: Gets the samples as decoded, once, whatever the number of passes.
    ///   - check: Is called now and then, and throws to stop.
    ///   - receive: Gets rows, in order.
    /// - Throws: `ClipFailure`, or what the closures throw.
    package func read(
        _ clip: Clip, path: String, content: FileContent? = nil, status: FileStatus? = nil,
        opened: (Int?) -> Void = { _ in },
        decoded: (UnsafeBufferPointer<Float>) -> Void = { _ in },
        check: () throws(ClipFailure) -> Void = {},
        receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void
    ) throws(ClipFailure) -> ClipMeasurement {
        if let others {
            return try read(
                clip, others, path: path, content: content, status: status, opened: opened, decoded: decoded,
                check: check,
                receive: receive)
        }
        sampleCount = 0
        var isFirst = true
        /// A pass over the recording.
        func pass(_ receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void) throws(ClipFailure)
            -> ClipMeasurement
        {
            let counts = isFirst
            isFirst = false
            return try decoder.read(
                clip, path: path, content: content, status: counts ? status : nil, rate: Int(plan.sampleRate),
                opened: { if counts { opened($0.map { plan.frameCount(samples: $0) }) } },
                decoded: { if counts { decoded($0) } },
                receive: { samples throws(ClipFailure) in
                    try check()
                    if counts { sampleCount += samples.count }
                    try receive(samples)
                })
        }
        var survey = SignalSurvey(plan)
        while survey.needsPass {
            _ = try pass { survey.push($0) }
            survey.endPass()
        }
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

extension ClipFeatureReader {
    /// The same for all channels of a clip, each as if it were a recording of its own.
    private func read(
        _ clip: Clip, _ others: (streams: [ClipStream], rows: ChannelRows), path: String, content: FileContent?,
        status: FileStatus?, opened: (Int?) -> Void, decoded: (UnsafeBufferPointer<Float>) -> Void,
        check: () throws(ClipFailure) -> Void,
        receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void
    ) throws(ClipFailure) -> ClipMeasurement {
        let streams = [stream] + others.streams
        let rows = others.rows
        sampleCount = 0
        rows.reset()
        var isFirst = true
        func pass(
            _ take: (Int, UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void
        ) throws(ClipFailure) -> ClipMeasurement {
            let counts = isFirst
            isFirst = false
            return try decoder.read(
                clip, path: path, content: content, status: counts ? status : nil, rate: Int(plan.sampleRate),
                signals: plan.channels,
                opened: { if counts { opened($0.map { plan.frameCount(samples: $0) }) } },
                decoded: { if counts { decoded($0) } },
                receive: { channel, samples throws(ClipFailure) in
                    try check()
                    if counts, channel == 0 { sampleCount += samples.count }
                    try take(channel, samples)
                })
        }
        var surveys = streams.map { _ in SignalSurvey(plan) }
        while surveys[0].needsPass {
            _ = try pass { surveys[$0].push($1) }
            for channel in surveys.indices { surveys[channel].endPass() }
        }
        for (stream, survey) in zip(streams, surveys) { stream.start(survey.level) }
        func push() throws(ClipFailure) -> ClipMeasurement {
            try pass { channel, samples throws(ClipFailure) in
                streams[channel].push(samples) { rows.add($0, of: channel) }
                try rows.pass(receive)
            }
        }
        let found = try push()
        // Channels have as many rows as one another, so either all are complete or none is.
        let areComplete = streams.enumerated().map { channel, stream in stream.finish { rows.add($0, of: channel) } }
        if areComplete.contains(false) {
            rows.reset()
            for stream in streams { stream.startSecondPass() }
            _ = try push()
            for (channel, stream) in streams.enumerated() { _ = stream.finish { rows.add($0, of: channel) } }
        }
        try rows.pass(receive)
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
