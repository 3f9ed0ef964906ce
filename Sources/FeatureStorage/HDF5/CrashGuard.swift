import CHDF5
import Platform
import Synchronization

/// Ends the process with one clear line where libhdf5 crashes on a damaged file, or does not come back from it.
///
/// libhdf5 1.10 trusts much of what a file says. `HDF5Structure` reads that first, and refuses what makes the library read past
/// its memory, abort, run for ever or take gigabytes; but it knows only one form of files, and not every mistake that
/// there may be in the library. So a command that has nothing to lose asks for this guard before it opens a file: SIGSEGV, SIGBUS, SIGABRT and SIGFPE, and more than 4 s of processor time
/// within a single call of the library, then end the process with status 1 and a line that names the file. The guard
/// belongs to the whole process, so a library does not put it up by itself.
package enum CrashGuard {
    /// Seconds of processor time after which a look is taken; a call that is seen twice has had at least as many.
    private static let seconds: Int32 = 4
    private static let crashes = [SIGSEGV, SIGBUS, SIGABRT, SIGFPE]

    /// What is written at the end: address and length of bytes that are never released. A handler may use nothing but atomics.
    private static let message = Atomic(UInt(0))
    private static let length = Atomic(0)
    /// Calls of the library so far, and the number of the one under way; 0: none is.
    private static let calls = Atomic(0)
    private static let current = Atomic(0)
    /// The call that was under way at the last look.
    private static let seen = Atomic(0)
    /// The thread that is in the library: what crashes in another is not the file's doing.
    private static let thread = Atomic(UInt(0))

    /// Puts the guard up, for a file that is read.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - watchesTime: Whether a call may use up only so much processor time: not where other threads are at work, whose
    ///     time counts too.
    package static func begin(_ path: String, watchesTime: Bool = true) {
        // A longer path is cut at its beginning, which says less.
        let shown = path.utf8.count <= 4000 ? path : "…" + String(path.suffix(1000))
        let text = Array(
            "Error: \(shown): the file is damaged: HDF5 crashed, or did not come to an end, while it was read\n".utf8)
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

    /// Takes it down.
    package static func end() {
        veery_h5_clock(0)
        for signal in crashes { veery_h5_handle(signal, nil) }
        // One that is under way must not end the process.
        signal(SIGPROF, SIG_IGN)
    }

    /// A call of the library begins.
    static func enter() {
        thread.store(veery_h5_thread(), ordering: .relaxed)
        current.store(calls.wrappingAdd(1, ordering: .relaxed).newValue, ordering: .relaxed)
    }

    /// It has come back.
    static func leave() { current.store(0, ordering: .relaxed) }

    private static func crash(_ number: Int32) {
        if current.load(ordering: .relaxed) != 0, thread.load(ordering: .relaxed) == veery_h5_thread() { stop() }
        // The instruction is tried again, and ends the process as it would have without the guard.
        veery_h5_handle(number, nil)
    }

    private static func look() {
        let now = current.load(ordering: .relaxed)
        if now != 0, now == seen.load(ordering: .relaxed) { stop() }
        seen.store(now, ordering: .relaxed)
    }

    private static func stop() {
        if let bytes = UnsafeRawPointer(bitPattern: message.load(ordering: .relaxed)) {
            _ = write(2, bytes, length.load(ordering: .relaxed))
        }
        _exit(1)
    }
}
