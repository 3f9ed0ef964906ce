import ArgumentParser
import AudioDecoding
import ConfigurationFiles
import FeatureModel
import FileIO
import Platform

@main
struct VeeryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "veery",
        abstract: "Turn labelled audio clips into one HDF5 file of spectrograms, and look into it.",
        discussion: """
            Exit status: 0 success; 1 an error in a file, such as a manifest, a
            recording or a configuration; 3 written, but more clips failed than
            --max-failures allows; 64 wrong usage, --preset and --set included; 75 a
            system failure (no memory, threads, descriptors or disk space, or a disk
            that fails or is read-only): try again; 130 or 143 stopped by Ctrl-C or
            SIGTERM.

            Examples:
              veery crawl recordings -o manifest.csv
              veery extract manifest.csv -o features.h5
              veery inspect features.h5
              veery render features.h5 --clip ID -o clip.png
            """,
        version: VeeryVersion.number,
        groupedSubcommands: [
            CommandGroup(
                name: "Manifests",
                subcommands: [CrawlCommand.self, ClipsCommand.self, SplitCommand.self, CheckCommand.self]),
            CommandGroup(
                name: "Features", subcommands: [ExtractCommand.self, PresetsCommand.self, ConformCommand.self]),
            CommandGroup(
                name: "Feature files",
                subcommands: [
                    BrowseCommand.self, InspectCommand.self, ListCommand.self, RenderCommand.self, ExportCommand.self,
                ]),
            CommandGroup(
                name: "Live sound, filters, samples",
                subcommands: [LiveCommand.self, FilterCommand.self, DecodeCommand.self]),
        ])

    // The library finds --version first, and reports that instead of parsing the rest.
    @Flag(
        name: [.customLong("licences"), .customLong("licenses")],
        help: "Show what is in the program, and under which licences.")
    var licences = false

    func run() throws {
        guard licences else { throw CleanExit.helpRequest(self) }
        try Console.write(LicenceReport.text + "\n")
    }

    /// For a command's error, the library would print the usage of the whole program; this prints the command's.
    static func main() {
        ProcessLimits.prepare()
        do {
            let arguments = Self.arguments
            try UnknownCommand.check(arguments ?? [])
            var command = try parsed(arguments)
            do {
                try command.run()
                try Console.closeOutput()
            } catch let error where exitCode(for: error) == .failure && !(error is ExitCode) {
                Console.note("Error: \(error)")
                throw ExitCode(of: error)
            } catch let error as ValidationError where !(command is VeeryCommand) {
                let message = arguments.flatMap(DividedAssignment.init)?.message ?? error.message
                throw wrongUsage(message, of: type(of: command))
            }
        } catch {
            finish(error)
        }
    }

    /// What was typed, with `--version` for `-V`, which the library does not know.
    private static var arguments: [String]? {
        guard var words = ProcessArguments.all else { return nil }
        let first = KnownOptions.command(of: words) == nil ? 0 : 1
        if words.dropFirst(first).first == "-V" { words[first] = "--version" }
        return words
    }

    private static func parsed(_ arguments: [String]?) throws -> any ParsableCommand {
        let command: any ParsableCommand
        do { command = try parseAsRoot(arguments) } catch {
            guard exitCode(for: error) == .validationFailure, let arguments else { throw error }
            if let unknown = UnknownOption(in: arguments) { throw wrongUsage(unknown.message, of: unknown.command) }
            if let repeated = RepeatedOption(in: arguments) { throw wrongUsage(repeated.message, of: repeated.command) }
            if let split = DividedAssignment(in: arguments) { throw wrongUsage(split.message, of: split.command) }
            throw error
        }
        guard let repeated = arguments.flatMap(RepeatedOption.init) else { return command }
        throw wrongUsage(repeated.message, of: repeated.command)
    }

    /// Prints what is wrong with the arguments of a command, and how it is used.
    private static func wrongUsage(_ message: String, of command: any ParsableCommand.Type) -> ExitCode {
        Console.note(
            """
            Error: \(message)
            Usage: \(usageString(for: command))
              See 'veery \(command.configuration.commandName ?? "") --help' for more information.
            """)
        return .validationFailure
    }

    /// What `--version` prints, alone or with `--licences`.
    private static var versionText: String {
        let asksForLicences = ProcessArguments.all?.contains(where: LicenceReport.options.contains) == true
        return asksForLicences ? LicenceReport.text : VersionReport.text
    }

    /// The help of the command that the library's help is of; nil: the text is not help.
    private static func help(_ text: String) -> String? {
        guard text.hasPrefix("OVERVIEW: "), let usage = text.firstRange(of: "\nUSAGE: veery ") else { return nil }
        let name = String(text[usage.upperBound...].prefix { $0.isLetter })
        let words = arguments ?? []
        let isWhole = words.first == "help" || words.contains("--help")
        return page(of: name, width: Console.helpWidth).map { isWhole ? $0.whole : $0.short }
    }

    /// The help of a command, or of the program if there is no command of this name.
    static func page(of name: String, width: Int) -> HelpPage? {
        guard let command = KnownOptions.command(of: [name]) else {
            return HelpPage(of: VeeryCommand.self, ["veery"], width: width)
        }
        return HelpPage(of: command, ["veery", name], width: width)
    }

    /// Ends the program as the library would, with its output through `Console`.
    private static func finish(_ error: any Error) -> Never {
        var (code, text) = (exitCode(for: error), fullMessage(for: error))
        if code.isSuccess {
            // Of a very narrow terminal, the library would break the lines by which its help is known.
            let wide = fullMessage(for: error, columns: 80)
            text = text == VeeryVersion.number ? versionText : help(wide) ?? CompletionScript.completed(text)
        }
        // Interrupted, or an error of the system already.
        let isDecided = code == .tryAgain || code.rawValue > 128
        do {
            // Help, versions and completion scripts contain no user input; completions contain no control characters.
            if !text.isEmpty { if code.isSuccess { try Console.write(text + "\n") } else { Console.note(text) } }
            try Console.closeOutput()
        } catch let status as ExitCode {
            if !isDecided { code = status }
        } catch  where !isDecided {
            Console.note("Error: \(error)")
            code = ExitCode(of: error)
        } catch {}
        Platform.exit(code.rawValue)
    }
}

extension ExitCode {
    /// The exit status of an error that is not wrong usage.
    init(of error: any Error) { self = error.isSystemFault ? .tryAgain : .failure }
}
