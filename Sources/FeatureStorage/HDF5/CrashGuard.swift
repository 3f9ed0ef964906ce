import CHDF5
import Platform
import Synchronization

/// Ends the process with one clear line where libhdf5 crashes on a damaged file, or does not return.
///
/// libhdf5 1.10 trusts much of what a file says. `HDF5Structure` refuses files that make it read out of bounds, abort, loop
/// forever or allocate gigabytes, but it covers one version of the format, and not every bug of the library. So a command
/// without unsaved work starts this guard before it opens a file: SIGSEGV, SIGBUS, SIGABRT, SIGFPE, and more than 4 s of
/// processor time in a single call then end the process with status 1 and a line that names the file. Signal handlers
/// belong to the whole process, so a library does not install them by itself.
package enum CrashGuard {
    /// Seconds of processor time between two checks; a call that is seen in both has used at least as many.
    private static let seconds: Int32 = 4
    private static let crashes = [SIGSEGV, SIGBUS, SIGABRT, SIGFPE]

    /// Address and length of the message; its bytes are never released. A handler may use nothing but atomics.
    private static let message = Atomic(UInt(0))
    private static let length = Atomic(0)
    /// Number of calls so far, and of the current one; 0: none.
    private static let calls = Atomic(0)
    private static let current = Atomic(0)
    /// The current call at the last check.
    private static let seen = Atomic(0)
    /// The thread inside the library: a crash in another has another cause.
    private static let thread = Atomic(UInt(0))

    /// Starts the guard before a file is read.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - watchesTime: Whether the processor time of a call is limited. It includes that of other threads, so
    ///     a command that starts some must not limit it.
    package static func start(_ path: String, watchesTime: Bool = true) {
        // A long path loses its start.
        let shown = path.utf8.count <= 4000 ? path : "…" + String(path.suffix(1000))
        let text = Array(
            "Error: \(shown): the file is damaged: HDF5 crashed, or did not return, while reading it\n".utf8)
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.count)
        _ = bytes.initialize(from: text)
        message.store(UInt(bitPattern: bytes.baseAddress), ordering: .sequentiallyConsistent)
        length.store(bytes.count, ordering: .sequentiallyConsistent)
        seen.store(0, ordering: .relaxed)
        // libhdf5 may have used up the stack by recursion.
        let size = 65_536
        var stack = stack_t()
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        stack.ss_size = numericCast(size)
        sigaltstack(&stack, nil)
        for crash in crashes { veery_h5_handle(crash) { CrashGuard.crash($0) } }
        guard watchesTime else { return }
        veery_h5_handle(SIGPROF) { _ in CrashGuard.look() }
        veery_h5_clock(seconds)
    }

    /// Stops the guard.
    package static func stop() {
        veery_h5_clock(0)
        for signal in crashes { veery_h5_handle(signal, nil) }
        // A pending signal must not end the process.
        signal(SIGPROF, SIG_IGN)
    }

    /// A call of the library starts.
    static func enter() {
        thread.store(veery_h5_thread(), ordering: .relaxed)
        current.store(calls.wrappingAdd(1, ordering: .relaxed).newValue, ordering: .relaxed)
    }

    /// The call has returned.
    static func leave() { current.store(0, ordering: .relaxed) }

    private static func crash(_ number: Int32) {
        if current.load(ordering: .relaxed) != 0, thread.load(ordering: .relaxed) == veery_h5_thread() { quit() }
        // The instruction runs again, and ends the process as it would have without the guard.
        veery_h5_handle(number, nil)
    }

    private static func look() {
        let now = current.load(ordering: .relaxed)
        if now != 0, now == seen.load(ordering: .relaxed) { quit() }
        seen.store(now, ordering: .relaxed)
    }

    private static func quit() {
        if let bytes = UnsafeRawPointer(bitPattern: message.load(ordering: .relaxed)) {
            _ = write(2, bytes, length.load(ordering: .relaxed))
        }
        _exit(1)
    }
}
