import ArgumentParser
import Essentials

/// The arguments of a command, as the library describes them for `--experimental-dump-help`.
///
/// Cost: a few milliseconds.
struct CommandDescription {
    struct Argument: Decodable {
        /// `positional`, `option` or `flag`.
        let kind: String
        let names: [Name]?
        let valueName: String?
        let isOptional, isRepeating, shouldDisplay: Bool
        let parsingStrategy: String
        let defaultValue: String?
        let allValues: [String]?
        let abstract, discussion: String?

        /// The first long name, without dashes; nil: a positional argument, or one that has only a letter.
        var name: String? { names?.first(where: \.isLong)?.name }
        var isPositional: Bool { kind == "positional" }
        var takesValue: Bool { kind == "option" }
    }

    struct Name: Decodable {
        let kind, name: String

        var isLong: Bool { kind == "long" }
        /// With its dashes.
        var word: String { (isLong ? "--" : "-") + name }
    }

    /// In the order of their declaration, hidden ones included.
    let arguments: [Argument]

    /// Those that help shows, but for the library's own.
    var shown: [Argument] { arguments.filter { $0.shouldDisplay && !["help", "version"].contains($0.name) } }

    /// Nil: the format in which the library describes commands has changed.
    init?(of command: any ParsableCommand.Type) {
        guard let tool = try? JSONDecoder().decode(Tool.self, from: Data(command._dumpHelp().utf8)) else { return nil }
        arguments = tool.command.arguments ?? []
    }

    /// The part of the library's output that is used here.
    private struct Tool: Decodable {
        let command: Command

        struct Command: Decodable { let arguments: [Argument]? }
    }
}
