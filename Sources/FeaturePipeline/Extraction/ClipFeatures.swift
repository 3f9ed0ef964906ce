import AudioDecoding
import FeatureModel
import SignalProcessing

/// The way of a clip from its recording to final rows: decode → condition → frame → window → transform → scale.
///
/// Some configurations need to know something of the whole clip first. Its mean takes a pass of its own over the
/// recording. Its greatest value is known at the end of the first pass, whose rows are kept until then if they fit into
/// `maximumKept`; those of a longer clip are computed again. So memory does not depend on a clip's length.
final class ClipFeatures {
    /// What is computed.
    let plan: FeaturePlan
    /// Samples of the last clip's signal, at the plan's rate.
    private(set) var sampleCount = 0

    private let decoder: ClipDecoder
    private let stream: FeatureStream
    private let completion: RowCompletion
    private var kept: [Float] = []

    private let maximumKept: Int

    /// The most values that are kept of a clip: 16 MB.
    static let maximumKept = 1 << 22

    /// Bytes that a worker needs for decoding, features and spool, roughly and at most.
    static func memory(of plan: FeaturePlan) -> Int {
        // An array that grows has its old values beside it for a moment.
        let kept = plan.needsWholeClip ? 3 * maximumKept * MemoryLayout<Float>.size : 0
        // The transform's buffers and plan, several times its length in double precision.
        return 6 << 20 + kept + 128 * plan.bins + 128 * plan.minimumSamples
    }

    /// - Parameters:
    ///   - policy: What becomes of recordings that are cut off, and of samples that are no numbers.
    ///   - maximumKept: The most values that are kept of a clip.
    /// - Throws: `SignalError` where memory is not to be had.
    init(
        _ plan: FeaturePlan, policy: RecordingPolicy = RecordingPolicy(), maximumKept: Int = ClipFeatures.maximumKept
    ) throws(SignalError) {
        self.plan = plan
        self.maximumKept = maximumKept
        decoder = ClipDecoder(plan.configuration.audio, policy: policy)
        stream = try FeatureStream(plan)
        completion = try RowCompletion(plan)
    }

    /// How many rows each of some clips of one recording will have, which is opened once for that; nil: that is not known.
    func rowCounts(of clips: [Clip], path: String) -> [Int?] {
        decoder.sampleCounts(of: clips, path: path, rate: Int(plan.sampleRate)).map { count in
            count.map { plan.frameCount(samples: $0) }
        }
    }

    /// Computes a clip's rows.
    ///
    /// - Parameters:
    ///   - clip: Which part of the recording.
    ///   - path: Where the recording lies.
    ///   - opened: Is told, before the first row, how many rows the clip will have; nil: that is not known. It may be another
    ///     number where the rate is changed.
    ///   - decoded: Gets the samples as decoded, once, whatever the number of passes.
    ///   - check: Is called now and then, and throws to stop.
    ///   - receive: Gets rows, in order.
    /// - Throws: `ClipFailure`, or what the closures throw.
    func read(
        _ clip: Clip, path: String, opened: (Int?) -> Void = { _ in },
        decoded: (UnsafeBufferPointer<Float>) -> Void = { _ in },
        check: () throws(ClipFailure) -> Void = {},
        receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void
    ) throws(ClipFailure) -> DecodedClip {
        sampleCount = 0
        var isFirst = true
        /// A pass over the recording.
        func pass(_ receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void) throws(ClipFailure)
            -> DecodedClip
        {
            let counts = isFirst
            isFirst = false
            return try decoder.read(
                clip, path: path, rate: Int(plan.sampleRate),
                opened: { if counts { opened($0.map { plan.frameCount(samples: $0) }) } },
                decoded: { if counts { decoded($0) } },
                receive: { samples throws(ClipFailure) in
                    try check()
                    if counts { sampleCount += samples.count }
                    try receive(samples)
                })
        }
        var mean = SignalMean(plan)
        if plan.needsMean { _ = try pass { mean.push($0) } }
        stream.begin(mean: mean.value)
        guard plan.needsWholeClip else {
            let found = try pass { samples throws(ClipFailure) in try stream.push(samples, receive: receive) }
            try stream.finish(receive: receive)
            return found
        }

        kept.removeAll(keepingCapacity: true)
        var fits = true
        func keep(_ rows: UnsafeBufferPointer<Float>) {
            fits = fits && kept.count + rows.count <= maximumKept
            if fits { kept.append(contentsOf: rows) }
        }
        let found = try pass { samples throws(ClipFailure) in stream.push(samples, receive: keep) }
        stream.finish(receive: keep)
        if fits {
            completion.begin(peak: stream.peak)
            // Typed throws do not pass through the array's own closure.
            var failure: ClipFailure?
            kept.withUnsafeBufferPointer { rows in
                do throws(ClipFailure) { try completion.push(rows, receive: receive) } catch { failure = error }
            }
            if let failure { throw failure }
            try completion.finish(receive: receive)
        } else {
            stream.begin(mean: mean.value, peak: stream.peak)
            _ = try pass { samples throws(ClipFailure) in try stream.push(samples, receive: receive) }
            try stream.finish(receive: receive)
        }
        return found
    }
}
