import Synchronization

/// Runs the same work on several threads and waits for all of them.
package enum WorkerPool {
    /// Default memory of a thread in addition to its stack: buffers of a decoder.
    static let usualMemory = 4 << 20

    /// Fewer than `count` threads do the work where the system refuses more, or memory is limited. Without any, the caller's
    /// thread does the work, after `meanwhile`.
    ///
    /// - Parameters:
    ///   - count: Number of threads, at least 1.
    ///   - memory: Bytes that each thread needs.
    ///   - meanwhile: Runs on the caller's thread while the others work.
    ///   - body: Called with the thread's number, from 0. The threads that run have to do all of the work.
    /// - Throws: The first error of a thread, after all have ended.
    package static func run(
        _ count: Int, memory: Int = usualMemory, meanwhile: () throws -> Void = {},
        _ body: @escaping @Sendable (Int) throws -> Void
    ) throws {
        let crew = WorkerCrew(body)
        crew.start(upTo: AddressSpace.threads(max(count, 1), of: memory))
        do { try meanwhile() } catch { crew.note(error) }
        try crew.finish()
    }
}

extension WorkerPool {
    /// Computes a value for each index from 0 on, on several threads that take one index after another.
    ///
    /// - Parameters:
    ///   - count: Number of values.
    ///   - jobs: Number of threads, at least 1.
    ///   - worker: Makes what a thread needs for itself.
    ///   - finish: Takes it back, once there is nothing more to do.
    /// - Returns: The values in the order of their indices.
    /// - Throws: The error of the least index that has one, whichever came first.
    package static func map<Value: Sendable, Worker>(
        _ count: Int, jobs: Int, worker: @escaping @Sendable () throws -> Worker,
        finish: @escaping @Sendable (Worker) -> Void = { _ in },
        _ body: @escaping @Sendable (inout Worker, Int) throws -> Value
    ) throws -> [Value] {
        guard count > 0 else { return [] }
        let parts = Parts(count)
        let results = Mutex(
            (values: [Value?](repeating: nil, count: count), failure: (index: Int, error: any Error)?.none))
        try run(min(jobs, count)) { _ in
            var own = try worker()
            while let index = parts.take()?.lowerBound {
                do {
                    let value = try body(&own, index)
                    results.withLock { $0.values[index] = value }
                } catch {
                    // All lesser indices are taken, and the threads that took them finish them.
                    parts.stop()
                    results.withLock { results in
                        if results.failure.map({ index < $0.index }) ?? true { results.failure = (index, error) }
                    }
                }
            }
            finish(own)
        }
        return try results.withLock { results in
            if let failure = results.failure { throw failure.error }
            return results.values.compactMap(\.self)
        }
    }

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
    ///   - meanwhile: Runs on the caller's thread while other threads process the parts; it runs even if there are no parts.
    ///   - worker: Makes what a thread needs for itself.
    ///   - failed: Called after the error of a thread, before that has ended, to release others that wait for it.
    ///   - body: Does the parts of some indices.
    /// - Throws: The first error of a thread, after all have ended.
    package static func each<Worker>(
        _ count: Int, few: Int = 1, jobs: Int, meanwhile: () throws -> Void = {},
        worker: @escaping @Sendable () throws -> Worker, failed: @escaping @Sendable () -> Void = {},
        _ body: @escaping @Sendable (inout Worker, Range<Int>) throws -> Void
    ) throws {
        let parts = Parts(count)
        try run(max(1, min(jobs, count / few)), meanwhile: meanwhile) { _ in
            guard count > 0 else { return }
            do { try parts.work(worker, few: few, body) } catch {
                failed()
                throw error
            }
        }
    }
}

/// Parts of some work that threads take one after another, each once.
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
