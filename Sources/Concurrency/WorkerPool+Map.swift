import Synchronization

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
                    // Lesser indices are all taken: whoever has them ends them.
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
}
