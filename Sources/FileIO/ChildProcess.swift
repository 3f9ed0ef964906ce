import CPlatform
import Platform

/// A program that was started, whose standard output is read as a stream.
///
/// It is started without a shell, in a process group of its own (Ctrl-C reaches the parent alone, which ends it), with no
/// descriptor of the parent's but its own three, and with few variables of the environment. When the value goes, it is killed
/// and waited for. Used by one thread at a time.
package final class ChildProcess {
    /// Why its output ended early.
    package enum Failure: Error {
        /// The system refused.
        case system(SystemError)
        /// It wrote to standard error: the first line.
        case complaint([UInt8])
        /// It ended with a status other than 0, and wrote nothing to standard error.
        case status(Int32)
        /// A signal ended it.
        case signal(Int32)
        /// It wrote nothing for `ChildProcess.patience` seconds.
        case silent
        /// `shouldStop` returned true.
        case stopped
    }

    /// How long a child may write nothing, in seconds, before it is killed.
    package static let patience = 60

    /// Variables that a child gets: where to find programs and libraries. Others may change what it does (`FFREPORT` makes
    /// ffmpeg write a file).
    private static let variables = [
        "PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH",
    ]
    private static let keptComplaint = 4096
    private static let tick: Int32 = 100

    private let pid: pid_t
    private let output: OwnedDescriptor
    private let errors: OwnedDescriptor
    /// The parent's end of standard input; nil: it is empty, or all of it is written.
    private var feed: OwnedDescriptor?
    private let input: FilePart?
    private var fed = 0
    private var pending: ArraySlice<UInt8> = []
    private var complaint: [UInt8] = []
    /// Whether the child may still write to standard error: at its end, `poll` would return at once, again and again.
    private var hasErrors = true
    private var isReaped = false
    private var hasEnded = false
    private let shouldStop: () -> Bool

    /// If the parent was started with SIGCHLD ignored, the system would forget how a child ended.
    private static let keepStatus: Void = { _ = signal(SIGCHLD, SIG_DFL) }()

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - program: Its absolute path.
    ///   - arguments: Without its name.
    ///   - input: The bytes of its standard input; nil: that is empty.
    ///   - shouldStop: Called several times a second while the child is waited for.
    package init(
        _ program: String, _ arguments: [String], input: FilePart? = nil,
        shouldStop: @escaping () -> Bool = { false }
    ) throws(SystemError) {
        Self.keepStatus
        let (output, outputEnd) = try OwnedDescriptor.pipe()
        let (errors, errorsEnd) = try OwnedDescriptor.pipe()
        var (feed, feedEnd): (OwnedDescriptor?, OwnedDescriptor?)
        if input != nil { (feed, feedEnd) = try OwnedDescriptor.socketPair() }
        let words = [program] + arguments
        let variables = Self.variables.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
        pid = try Self.spawn(
            words, variables + ["LC_ALL=C", "AV_LOG_FORCE_NOCOLOR=1"], input: feedEnd?.number,
            output: outputEnd.number, errors: errorsEnd.number)
        (self.output, self.errors, self.feed, self.input) = (output, errors, feed, input)
        self.shouldStop = shouldStop
        for descriptor in [output, errors] { descriptor.setNonBlocking() }
        // The child's ends close here, so that its end is seen.
        withExtendedLifetime((outputEnd, errorsEnd, feedEnd)) {}
    }

    deinit {
        guard !isReaped else { return }
        // Its group: the program may be a script that has started another.
        kill(-pid, SIGKILL)
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    }

    /// The next bytes of standard output.
    ///
    /// - Returns: Their number; 0: the child has ended, with status 0 and nothing on standard error.
    /// - Throws: `Failure`.
    package func read(into bytes: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        guard !hasEnded else { return 0 }
        var waited = ContinuousClock.now
        while true {
            var polled = [
                // A negative number is passed over.
                pollfd(fd: hasErrors ? errors.number : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: output.number, events: Int16(POLLIN), revents: 0),
            ]
            if let feed { polled.append(pollfd(fd: feed.number, events: Int16(POLLOUT), revents: 0)) }
            let count = poll(&polled, nfds_t(polled.count), Self.tick)
            if shouldStop() { throw .stopped }
            guard count >= 0 || errno == EINTR else { throw .system(.last) }
            if count > 0 {
                if polled[0].revents != 0 { hasErrors = try drainErrors() }
                if polled.count > 2, polled[2].revents != 0 { try write() }
                if polled[1].revents != 0, let count = try Self.read(output, into: bytes) {
                    if count == 0 { try end() }
                    return count
                }
                // Input that it takes does not count: only output does.
                if polled[0].revents != 0 { waited = .now }
            }
            guard waited.duration(to: .now) < .seconds(Self.patience) else { throw .silent }
        }
    }

    /// Reads what there is on standard error; returns whether more may follow.
    ///
    /// - Throws: `.complaint` as soon as there is a line.
    private func drainErrors() throws(Failure) -> Bool {
        var isOpen = true
        try withBuffer { bytes throws(Failure) in
            while true {
                guard let count = try Self.read(errors, into: bytes) else { break }
                guard count > 0 else {
                    isOpen = false
                    break
                }
                complaint += bytes[..<count].prefix(max(Self.keptComplaint - complaint.count, 0))
                if complaint.contains(UInt8(ascii: "\n")) || complaint.count >= Self.keptComplaint { break }
            }
        }
        if complaint.count >= Self.keptComplaint || complaint.contains(UInt8(ascii: "\n")) { throw firstLine }
        return isOpen
    }

    private var firstLine: Failure { .complaint(Array(complaint.prefix { $0 != UInt8(ascii: "\n") })) }

    /// Waits until the child has ended, after its last output.
    private func end() throws(Failure) {
        let start = ContinuousClock.now
        var status: Int32 = 0
        while true {
            if hasErrors {
                var polled = pollfd(fd: errors.number, events: Int16(POLLIN), revents: 0)
                if poll(&polled, 1, Self.tick) > 0 { hasErrors = try drainErrors() }
            } else {
                let found = waitpid(pid, &status, WNOHANG)
                if found == pid { break }
                guard found == 0 || errno == EINTR else { throw .system(.last) }
                usleep(200)
            }
            if shouldStop() { throw .stopped }
            guard start.duration(to: .now) < .seconds(Self.patience) else { throw .silent }
        }
        isReaped = true
        guard complaint.isEmpty else { throw firstLine }
        // As the macros WIFEXITED and WEXITSTATUS.
        guard status & 0x7F == 0 else { throw .signal(status & 0x7F) }
        guard status == 0 else { throw .status(status >> 8 & 0xFF) }
        hasEnded = true
    }

    /// Writes as much to standard input as the child takes. It may close it whenever it has read enough.
    private func write() throws(Failure) {
        guard let feed, let input else { return }
        if pending.isEmpty {
            let count = min(1 << 16, input.count - fed)
            do throws(SystemError) {
                pending = try input.file.bytes(at: input.offset + fed, max(count, 0))[...]
            } catch {
                throw .system(error)
            }
            fed += pending.count
        }
        guard !pending.isEmpty else {
            self.feed = nil
            return
        }
        let sent = pending.withUnsafeBytes { send(feed.number, $0.baseAddress, $0.count, OwnedDescriptor.sendFlags) }
        if sent >= 0 {
            pending = pending.dropFirst(sent)
        } else if errno != EAGAIN, errno != EINTR {
            self.feed = nil
        }
    }

    /// Reads once; nil: nothing is there yet.
    private static func read(
        _ descriptor: OwnedDescriptor, into bytes: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> Int? {
        let count = Platform.read(descriptor.number, bytes.baseAddress, bytes.count)
        if count >= 0 { return count }
        guard errno == EAGAIN || errno == EINTR else { throw .system(.last) }
        return nil
    }

    private func withBuffer(_ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void) throws(Failure) {
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.keptComplaint, alignment: 1)
        defer { bytes.deallocate() }
        try body(bytes)
    }
}

