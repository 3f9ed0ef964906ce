import Foundation

/// How many files the program may have open: each thread has a recording and a file of finished clips.
enum OpenFileLimit {
    private static let wanted: rlim_t = 8192

    /// Raises the limit as far as the system lets a user, where it is a low one.
    static func raise() {
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(wanted, limit.rlim_max)
        setrlimit(resource, &limit)
    }
}
