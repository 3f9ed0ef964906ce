import Platform
import Synchronization

/// The terminal that a picture is shown on and keys are read from.
///
/// `enter` switches to the alternate screen, without cursor and echo, with keys one by one. `leave` restores the screen; it may
/// be called repeatedly and from any thread. `deinit` calls it, too.
package final class TerminalDevice: Sendable {
    private let output: Int32
    /// Where keys come from; nil: no keys.
    private let keys: Int32?
    private let ownsOutput: Bool
    /// Length of a turn, in milliseconds, while waiting for a terminal that accepts nothing.
    private static let turn = 50
    /// Number of turns to switch screens.
    private static let maximumTurns = 10
    private let saved = Mutex<Saved?>(nil)

    private struct Saved {
        /// The previous settings; nil: there are no keys.
        let settings: termios?
    }

    /// The value for "no character" (`_POSIX_VDISABLE`).
    #if canImport(Darwin)
        private static let noCharacter: UInt8 = 0xFF
    #else
        private static let noCharacter: UInt8 = 0
    #endif

    /// Alternate screen, no cursor, no line wrap, all blank.
    private static let entering: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[0m\u{1B}[2J"
    private static let leaving: StaticString = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    /// Standard output with the keys of the process' terminal; nil: it is not a terminal.
    package static func standardOutput() -> TerminalDevice? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        let keys = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        let output = reopened(STDOUT_FILENO)
        return TerminalDevice(output: output ?? STDOUT_FILENO, keys: keys >= 0 ? keys : nil, ownsOutput: output != nil)
    }

    /// The terminal of the process, also if standard output is redirected; nil: it has none.
    package static func controlling() -> TerminalDevice? {
        let number = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard number >= 0 else { return nil }
        return TerminalDevice(output: number, keys: number, ownsOutput: true)
    }

    /// An open terminal, opened again for non-blocking writes, which do not affect other processes with the same descriptor;
    /// nil: it cannot be opened.
    private static func reopened(_ descriptor: Int32) -> Int32? {
        guard let name = ttyname(descriptor) else { return nil }
        let number = open(name, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard number >= 0 else { return nil }
        var (old, new) = (stat(), stat())
        guard fstat(descriptor, &old) == 0, fstat(number, &new) == 0, old.st_rdev == new.st_rdev else {
            close(number)
            return nil
        }
        return number
    }

    init(output: Int32, keys: Int32?, ownsOutput: Bool) {
        self.output = output
        self.keys = keys
        self.ownsOutput = ownsOutput
    }

    deinit {
        leave()
        if ownsOutput { close(output) }
        if let keys, keys != output { close(keys) }
    }

    package var hasKeys: Bool { keys != nil }

    /// Columns and rows; 80 × 24 where the terminal does not say.
    package var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Switches to the alternate screen. Ctrl-C still interrupts; Ctrl-Z is off, since it would not restore the screen.
    package func enter() {
        saved.withLock { saved in
            guard saved == nil else { return }
            saved = Saved(settings: keys.flatMap(Self.readKeysOneByOne))
            send(Self.entering)
        }
    }

    package func leave() {
        saved.withLock { saved in
            guard let was = saved else { return }
            saved = nil
            var isOut = send(Self.leaving)
            if !isOut {
                // Output may be suspended by Ctrl-S; this resumes it.
                tcflow(output, TCOOFF)
                tcflow(output, TCOON)
                isOut = send(Self.leaving)
            }
            if var settings = was.settings, let keys { tcsetattr(keys, isOut ? TCSADRAIN : TCSANOW, &settings) }
        }
    }

    /// Writes a sequence within `maximumTurns`; false: the terminal is gone or accepts nothing.
    @discardableResult
    private func send(_ text: StaticString) -> Bool {
        var left = Self.maximumTurns
        var isWhole = true
        let isThere = text.withUTF8Buffer { bytes in
            show(UnsafeRawBufferPointer(bytes)) {
                left -= 1
                isWhole = left > 0
                return isWhole
            }
        }
        return isThere && isWhole
    }

    /// Writes all bytes, unless `isWanted` turns false while the terminal accepts none.
    ///
    /// - Parameter isWanted: Called some twenty times a second while the terminal accepts nothing.
    /// - Returns: False: the terminal is gone.
    @discardableResult
    package func show(_ bytes: UnsafeRawBufferPointer, while isWanted: () -> Bool = { true }) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = write(output, piece.baseAddress, piece.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var wanted = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                guard poll(&wanted, 1, Int32(Self.turn)) > 0 || isWanted() else { return true }
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// - Parameter bytes: What was read is appended here.
    /// - Returns: False: the terminal is gone.
    package func readKeys(into bytes: inout [UInt8], milliseconds: Int) -> Bool {
        guard let keys else {
            poll(nil, 0, Int32(max(milliseconds, 0)))
            return true
        }
        var wanted = pollfd(fd: keys, events: Int16(POLLIN), revents: 0)
        guard poll(&wanted, 1, Int32(max(milliseconds, 0))) > 0 else { return true }
        var buffer = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        let count = withUnsafeMutableBytes(of: &buffer) { read(keys, $0.baseAddress, $0.count) }
        if count > 0 { withUnsafeBytes(of: buffer) { bytes.append(contentsOf: $0[..<count]) } }
        return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN))
    }

    /// Turns off line editing and echo; returns the previous settings.
    private static func readKeysOneByOne(_ descriptor: Int32) -> termios? {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return nil }
        let before = settings
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        withUnsafeMutableBytes(of: &settings.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
            characters[Int(VSUSP)] = Self.noCharacter
        }
        return tcsetattr(descriptor, TCSADRAIN, &settings) == 0 ? before : nil
    }
}
