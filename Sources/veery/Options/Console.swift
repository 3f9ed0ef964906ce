import ArgumentParser
import Foundation
import Presentation

/// The two outputs of the program: data on standard output, everything else on standard error.
///
/// Everything passes here, and leaves without what a terminal would obey, terminal or not (`TerminalText`). Only data of which a
/// program may want every byte stays as it is where standard output is no terminal.
enum Console {
    /// Writes lines that a person is to read beside the data.
    static func note(_ text: String) { noteControl(TerminalText.cleaned(text + "\n") { $0 == "\n" }) }

    /// Writes a warning on a line of its own.
    static func warn(_ text: String) { note("warning: \(text.printable)") }

    /// Writes the program's own control sequences, as of a progress bar, without a line break. Where standard error cannot be
    /// written to, there is nobody to tell.
    static func noteControl(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

    /// Writes lines that a person is to read.
    ///
    /// - Throws: As `write`.
    static func output(_ text: String) throws { try write(TerminalText.cleaned(text) { $0 == "\n" }) }

    /// Writes lines with the program's own colours, of names that are clean already.
    ///
    /// - Throws: As `write`.
    static func output(styled text: String) throws { try write(TerminalText.cleaned(styled: text)) }

    /// Writes lines for another program: to the last byte, unless standard output is a terminal.
    ///
    /// - Throws: As `write`.
    static func output(data text: String) throws { try write(isOutputTerminal ? shown(data: text) : text) }

    /// Data as a terminal shows it.
    static func shown(data text: String) -> String { TerminalText.cleaned(text) { $0 == "\n" || $0 == "\t" } }

    /// Writes data as it is.
    ///
    /// - Throws: `UnwritableOutput`, such as where standard output is a full disk; where nobody reads it any more, as behind
    ///   `| head`, an exit without a word, with the status that the signal would give if it were not ignored.
    static func write(_ text: String) throws {
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
        try write(TerminalText.escaped(json: String(decoding: try encoder.encode(value), as: UTF8.self)) + "\n")
    }

    /// Whether standard error is a terminal.
    static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether standard output is a terminal.
    static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// How a report on standard output is set.
    static var reportStyle: ReportStyle {
        ReportStyle(
            environment: ProcessInfo.processInfo.environment,
            terminalWidth: isOutputTerminal ? width(STDOUT_FILENO) : nil)
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
