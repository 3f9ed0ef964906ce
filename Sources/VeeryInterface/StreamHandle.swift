import FeatureModel
import Resampling
import SignalProcessing
import Synchronization

/// What a `veery_stream` points to: a signal that comes in pieces, and its rows that have not been read.
final class StreamHandle {
    let handle: PlanHandle
    private let stream: ClipStream
    private let resampler: Resampler?
    /// The samples of a signal whose level has to be known before its first row; nil: the level is not needed.
    private let waiting: GrowingBuffer?
    private let rows = GrowingBuffer()
    /// Adds rows after normalisation and groups them; nil: `rows` are final.
    private let arrangement: RowArrangement?
    /// The rows that `arrangement` has handed over.
    private let arranged = GrowingBuffer()
    /// Values of `rows`, or of `arranged`, that have been read.
    private var readValues = 0
    /// The first value of the current signal in `rows`.
    private var signalStart = 0
    /// Samples of the current signal.
    private var received = 0
    private var failure: InterfaceError?
    private let isBusy = Atomic(false)

    /// - Parameter rate: The rate of the samples, in Hz.
    init(_ handle: PlanHandle, rate: Int) throws(InterfaceError) {
        try handle.rows.check()
        self.handle = handle
        stream = try converting { try ClipStream(handle.plan, keepsRests: true) }
        arrangement = try converting { handle.plan.storesOtherRowCount ? try RowArrangement(handle.plan) : nil }
        resampler = try converting {
            rate == handle.sampleRate ? nil : try handle.resampler(from: rate)
        }
        waiting = handle.plan.needsSurvey ? GrowingBuffer() : nil
    }

    /// Runs `body`, which no other thread runs at the same time.
    func exclusively<Value>(_ body: () throws(InterfaceError) -> Value) throws(InterfaceError) -> Value {
        guard isBusy.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged else {
            throw InterfaceError(.busy, "another thread is using this stream: a stream belongs to one thread at a time")
        }
        defer { isBusy.store(false, ordering: .releasing) }
        return try body()
    }

    /// Rows that can be read.
    var available: Int {
        let final = arrangement != nil ? arranged.count : needsEnd ? signalStart : rows.count
        return (final - readValues) / handle.columns
    }

    /// Whether rows can be read only after the end of their signal.
    private var needsEnd: Bool { handle.rows.needsWholeSignal }

    func push(_ samples: UnsafeBufferPointer<Float>) throws(InterfaceError) {
        try requireSound()
        try SignalCheck.require(samples, from: received)
        try orFail(claiming: need) { () throws(InterfaceError) in
            received += samples.count
            guard let resampler else { return try take(samples) }
            try resampled { receive throws(ClipFailure) in try resampler.push(samples, receive: receive) }
        }
    }

    func flush() throws(InterfaceError) {
        try requireSound()
        // The statistics of a signal are those of an extraction only if its rows come in the same pieces.
        guard !needsEnd else { return }
        try orFail(claiming: handle.need.frames) { () throws(InterfaceError) in
            try keeping { receive in stream.flush(to: receive) }
        }
    }

    func finish() throws(InterfaceError) {
        try requireSound()
        try orFail(claiming: need + handle.need.statistics) { () throws(InterfaceError) in
            if let resampler {
                try resampled { receive throws(ClipFailure) in try resampler.finish(receive: receive) }
            }
            if let waiting {
                let samples = UnsafeBufferPointer(waiting.values)
                var survey = SignalSurvey(handle.plan)
                while survey.needsPass {
                    survey.push(samples)
                    survey.endPass()
                }
                stream.start(survey.level)
                try keeping { receive in stream.push(samples, to: receive) }
                waiting.removeAll()
            }
            var isComplete = true
            try keeping { receive in isComplete = stream.finish(to: receive) }
            guard isComplete else { throw .outOfMemory }
            if needsEnd {
                let all = UnsafeMutableBufferPointer(rebasing: rows.values[signalStart...])
                let final = try handle.rows.finish(all, handle.plan)
                rows.removeLast(all.count - final.count)
            }
            try arrangeRest()
            startSignal()
        }
    }

    /// Where rows are read from.
    private var readable: GrowingBuffer { arrangement == nil ? rows : arranged }

