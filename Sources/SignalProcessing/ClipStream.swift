/// A `FeatureStream` whose rows are always final, resized where they are to be: where `scale.top_db` needs a clip's peak before its
/// first row, or `rows.resize` the number of its rows, rows are buffered until that is known.
///
///     stream.start(survey.level)
///     try stream.push(samples, receive: receive)          // any number of times
///     if try !stream.finish(receive: receive) {           // too many rows to buffer: a second pass
///         stream.startSecondPass()
///         try stream.push(samples, receive: receive)
///         _ = try stream.finish(receive: receive)
///     }
///
/// Not safe to use from two threads at once.
public final class ClipStream {
    /// The plan.
    public var plan: FeaturePlan { stream.plan }

    private let stream: FeatureStream
    /// Nil: the stream's rows are final.
    private let completion: RowCompletion?
    /// Nil: rows are not resized.
    private let resizing: ClipResizing?
    private let maximumKept: Int
    private let kept = GrowingBuffer()
    private var level = SignalLevel.none
    private var pass = Pass.only

    private enum Pass {
        /// Rows are passed on at once.
        case only
        /// Rows are buffered, and completed at the end.
        case keeping
        /// Too many rows to buffer; they are only measured.
        case measuring
    }

    /// Maximum number of buffered values where samples can be read again: 16 MB.
    package static let usualMaximumKept = 1 << 22

    /// Plans the transform and allocates every buffer except that of the rows, which grows.
    ///
    /// - Parameters:
    ///   - plan: The features.
    ///   - maximumKept: Maximum number of buffered values; a clip with more, or with more than memory holds, takes a second pass.
    /// - Throws: `SignalError` where memory runs out, or FFTW, where it is asked for, has no plan.
    public convenience init(_ plan: FeaturePlan, maximumKept: Int = .max) throws(SignalError) {
        try self.init(plan, keepsRests: false, maximumKept: maximumKept)
    }

    /// - Parameter keepsRests: Whether rows have rests (`RowRests`) where the plan's `hasRests`: then they have
    ///   `FeaturePlan.rowWidth` numbers for each channel.
    /// - Throws: `SignalError` where memory runs out, or FFTW, where it is asked for, has no plan.
    package init(_ plan: FeaturePlan, keepsRests: Bool, maximumKept: Int = .max) throws(SignalError) {
        resizing = plan.configuration.rows.isResized ? try ClipResizing(plan) : nil
        stream = try FeatureStream(plan, keepsRests: keepsRests || resizing != nil, streamsRests: true)
        completion =
            plan.needsWholeClip ? try RowCompletion(plan, takesRests: true, keepsRests: keepsRests) : nil
        // As many rows, with rests or without.
        self.maximumKept = plan.isPrecise && maximumKept < .max / 2 ? 2 * maximumKept : maximumKept
        start()
    }

    /// Starts a clip, discarding an unfinished one.
    ///
    /// - Parameter level: The clip's level (`SignalSurvey`), where the plan needs it; ignored otherwise.
    public func start(_ level: SignalLevel = .none) {
        self.level = level
        kept.removeAll()
        pass = plan.holdsRows ? .keeping : .only
        resizing?.reset()
        stream.start(level)
    }

    /// Starts the second pass over a clip whose rows `finish` did not complete.
    public func startSecondPass() {
        pass = .only
        resizing?.start()
        stream.start(level, exactPeak: stream.exactPeak)
    }

    /// Takes samples and passes on the final rows.
    ///
    /// - Parameters:
    ///   - samples: On the unit scale, at the plan's sample rate.
    ///   - receive: Takes whole rows of `FeaturePlan.bins` values, up to 16 at a time, valid during the call.
    /// - Throws: What `receive` throws.
    public func push<Failure: Error>(
        _ samples: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) {
        guard pass == .only else { return stream.push(samples, receive: keep) }
        guard let resizing else { return try stream.push(samples, receive: receive) }
        try stream.push(samples) { rows throws(Failure) in try resizing.push(rows, receive: receive) }
    }

    /// Passes on the rows of all complete frames, without waiting for a full batch; none where rows are buffered.
    ///
    /// - Throws: What `receive` throws.
    package func flush<Failure: Error>(receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void) throws(Failure) {
        guard pass == .only else { return }
        guard let resizing else { return try stream.flush(receive: receive) }
        try stream.flush { rows throws(Failure) in try resizing.push(rows, receive: receive) }
        try resizing.finish(receive: receive)
    }

    /// Passes on the remaining rows, those past the signal's end included.
    ///
    /// - Returns: Whether the clip is complete; false: it had too many rows to buffer, none was passed on, and all its samples
    ///   have to be pushed again after `startSecondPass`.
    /// - Throws: What `receive` throws.
    public func finish<Failure: Error>(
        receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard let resizing else { return try finishRows(receive: receive) }
        let isComplete = try finishRows { rows throws(Failure) in try resizing.push(rows, receive: receive) }
        if isComplete { try resizing.finish(receive: receive) }
        return isComplete
    }

    /// The same with the rows before they are resized.
    private func finishRows<Failure: Error>(
        receive: (UnsafeBufferPointer<Float>) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
        guard pass != .only else {
            try stream.finish(receive: receive)
            return true
        }
        stream.finish(receive: keep)
        guard pass == .keeping else { return false }
        resizing?.start()
        let values = UnsafeBufferPointer(kept.values)
        guard let completion else {
            try receive(values)
            return true
        }
        completion.start(exactPeak: stream.exactPeak)
        try completion.push(values, receive: receive)
        try completion.finish(receive: receive)
        return true
    }

    private func keep(_ rows: UnsafeBufferPointer<Float>) {
        resizing?.measure(rows, width: stream.rowBins)
        guard pass == .keeping else { return }
        if kept.count + rows.count > maximumKept || !kept.append(rows) {
            pass = .measuring
            kept.removeAll()
        }
    }
}

// The same for receivers that never throw. A generic function is specialised for an error type only in its own module: elsewhere,
// a call costs 2 to 4 % of the time of a frame.
extension ClipStream {
    /// Takes samples and passes on the final rows.
    package func push(_ samples: UnsafeBufferPointer<Float>, to receive: (UnsafeBufferPointer<Float>) -> Void) {
        push(samples, receive: receive)
    }

    /// Passes on the rows of all complete frames.
    package func flush(to receive: (UnsafeBufferPointer<Float>) -> Void) { flush(receive: receive) }

    /// Passes on the remaining rows; false: a second pass is needed.
    package func finish(to receive: (UnsafeBufferPointer<Float>) -> Void) -> Bool { finish(receive: receive) }
}
