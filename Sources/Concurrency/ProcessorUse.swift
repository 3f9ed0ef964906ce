import Platform

/// The processor time of the process so far, in seconds.
struct ProcessorUse: Hashable, Sendable {
    /// How long its threads have run, and child processes that have ended, such as decoders.
    var running = 0.0
    /// How long its threads were ready to run and waited for a processor, because others ran on all of them: threads of this
    /// process or of others. 0 if the system does not say: on other systems than Linux, and without /proc.
    var queueing = 0.0

    /// Until now.
    static var now: ProcessorUse {
        #if canImport(Glibc)
            let (own, children) = (RUSAGE_SELF.rawValue, RUSAGE_CHILDREN.rawValue)
        #else
            let (own, children) = (RUSAGE_SELF, RUSAGE_CHILDREN)
        #endif
        return ProcessorUse(running: seconds(of: own) + seconds(of: children), queueing: queueing)
    }

    private static func seconds(of who: Int32) -> Double {
        var usage = rusage()
        guard getrusage(who, &usage) == 0 else { return 0 }
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// The second number of `schedstat` of each thread that runs now, which is in nanoseconds.
    private static var queueing: Double {
        #if os(Linux)
            guard let folder = opendir("/proc/self/task") else { return 0 }
            defer { closedir(folder) }
            var nanoseconds = 0
            while let entry = readdir(folder) {
                let isThread = (0x30...0x39).contains(UInt8(bitPattern: entry.pointee.d_name.0))
                guard isThread else { continue }
                let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                }
                let numbers = SystemNumbers.read("\(name)/schedstat", in: dirfd(folder))
                if numbers.count > 1 { nanoseconds += numbers[1] }
            }
            return Double(nanoseconds) / 1e9
        #else
            return 0
        #endif
    }
}
