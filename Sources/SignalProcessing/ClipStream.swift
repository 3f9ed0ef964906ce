/// A `FeatureStream` whose rows are always final: where `scale.top_db` needs a clip's peak before its first row, rows are
/// kept until the peak is known, and completed then.
///
///     stream.start(mean: mean)
///     try stream.push(samples, receive: receive)          // any number of times
///     if try !stream.finish(receive: receive) {           // too many rows to keep: a second pass
///         stream.startSecondPass()
///         try stream.push(samples, receive: receive)
///         _ = try stream.finish(receive: receive)
///     }
///
/// Not safe to use from two threads at once.
public final class ClipStream {
    /// What is computed.
    public var plan: FeaturePlan { stream.plan }

    private let stream: FeatureStream
    /// nil: rows are final as the stream hands them over.
    private let completion: RowCompletion?
    private let maximumKept: Int
    private var kept: [Float] = []
    private var mean: Float = 0
    private var pass = Pass.only

    private enum Pass {
        /// Rows go to the receiver at once.
        case only
        /// Rows are kept, and completed at the end.
        case keeping
        /// More rows have come than may be kept; the peak is still of use.
        case measuring
    }

    /// Plans the transform and makes every buffer but that of the rows to keep, which grows as they come.
    ///
    /// - Parameter maximumKept: Values that are kept at most; where a clip has more, it takes a second pass.
    /// - Throws: `SignalError` where memory runs out or FFTW has no plan.
    public init(_ plan: FeaturePlan, maximumKept: Int = .max) throws(SignalError) {
        stream = try FeatureStream(plan)
        completion = plan.needsWholeClip ? try RowCompletion(plan) : nil
        self.maximumKept = maximumKept
        start()
    }

    /// Starts a clip, discarding an unfinished one.
    ///
    /// - Parameter mean: The clip's mean (`SignalMean`), where the plan needs it; ignored otherwise.
    public func start(mean: Float = 0) {
        self.mean = mean
        kept.removeAll(keepingCapacity: true)
        pass = completion == nil ? .only : .keeping
        stream.start(mean: mean)
    }

    /// Starts the second pass over a clip whose rows `finish` did not complete.
    public func startSecondPass() {
        pass = .only
        stream.start(mean: mean, peak: stream.peak)
    }

    /// Takes samples and hands over the rows that are final.
    ///
    /// - Parameters:
    ///   - samples: On the unit scale, at the plan's sample rate.
    ///   - receive: Gets whole rows of `FeaturePlan.bins` values, up to 16 at a time, valid during the call.
    /// - Throws: What `receive` throws.
    public func push<Failure: Error>(
        _ samples: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        if pass == .only { try stream.push(samples, receive: receive) } else { stream.push(samples, receive: keep) }
    }

    /// Hands over the remaining rows, those past the signal's end included.
    ///
    /// - Returns: Whether the clip is complete; false: it had more rows than may be kept, none was handed over, and all its
    ///   samples have to be pushed once more after `startSecondPass`.
    /// - Throws: What `receive` throws.
    public func finish<Failure: Error>(
        receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard pass != .only, let completion else {
            try stream.finish(receive: receive)
            return true
        }
        stream.finish(receive: keep)
        guard pass == .keeping else { return false }
        completion.start(peak: stream.peak)
        // Typed errors do not pass through the array's own closure.
        var failure: Failure?
        kept.withUnsafeBufferPointer { rows in
            do throws(Failure) { try completion.push(rows, receive: receive) } catch { failure = error }
        }
        if let failure { throw failure }
        try completion.finish(receive: receive)
        return true
    }

    private func keep(_ rows: UnsafeBufferPointer<Float>) {
        guard pass == .keeping else { return }
        if kept.count + rows.count <= maximumKept {
            kept.append(contentsOf: rows)
        } else {
            pass = .measuring
            kept.removeAll(keepingCapacity: true)
        }
    }
}
