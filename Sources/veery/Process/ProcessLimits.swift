import ArgumentParser
import CProgram
import Platform
import Synchronization

enum ProcessLimits {
    private static let files: rlim_t = 8192

    /// Raises the limit of open files, of which each thread has two. Makes a file beyond the limit of sizes (`ulimit -f`) an error
    /// like a full disk, and lets lack of memory end the program with a message and `ExitCode.tryAgain`.
    static func prepare() {
        openStandardStreams()
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

    /// Takes the numbers of standard streams that the program was started without: otherwise a file that it opens would get one, and what
    /// is printed would be written into it. Of these, nothing can be read, and nothing be written to them.
    private static func openStandardStreams() {
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) == -1 && errno == EBADF
        {
            // The lowest free number is the one that was looked at.
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Sets the end of the message that is printed when memory runs out.
    static func setLastWords(_ words: String) { veery_guard_words(strdup(words)) }

    private static let farewell = Mutex<(@Sendable () -> Void)?>(nil)

    /// Sets an action before the program ends for lack of memory; it must not allocate.
    static func onMemoryExhausted(_ farewell: @escaping @Sendable () -> Void) {
        Self.farewell.withLock { $0 = farewell }
        veery_guard_farewell { ProcessLimits.farewell.withLock { $0 }?() }
    }
}

enum ProcessArguments {
    /// All arguments after the program's name; nil: only Swift itself can read them, from /proc, which a chroot may lack.
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
    /// The system failed: no memory, threads, descriptors or disk space, or a file server is down. The same command may
    /// succeed later (`EX_TEMPFAIL`).
    static let tryAgain = ExitCode(75)
}
