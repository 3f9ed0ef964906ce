import AudioDecoding
import FeatureModel
import FileIO
import SignalProcessing

/// From a clip of a recording to final rows: decode → condition → frame → window → transform → scale.
///
/// Some configurations need a level or a peak of the whole clip first. The level takes a separate pass over the recording. The
/// peak is known at the end of the first pass, and so is what resizing needs; its rows are kept until then if they fit into
/// `maximumKept`; those of a longer clip are computed again. So memory does not depend on a clip's length.
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
    /// One for each signal.
    private let streams: [ClipStream]
    /// Joins the rows of channels; nil: there is one signal.
    private let rows: ChannelRows?

    /// Maximum number of values that are kept of a clip: 16 MB.
    package static let maximumKept = ClipStream.usualMaximumKept

    /// Bytes that a worker needs for decoding, features and spool, roughly and at most.
    package static func memory(of plan: FeaturePlan) -> Int {
        // While an array grows, its old and its new memory are both allocated.
        let number = MemoryLayout<Float>.size * plan.streamedWidth / max(plan.streamedBins, 1)
        let kept = plan.holdsRows ? 3 * maximumKept * number : 0
        // The transform's buffers and plan, several times its length in double precision.
        let repeated = plan.fit == .repeat || plan.fit == .repeatPad ? 4 * (plan.fixedLength ?? 0) : 0
        return 6 << 20 + plan.channels * (kept + repeated + 128 * plan.bins + 128 * plan.geometry.fftLength)
    }

    /// - Parameters:
    ///   - policy: How recordings that are cut off, and samples that are not finite, are treated.
    ///   - keepsRests: Whether the values of rows are followed by their rests where the plan's `hasRests`: rows have
    ///     `FeaturePlan.rowWidth` numbers then.
    ///   - maximumKept: Maximum number of values that are kept of a clip.
    ///   - skipped: Counts sound that is decoded only to reach a clip; nil: it is not counted.
    /// - Throws: `SignalError` where memory runs out or FFTW has no plan.
    package init(
        _ plan: FeaturePlan, policy: RecordingPolicy = RecordingPolicy(), keepsRests: Bool = false,
        maximumKept: Int = ClipFeatureReader.maximumKept, skipped: SkippedSound? = nil
    ) throws(SignalError) {
        self.plan = plan
        self.policy = policy
        decoder = ClipDecoder(plan.configuration.audio, policy: policy, skipped: skipped)
        let isByChannel = plan.configuration.audio.channels == .all
        let width = keepsRests ? plan.rowWidth / plan.channels : plan.bins
        rows = isByChannel ? ChannelRows(channels: plan.channels, bins: width) : nil
        var streams: [ClipStream] = []
        for _ in 0..<(isByChannel ? max(plan.channels, 1) : 1) {
            streams.append(try ClipStream(plan, keepsRests: keepsRests, maximumKept: maximumKept))
        }
        self.streams = streams
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

    /// Computes a clip's rows; each of several channels as if it were a recording of its own.
    ///
    /// - Parameters:
    ///   - clip: Which part of the recording.
    ///   - path: Where the recording lies.
    ///   - content: Its bytes, which no others share their status with; nil: those of `path`.
    ///   - status: The current status of the file `path`; nil: it is looked up.
    ///   - opened: Called before the first row with the number of rows that the clip will have; nil: that is not known. The final
    ///     number may differ where the rate is changed.
    ///   - decoded: Called with the decoded samples, with each once, however many passes there are.
    ///   - check: Called now and then; throws to stop.
    ///   - receive: Called with rows, in order.
    /// - Throws: `ClipFailure`, or what the closures throw.
    package func read(
        _ clip: Clip, path: String, content: FileContent? = nil, status: FileStatus? = nil,
        opened: (Int?) -> Void = { _ in },
        decoded: (UnsafeBufferPointer<Float>) -> Void = { _ in },
        check: () throws(ClipFailure) -> Void = {},
        receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void
    ) throws(ClipFailure) -> ClipMeasurement {
        sampleCount = 0
        rows?.reset()
        var isFirst = true
        /// A pass over the recording.
        func pass(
            _ take: (Int, UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void
        ) throws(ClipFailure) -> ClipMeasurement {
            let counts = isFirst
            isFirst = false
            return try decoder.read(
                clip, path: path, content: content, status: counts ? status : nil, rate: Int(plan.sampleRate),
                signals: rows == nil ? nil : plan.channels,
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
                guard let rows else { return try streams[0].push(samples, receive: receive) }
                streams[channel].push(samples) { rows.add($0, of: channel) }
                try rows.pass(receive)
            }
        }
        func finish() throws(ClipFailure) -> Bool {
            guard let rows else { return try streams[0].finish(receive: receive) }
            // Channels have as many rows as one another, so either all are complete or none is.
            return !streams.enumerated().map { channel, stream in stream.finish { rows.add($0, of: channel) } }
                .contains(false)
        }
        let found = try push()
        if try !finish() {
            rows?.reset()
            for stream in streams { stream.startSecondPass() }
            _ = try push()
            _ = try finish()
        }
        try rows?.pass(receive)
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
