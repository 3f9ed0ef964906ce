import Dispatch
import Platform
import Synchronization

/// Runs the same work on several threads and waits for all of them.
package enum WorkerPool {
    /// Default memory of a thread besides its stack: buffers of a decoder.
    private static let usualMemory = 4 << 20

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
        let first = Mutex<(any Error)?>(nil)
        @Sendable func keep(_ error: any Error) { first.withLock { $0 = $0 ?? error } }
        let group = DispatchGroup()
        var started = 0
        for number in 0..<AddressSpace.threads(max(count, 1), of: memory) {
            group.enter()
            do throws(NoThread) {
                try SystemThread.start {
                    defer { group.leave() }
                    do { try body(number) } catch { keep(error) }
                }
            } catch {
                group.leave()
                break
            }
            started += 1
        }
        do { try beside() } catch { keep(error) }
        if started == 0, first.withLock({ $0 == nil }) {
            do { try body(0) } catch { keep(error) }
        }
        group.wait()
        if let error = first.withLock({ $0 }) { throw error }
    }
}

/// The memory that `ulimit -v` leaves to the process.
enum AddressSpace {
    /// Bytes reserved for everything but the workers: columns, records, libraries.
    private static let reserve = 16 << 20

    /// Bytes that may still be mapped; nil: no limit, or unknown.
    static var left: Int? {
        #if canImport(Glibc)
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0,
                let limit = Int(exactly: limit.rlim_cur), let mapped
            else { return nil }
            return max(limit - mapped, 0)
        #else
            return nil
        #endif
    }

    /// The number of threads that fit, from 1 to `count`.
    ///
    /// - Parameter bytes: Memory of each thread besides its stack.
    static func threads(_ count: Int, of bytes: Int) -> Int {
        guard let left else { return count }
        return max(1, min(count, (left - reserve) / (SystemThread.stackSize + bytes)))
    }

    /// Bytes that are mapped now, by Linux; nil: unknown.
    private static var mapped: Int? {
        let descriptor = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let pages = withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { text -> Int? in
            let count = read(descriptor, text.baseAddress, text.count)
            guard count > 0 else { return nil }
            let digits = text[..<count].prefix { (0x30...0x39).contains($0) }
            return digits.isEmpty ? nil : digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }
        return pages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
    }
}
