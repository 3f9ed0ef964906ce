import FileIO
import Platform

/// The program that opens an address in the user's browser.
struct BrowserProgram {
    private let path: String

    /// Nil: there is no screen, or no such program.
    static var installed: BrowserProgram? {
        func isSet(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }
        guard !isSet("SSH_CONNECTION") else { return nil }
        #if canImport(Darwin)
            return BrowserProgram(path: "/usr/bin/open")
        #else
            guard isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") else { return nil }
            return InstalledProgram.path("xdg-open").map { BrowserProgram(path: $0) }
        #endif
    }

    /// Starts it. If that fails, the address has been printed.
    func open(_ address: String) { try? ChildProcess.startUnattended([path, address]) }
}
