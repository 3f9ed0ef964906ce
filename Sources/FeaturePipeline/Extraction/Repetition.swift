import Dispatch

/// Does something again and again on a thread of its own, beside the work of others; not at all where the system has no
/// thread to give.
enum Repetition {
    /// - Parameters:
    ///   - period: Time between two of them.
    ///   - repeated: What is done.
    ///   - work: The work that it is done beside. When it ends, so does this: what has begun is ended first.
    /// - Throws: What `work` throws.
    static func of<Result, Failure: Error>(
        every period: DispatchTimeInterval, _ repeated: @escaping @Sendable () -> Void,
        beside work: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (end, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        do throws(NoThread) {
            try SystemThread.start {
                while end.wait(timeout: .now() + period) == .timedOut { repeated() }
                ended.signal()
            }
        } catch {
            // Without it there is more left to wait for in the end, and nothing else.
            return try work()
        }
        defer {
            end.signal()
            ended.wait()
        }
        return try work()
    }
}
