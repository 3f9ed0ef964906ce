import ArgumentParser

/// The options and flags of a command, with all their names, as the library describes them.
///
/// Cost: a few milliseconds.
struct KnownOptions {
    /// An option that takes a value.
    struct Option {
        /// Its number among the command's arguments.
        let number: Int
        /// All its names, with dashes, the long ones first.
        let names: [String]
        /// Whether it may be given several times.
        let isRepeating: Bool
    }

    /// All names, with their dashes.
    private(set) var all: Set<String> = ["--help", "-h", "--version", "-V"]
    /// The options that take a value, by name with its dashes.
    private(set) var options: [String: Option] = [:]
    /// Options whose value may begin with a dash, with their own dashes.
    private(set) var takeAnyValue: Set<String> = []
    /// Long names that `--help` lists, without dashes.
    private(set) var shown: [String] = []
    /// The names of its arguments in the usage.
    private(set) var arguments: [String] = []

    /// Nil: the format in which the library describes commands has changed.
    init?(of command: any ParsableCommand.Type) {
        guard let description = CommandDescription(of: command) else { return nil }
        for (number, argument) in description.arguments.enumerated() {
            guard let names = argument.names else {
                arguments.append(argument.valueName ?? "")
                continue
            }
            all.formUnion(names.map(\.word))
            shown += names.filter { $0.isLong && argument.shouldDisplay }.map(\.name)
            guard argument.takesValue else { continue }
            let words = (names.filter(\.isLong) + names.filter { !$0.isLong }).map(\.word)
            let option = Option(number: number, names: words, isRepeating: argument.isRepeating)
            for word in words { options[word] = option }
            if argument.parsingStrategy == "unconditional" { takeAnyValue.formUnion(words) }
        }
    }

    /// The command that a command line begins with; nil: there is none of that name.
    static func command(of arguments: [String]) -> (any ParsableCommand.Type)? {
        VeeryCommand.configuration.subcommands.first { $0.configuration.commandName == arguments.first }
    }
}
