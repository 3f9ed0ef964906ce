import ArgumentParser
import CProcess
import Foundation
import Synchronization

/// Limits that the system sets to the process.
enum ProcessLimits {
    private static let files: rlim_t = 8192

    /// Raises the limit of open files, of which each thread has two, as far as a user may. Makes a file beyond its limit
    /// (`ulimit -f`) an error like a full disk, instead of the end of the program. Makes the program end with a sentence and
    /// `ExitCode.tryAgain` where memory runs out.
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

    /// Sets the last words where memory runs out.
    static func whereMemoryEnds(_ words: String) { veery_guard_words(strdup(words)) }

    private static let farewell = Mutex<(@Sendable () -> Void)?>(nil)

    /// Sets what is done before the program ends for lack of memory; it must not allocate.
    static func beforeMemoryEnds(_ farewell: @escaping @Sendable () -> Void) {
        Self.farewell.withLock { $0 = farewell }
        veery_guard_farewell { ProcessLimits.farewell.withLock { $0 }?() }
    }
}

/// The arguments on the command line.
enum ProcessArguments {
    /// All arguments after the program's name; nil where only Swift itself can read them, from /proc, which a chroot may lack.
    static var all: [String]? {
        guard var next = veery_arguments() else { return nil }
        var words: [String] = []
        while let word = next.pointee {
            words.append(String(cString: word))
            next += 1
        }
        return Array(words.dropFirst())
    }
}

extension ExitCode {
    /// The system failed: no memory, threads, descriptors or disk space, or a file server is gone. The same command may
    /// succeed later (`EX_TEMPFAIL`).
    static let tryAgain = ExitCode(75)
}
