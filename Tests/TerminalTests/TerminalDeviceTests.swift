import Foundation
import Testing

@testable import Terminal

struct TerminalDeviceTests {
    /// Both ends of a terminal that exists in memory alone.
    private final class Pair {
        let outer: Int32
        let inner: Int32

        init() throws {
            #if os(Linux)
                // Swift's module of the C library leaves posix_openpt and its kin out.
                outer = open("/dev/ptmx", O_RDWR | O_NOCTTY)
                var (locked, number): (Int32, Int32) = (0, 0)
                let (unlock, ask): (UInt, UInt) = (0x4004_5431, 0x8004_5430)  // TIOCSPTLCK, TIOCGPTN
                try #require(outer >= 0 && ioctl(outer, unlock, &locked) == 0 && ioctl(outer, ask, &number) == 0)
                inner = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
            #else
                outer = posix_openpt(O_RDWR | O_NOCTTY)
                try #require(outer >= 0 && grantpt(outer) == 0 && unlockpt(outer) == 0)
                inner = open(try #require(ptsname(outer)), O_RDWR | O_NOCTTY)
            #endif
            try #require(inner >= 0)
            var size = winsize(ws_row: 7, ws_col: 33, ws_xpixel: 0, ws_ypixel: 0)
            try #require(ioctl(inner, UInt(TIOCSWINSZ), &size) == 0)
        }

        deinit {
            close(inner)
            close(outer)
        }

        /// What the terminal has been sent up to a text; the system brings it there piece by piece.
        func sent(upTo end: String) -> String {
            var text = ""
            var wanted = pollfd(fd: outer, events: Int16(POLLIN), revents: 0)
            while !text.contains(end), poll(&wanted, 1, 5000) > 0 {
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = read(outer, &bytes, bytes.count)
                guard count > 0 else { break }
                text += String(decoding: bytes[..<count], as: UTF8.self)
            }
            return text
        }

        /// Whether lines are gathered, and whether keys are shown.
        var modes: (lines: Bool, echo: Bool) {
            var settings = termios()
            tcgetattr(inner, &settings)
            return (settings.c_lflag & tcflag_t(ICANON) != 0, settings.c_lflag & tcflag_t(ECHO) != 0)
        }
    }

    @Test func `the screen is taken over and given back once, with the terminal's modes as they were`() throws {
        let pair = try Pair()
        #expect(pair.modes == (true, true))
        let device = TerminalDevice(output: pair.inner, keys: pair.inner, ownsOutput: false)
        #expect(device.size == (33, 7))
        device.enter()
        device.enter()
        #expect(pair.modes == (false, false))
        let start = pair.sent(upTo: "\u{1B}[2J")
        #expect(start.components(separatedBy: "\u{1B}[?1049h").count == 2 && start.contains("\u{1B}[?25l"))
        device.leave()
        device.leave()
        #expect(pair.modes == (true, true))
        let end = pair.sent(upTo: "\u{1B}[?1049l")
        #expect(end.components(separatedBy: "\u{1B}[?1049l").count == 2 && end.contains("\u{1B}[?25h"))
    }

    @Test func `the screen is given back with the value`() throws {
        let pair = try Pair()
        do {
            let device = TerminalDevice(output: pair.inner, keys: nil, ownsOutput: false)
            device.enter()
            #expect(!device.hasKeys)
        }
        #expect(pair.sent(upTo: "\u{1B}[?1049l").hasSuffix("\u{1B}[?1049l"))
    }

    @Test func `keys come one by one, without Enter`() throws {
        let pair = try Pair()
        let keys = dup(pair.inner)
        let device = TerminalDevice(output: pair.inner, keys: keys, ownsOutput: false)
        device.enter()
        var bytes: [UInt8] = []
        #expect(device.readKeys(into: &bytes, milliseconds: 0))
        #expect(bytes.isEmpty)
        #expect(write(pair.outer, "q", 1) == 1)
        #expect(device.readKeys(into: &bytes, milliseconds: 2000))
        #expect(bytes == Array("q".utf8))
        device.leave()
    }
}
