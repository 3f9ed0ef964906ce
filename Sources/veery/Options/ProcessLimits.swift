import Foundation

/// What the system lets the program do.
enum ProcessLimits {
    private static let files: rlim_t = 8192

    /// Raises the number of files that may be open, of which each thread has two, as far as the system lets a user; and has a
    /// file that grows past its limit (`ulimit -f`) be an error like a full disk, instead of the program's end.
    static func prepare() {
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
}
