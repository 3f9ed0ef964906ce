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
    /// - Parameter bytes: Memory of each thread in addition to its stack.
    static func threads(_ count: Int, of bytes: Int) -> Int {
        guard let left else { return count }
        return max(1, min(count, (left - reserve) / (SystemThread.stackSize + bytes)))
    }

    /// Bytes that are mapped now, by Linux; nil: unknown.
    private static var mapped: Int? {
        SystemNumbers.read("/proc/self/statm").first.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
    }
}

/// The descriptors that `ulimit -n` leaves to the process.
enum Descriptors {
    /// Descriptors of everything but the workers: outputs, pipes, archives.
    private static let reserve = 64
    /// Those of a worker: its recording, another one open meanwhile, its file of clips, and that file for readers.
    private static let ofEach = 4

    /// The number of threads that have enough of them; 0 or less: none.
    static var threads: Int {
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return .max }
        return (Int(clamping: limit.rlim_cur) - reserve) / ofEach
    }
}

/// Short files in /proc with numbers about a process.
enum SystemNumbers {
    /// The integers at the start of a file, separated by spaces; none if it cannot be read, as where /proc is missing.
    static func read(_ path: String, in folder: Int32 = AT_FDCWD) -> [Int] {
        let descriptor = openat(folder, path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        return withUnsafeTemporaryAllocation(byteCount: 128, alignment: 1) { text in
            let count = Platform.read(descriptor, text.baseAddress, text.count)
            guard count > 0 else { return [] }
            var numbers: [Int] = []
            for word in text[..<count].split(separator: UInt8(ascii: " ")) {
                let digits = word.prefix { (0x30...0x39).contains($0) }
                guard !digits.isEmpty else { break }
                numbers.append(digits.reduce(0) { $0 &* 10 &+ Int($1 - 0x30) })
            }
            return numbers
        }
    }
}
