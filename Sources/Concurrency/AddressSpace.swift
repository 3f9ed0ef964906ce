import Platform

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
