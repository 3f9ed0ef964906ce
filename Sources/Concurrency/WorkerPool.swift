/// Runs the same work on several threads and waits for all of them.
package enum WorkerPool {
    /// Default memory of a thread besides its stack: buffers of a decoder.
    static let usualMemory = 4 << 20

    /// Fewer than `count` threads do the work where the system refuses more, or memory is limited. Without any, the caller's
    /// thread does the work, after `beside`.
    ///
    /// - Parameters:
    ///   - count: Number of threads, at least 1.
    ///   - memory: Bytes that each thread needs.
    ///   - beside: Runs meanwhile on the caller's thread.
    ///   - body: Gets the thread's number, from 0. The threads that run have to do all of the work.
    /// - Throws: The first error of a thread, after all have ended.
    package static func run(
        _ count: Int, memory: Int = usualMemory, beside: () throws -> Void = {},
        _ body: @escaping @Sendable (Int) throws -> Void
    ) throws {
        let crew = WorkerCrew(body)
        crew.start(upTo: AddressSpace.threads(max(count, 1), of: memory))
        do { try beside() } catch { crew.note(error) }
        try crew.finish()
    }
}