    /// Arranges the final rows from value `start` on.
    private func arrange(from start: Int) throws(InterfaceError) {
        guard let arrangement, rows.count > start else { return }
        var hasMemory = true
        arrangement.push(UnsafeMutableBufferPointer(rebasing: rows.values[start...])) { values in
            if hasMemory { hasMemory = arranged.append(UnsafeBufferPointer(values)) }
        }
        rows.removeLast(rows.count - start)
        guard hasMemory else { throw .outOfMemory }
    }

    /// Arranges what is left at the end of a signal.
    private func arrangeRest() throws(InterfaceError) {
        guard let arrangement else { return }
        if needsEnd { try arrange(from: signalStart) }
        var hasMemory = true
        arrangement.finish { values in if hasMemory { hasMemory = arranged.append(UnsafeBufferPointer(values)) } }
        guard hasMemory else { throw .outOfMemory }
    }

    /// Moves rows to `target`; returns their number.
    func read(into target: UnsafeMutablePointer<Float>?, capacity: Int) throws(InterfaceError) -> Int {
        let count = min(capacity, available)
        guard count > 0 else { return 0 }
        guard let target, let source = readable.values.baseAddress else { throw .null("features") }
        let size = count * handle.columns
        target.update(from: source + readValues, count: size)
        readValues += size
        return count
    }

    func reset() throws(InterfaceError) {
        if let resampler {
            try claiming(handle.need.resampling) { () throws(InterfaceError) in resampler.reset() }
        }
        waiting?.removeAll()
        rows.removeAll()
        arranged.removeAll()
        (readValues, failure) = (0, nil)
        startSignal()
    }

    private func startSignal() {
        stream.start()
        signalStart = rows.count
        received = 0
        arrangement?.start()
    }

    private func requireSound() throws(InterfaceError) {
        guard let failure else { return }
        throw InterfaceError(
            .streamFailed, "an earlier call failed, and the stream has to be reset first: \(failure.text)")
    }

    /// The memory that a piece takes while it is computed, in bytes.
    private var need: Int { handle.need.frames + (resampler == nil ? 0 : handle.need.resampling) }

    private func orFail(
        claiming bytes: Int, _ body: () throws(InterfaceError) -> Void
    ) throws(InterfaceError) {
        do throws(InterfaceError) {
            try claiming(bytes, body)
        } catch {
            failure = error
            throw error
        }
    }

    /// Takes samples at the plan's rate.
    private func take(_ samples: UnsafeBufferPointer<Float>) throws(InterfaceError) {
        if let waiting {
            guard waiting.append(samples) else { throw .outOfMemory }
        } else {
            try keeping { receive in stream.push(samples, to: receive) }
        }
    }

    /// Takes samples from a resampler.
    private func resampled(
        _ body: ((UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void) throws(ClipFailure) -> Void
    ) throws(InterfaceError) {
        var failure: InterfaceError?
        do throws(ClipFailure) {
            try body { samples throws(ClipFailure) in
                do throws(InterfaceError) {
                    try take(samples)
                } catch {
                    failure = error
                    throw .stopped
                }
            }
        } catch {
            throw failure ?? InterfaceError(error)
        }
    }

    /// Appends the rows that `body` hands over, normalised where that does not need all of them.
    private func keeping(_ body: ((UnsafeBufferPointer<Float>) -> Void) -> Void) throws(InterfaceError) {
        // Rows that have been read are removed once they are more than half of all.
        if readValues > readable.count / 2 {
            readable.removeFirst(readValues)
            signalStart = max(0, signalStart - readValues)
            readValues = 0
        }
        let (rows, start) = (rows, rows.count)
        var hasMemory = true
        body { if hasMemory { hasMemory = rows.append($0) } }
        do throws(InterfaceError) {
            guard hasMemory else { throw .outOfMemory }
            if !needsEnd, rows.count > start {
                _ = try handle.rows.finish(UnsafeMutableBufferPointer(rebasing: rows.values[start...]), handle.plan)
            }
            if !needsEnd { try arrange(from: start) }
        } catch {
            // Only rows that are final can be read.
            rows.removeLast(rows.count - start)
            throw error
        }
    }
}
