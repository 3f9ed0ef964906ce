import ArgumentParser
import Foundation

/// The two outputs of the program: data on standard output, everything else on standard error.
enum Console {
    /// Writes lines that a person is to read beside the data.
    static func note(_ text: String) { noteRaw(text + "\n") }

    /// Writes without a line break. Where standard error cannot be written to, there is nobody to tell.
    static func noteRaw(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

    /// Writes data.
    ///
    /// - Throws: `UnwritableOutput`, such as where standard output is a full disk; where nobody reads it any more, as behind
    ///   `| head`, an exit without a word, with the status that the signal would give if it were not ignored.
    static func output(_ text: String) throws {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            guard errno != EPIPE else { throw ExitCode(128 + SIGPIPE) }
            throw UnwritableOutput(reason: String(cString: strerror(errno)))
        }
    }

    /// Writes a value as JSON.
    static func output(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Only a damaged file holds such numbers; they must not keep the rest from being seen.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        try output(String(decoding: try encoder.encode(value), as: UTF8.self) + "\n")
    }

    /// Whether standard error is a terminal.
    static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// How a report on standard output is set.
    static var reportStyle: ReportStyle {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        return ReportStyle(
            environment: ProcessInfo.processInfo.environment, terminalWidth: isTerminal ? width(STDOUT_FILENO) : nil)
    }

    /// Columns of the terminal that standard error is; 80 where it does not say.
    static var errorWidth: Int { width(STDERR_FILENO) }

    private static func width(_ descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}

/// Standard output cannot be written to.
struct UnwritableOutput: Error, CustomStringConvertible {
    let reason: String

    var description: String { "cannot write to standard output: \(reason)" }
}
