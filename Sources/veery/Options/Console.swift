import Foundation

/// The two outputs of the program: data on standard output, everything else on standard error.
enum Console {
    /// Writes lines that a person is to read beside the data.
    static func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    /// Writes without a line break.
    static func noteRaw(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

    /// Writes data.
    static func output(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }

    /// Writes a value as JSON.
    static func output(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        output(String(decoding: try encoder.encode(value), as: UTF8.self) + "\n")
    }

    /// Whether standard error is a terminal.
    static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Columns of the terminal that standard error is; 80 where it does not say.
    static var errorWidth: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