extension ChildProcess {
    /// Starts a program with all variables of the environment, without any input, whose output is dropped, and which goes on when this
    /// program ends.
    ///
    /// - Parameter words: Its absolute path, and its arguments.
    package static func startUnattended(_ words: [String]) throws(SystemError) {
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard null >= 0 else { throw .last }
        defer { close(null) }
        var variables: [String] = []
        var next = environ
        while let variable = next.pointee {
            variables.append(String(cString: variable))
            next += 1
        }
        _ = try spawn(words, variables, input: nil, output: null, errors: null)
    }

    #if canImport(Darwin)
        private typealias Actions = posix_spawn_file_actions_t?
        private typealias Attributes = posix_spawnattr_t?
    #else
        private typealias Actions = posix_spawn_file_actions_t
        private typealias Attributes = posix_spawnattr_t
    #endif

    /// Starts a program with three descriptors: no others, which may be those of HDF5 and so hold its lock.
    private static func spawn(
        _ words: [String], _ variables: [String], input: Int32?, output: Int32, errors: Int32
    ) throws(SystemError) -> pid_t {
        #if canImport(Darwin)
            var (actions, attributes): (Actions, Attributes) = (nil, nil)
        #else
            var (actions, attributes) = (Actions(), Attributes())
        #endif
        try check(posix_spawn_file_actions_init(&actions))
        defer { posix_spawn_file_actions_destroy(&actions) }
        try check(posix_spawnattr_init(&attributes))
        defer { posix_spawnattr_destroy(&attributes) }
        if let input {
            try check(posix_spawn_file_actions_adddup2(&actions, input, 0))
        } else {
            try check(posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0))
        }
        try check(posix_spawn_file_actions_adddup2(&actions, output, 1))
        try check(posix_spawn_file_actions_adddup2(&actions, errors, 2))
        var flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        #if canImport(Darwin)
            flags |= POSIX_SPAWN_CLOEXEC_DEFAULT
        #endif
        try check(veery_spawn_close_others(&actions))
        // Threads of the parent block signals, and the parent ignores some.
        var (none, usual) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        sigemptyset(&usual)
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ, SIGCHLD] { sigaddset(&usual, number) }
        try check(posix_spawnattr_setsigmask(&attributes, &none))
        try check(posix_spawnattr_setsigdefault(&attributes, &usual))
        try check(posix_spawnattr_setpgroup(&attributes, 0))
        try check(posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags)))

        var arguments = words.map { strdup($0) } + [nil]
        var environment = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var pid: pid_t = 0
        try check(posix_spawn(&pid, words.first ?? "", &actions, &attributes, &arguments, &environment))
        return pid
    }

    private static func check(_ code: Int32) throws(SystemError) { if code != 0 { throw SystemError(code: code) } }
}

