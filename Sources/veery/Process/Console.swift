import ArgumentParser
import Essentials
import FeatureModel
import FileIO
import Platform
import Presentation

/// The two outputs of the program: data on standard output, everything else on standard error.
///
/// All output passes here, and its control characters are replaced (`TerminalText`), except in data for another program on a
/// standard output that is not a terminal.
enum Console {
    static func note(_ text: String) { noteControl(TerminalText.cleaned(text + "\n") { $0 == "\n" }) }

    static func warn(_ text: String) { note("warning: \(text.printable)") }

    /// Writes control sequences, such as a progress bar's, without a line break. Errors are ignored: they could not be reported.
    static func noteControl(_ text: String) { try? AtomicFile.write(Array(text.utf8), to: STDERR_FILENO) }

    static func output(_ text: String) throws { try write(TerminalText.cleaned(text) { $0 == "\n" }) }

    /// Writes lines with the program's own colours; names in them must be clean.
    static func output(styled text: String) throws { try write(TerminalText.cleaned(styled: text)) }

    /// Writes lines for another program: unchanged, unless standard output is a terminal.
    static func output(data text: String) throws { try write(isOutputTerminal ? shown(data: text) : text) }

    static func shown(data text: String) -> String { TerminalText.cleaned(text) { $0 == "\n" || $0 == "\t" } }

    /// - Throws: `UnwritableOutput`, for example if the disk is full; if the reader is gone, as after `| head`, a silent `ExitCode` with
    ///   the status of SIGPIPE.
    static func write(_ text: String) throws {
        try Array(text.utf8).withUnsafeBytes(write)
    }

    /// Writes bytes for another program.
    ///
    /// - Throws: As for a text.
    static func write(_ bytes: UnsafeRawBufferPointer) throws {
        do throws(AtomicFileError) { try AtomicFile.write(bytes, to: STDOUT_FILENO) } catch {
            throw Self.unwritable(error.system)
        }
    }

    /// Closes standard output at the end of the program: some file systems say only then that the disk is full.
    ///
    /// - Throws: As `write`.
    static func closeOutput() throws {
        // A program may be started without a standard output.
        guard close(STDOUT_FILENO) != 0, case let error = SystemError.last, error.code != EBADF else { return }
        throw unwritable(error)
    }

    private static func unwritable(_ error: SystemError?) -> any Error {
        error?.code == EPIPE ? ExitCode(128 + SIGPIPE) : UnwritableOutput(error: error ?? SystemError(code: EIO))
    }

    static func output(json value: some Encodable) throws {
        let json = try JSONEncoder.reports([.prettyPrinted, .withoutEscapingSlashes]).encode(value)
        try write(TerminalText.escaped(json: String(decoding: json, as: UTF8.self)) + "\n")
    }

    static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    static var reportStyle: ReportStyle {
        ReportStyle(
            environment: ProcessInfo.processInfo.environment,
            terminalWidth: isOutputTerminal ? width(STDOUT_FILENO) : nil)
    }

    /// Columns of the terminal on standard error, or 80.
    static var errorWidth: Int { width(STDERR_FILENO) }

    /// Columns of help: those of COLUMNS or of the terminal, up to 120, or 80.
    static var helpWidth: Int {
        let given = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) }
        return min(max(given ?? width(STDOUT_FILENO), ReportStyle.minimumWidth), 120)
    }

    private static func width(_ descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}

struct UnwritableOutput: SystemFaultReporting, CustomStringConvertible {
    let error: SystemError

    var isSystemFault: Bool { error.isFault }

    var description: String { "cannot write to standard output: \(error)" }
}

/// An object of a report; its keys are in camel case, and a value that is nil is left out.
struct JSONObject: Encodable {
    let entries: KeyValuePairs<String, (any Encodable)?>

    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        for (key, value) in entries {
            let key = Key(stringValue: key)
            // A case for each type: a generic call looks up how a type is encoded, which takes longer than the rest of a report.
            switch value {
            case let value as Int: try container.encode(value, forKey: key)
            case let value as Double: try container.encode(value, forKey: key)
            case let value as Bool: try container.encode(value, forKey: key)
            case let value as String: try container.encode(value, forKey: key)
            case let value?: try container.encode(value, forKey: key)
            case nil: break
            }
        }
    }
}

extension JSONEncoder {
    /// Encodes reports: keys are sorted and in snake case.
    static func reports(_ formatting: OutputFormatting) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union(.sortedKeys)
        encoder.keyEncodingStrategy = .convertToSnakeCase
        // Only a damaged file has such numbers; the rest is printed nevertheless.
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return encoder
    }
}
