import ArgumentParser
import CProcess
import Foundation
import Synchronization

/// What the system lets the program do.
enum ProcessLimits {
    private static let files: rlim_t = 8192

    /// Raises the number of files that may be open, of which each thread has two, as far as the system lets a user; and has a
    /// file that grows past its limit (`ulimit -f`) be an error like a full disk, instead of the program's end.
    /// And where memory runs out, the program ends with a sentence and `ExitCode.tryAgain`.
    static func prepare() {
        veery_guard_memory(ExitCode.tryAgain.rawValue)
        signal(SIGXFSZ, SIG_IGN)
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < files else { return }
        limit.rlim_cur = min(files, limit.rlim_max)
        setrlimit(resource, &limit)
    }

    /// What is said last where memory runs out.
    static func whereMemoryEnds(_ words: String) { veery_guard_words(strdup(words)) }

    private static let farewell = Mutex<(@Sendable () -> Void)?>(nil)

    /// Has something done before the program ends for want of memory, which must not need any.
    static func beforeMemoryEnds(_ farewell: @escaping @Sendable () -> Void) {
        Self.farewell.withLock { $0 = farewell }
        veery_guard_farewell { ProcessLimits.farewell.withLock { $0 }?() }
    }
}