/// A descriptor that is closed with the value, and by every program that is started.
private final class OwnedDescriptor {
    let number: Int32

    private init(_ number: Int32) throws(SystemError) {
        // Numbers up to 2 are those of the child's standard streams.
        if number <= 2 {
            self.number = fcntl(number, F_DUPFD_CLOEXEC, 3)
            let code = errno
            close(number)
            guard self.number >= 0 else { throw SystemError(code: code) }
        } else {
            self.number = number
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        }
    }

    deinit { close(number) }

    func setNonBlocking() { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }

    /// The end to read, and the one to write.
    static func pipe() throws(SystemError) -> (read: OwnedDescriptor, write: OwnedDescriptor) {
        var ends: [Int32] = [-1, -1]
        guard Platform.pipe(&ends) == 0 else { throw .last }
        return try pair(ends)
    }

    /// Two ends of a stream. Unlike a pipe it can be written to without a signal when its reader is gone.
    static func socketPair() throws(SystemError) -> (parent: OwnedDescriptor, child: OwnedDescriptor) {
        var ends: [Int32] = [-1, -1]
        #if canImport(Darwin)
            guard socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0 else { throw .last }
            var on: Int32 = 1
            setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #else
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw .last }
        #endif
        return try pair(ends)
    }

    private static func pair(_ ends: [Int32]) throws(SystemError) -> (OwnedDescriptor, OwnedDescriptor) {
        let first: OwnedDescriptor
        do { first = try OwnedDescriptor(ends[0]) } catch {
            close(ends[1])
            throw error
        }
        return (first, try OwnedDescriptor(ends[1]))
    }

    #if canImport(Darwin)
        static let sendFlags = Int32(MSG_DONTWAIT)
    #else
        static let sendFlags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    #endif
}
