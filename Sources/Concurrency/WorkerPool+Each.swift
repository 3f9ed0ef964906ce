import Synchronization

extension WorkerPool {
    /// Does a part of the work for each index from 0 on, on threads that take one index after another; more threads start while they
    /// wait: see `run`. After an error, no further index is taken.
    ///
    /// - Parameters:
    ///   - count: Number of parts.
    ///   - workers: How many threads.
    ///   - worker: Makes what a thread needs for itself.
    ///   - body: Does the part of an index.
    /// - Throws: The first error of a thread, after all have ended.
    package static func each<Worker>(
        _ count: Int, _ workers: WorkerRange, worker: @escaping @Sendable () throws -> Worker,
        _ body: @escaping @Sendable (inout Worker, Int) throws -> Void
    ) throws {
        guard count > 0 else { return }
        let parts = Parts(count)
        try run(workers.limited(to: count)) { number, turns in
            try parts.work(worker, before: { turns.next(number) }) { try body(&$0, $1.lowerBound) }
        }
    }

    /// The same on a fixed number of threads that take some indices at a time.
    ///
    /// - Parameters:
    ///   - count: Number of parts.
    ///   - few: How many a thread takes at a time, for parts so small that taking each by itself would take longer.
    ///   - jobs: Number of threads, at least 1.
    ///   - beside: Runs on the caller's thread at the same time, even if there are no parts.
    ///   - worker: Makes what a thread needs for itself.
    ///   - failed: Called after the error of a thread, before that has ended, to release others that wait for it.
    ///   - body: Does the parts of some indices.
    /// - Throws: The first error of a thread, after all have ended.
    package static func each<Worker>(
        _ count: Int, few: Int = 1, jobs: Int, beside: () throws -> Void = {},
        worker: @escaping @Sendable () throws -> Worker, failed: @escaping @Sendable () -> Void = {},
        _ body: @escaping @Sendable (inout Worker, Range<Int>) throws -> Void
    ) throws {
        let parts = Parts(count)
        try run(max(1, min(jobs, count / few)), beside: beside) { _ in
            guard count > 0 else { return }
            do { try parts.work(worker, few: few, body) } catch {
                failed()
                throw error
            }
        }
    }
}

/// Parts of a work that threads take one after another, each once.
final class Parts: Sendable {
    private let count: Int
    private let following = Atomic(0)

    init(_ count: Int) { self.count = count }

    /// The next parts; nil: there are no more, or another thread has failed.
    func take(_ few: Int = 1) -> Range<Int>? {
        let first = following.wrappingAdd(few, ordering: .relaxed).oldValue
        return first < count ? first..<min(first + few, count) : nil
    }

    /// Hands out no more.
    func stop() { following.store(count, ordering: .relaxed) }

    /// Does parts until there are no more.
    func work<Worker>(
        _ worker: () throws -> Worker, few: Int = 1, before: () -> Void = {},
        _ body: (inout Worker, Range<Int>) throws -> Void
    ) throws {
        do {
            var own = try worker()
            while true {
                before()
                guard let parts = take(few) else { return }
                try body(&own, parts)
            }
        } catch {
            stop()
            throw error
        }
    }
}
