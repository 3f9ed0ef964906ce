import ArgumentParser
import Presentation

/// The help of a command: a screen, which `-h` shows, or the whole, which `--help` shows.
///
/// The library wraps lines that are wrapped already and examples, too, and lists options as they are declared.
struct HelpPage {
    private let words: [String]
    private let configuration: CommandConfiguration
    private let description: CommandDescription
    private let layout: HelpLayout
    private let width: Int

    /// The column of the texts of options.
    private var indent: Int { min(26, width / 3) }

    /// - Parameters:
    ///   - words: The program and its command, as they are typed.
    ///   - width: Columns of a line, at least 40.
    /// - Returns: nil: the library describes commands in another way than is known.
    init?(of command: any ParsableCommand.Type, _ words: [String], width: Int) {
        guard let description = CommandDescription(of: command) else { return nil }
        (self.words, self.description, self.width) = (words, description, width)
        configuration = command.configuration
        var groups = words.dropFirst().first.flatMap(HelpLayout.of)?.groups ?? []
        let named = groups.flatMap(\.options)
        let others = description.shown.compactMap(\.name).filter { !named.contains($0) }
        if !others.isEmpty { groups.append(HelpLayout.Group("Options", others.joined(separator: " "))) }
        layout = HelpLayout(groups: groups)
    }

    private var name: String { words.joined(separator: " ") }
    private var isProgram: Bool { words.count == 1 }

    // MARK: - Short and whole

    /// About a screen: purpose, usage, the options that people use most, three examples.
    var short: String {
        var lines = wrapped(configuration.abstract) + [""] + usage("Usage: ") + [""]
        if isProgram {
            let commands = configuration.groupedSubcommands.flatMap(\.subcommands) + configuration.ungroupedSubcommands
            lines += commands.flatMap(entry)
        } else {
            let frequent = layout.groups.flatMap(\.frequent).compactMap(argument)
            lines += (positional + frequent).flatMap { entry(label($0), summary($0)) }
        }
        lines += ["", Self.examplesTitle] + examples.prefix(isProgram ? 4 : 3) + [""]
        lines += wrapped(
            isProgram
                ? "'\(name) COMMAND -h' explains a command; '\(name) --help' has more."
                : "'\(name) --help' shows all options.")
        return lines.joined(separator: "\n")
    }

    /// Everything.
    var whole: String {
        var parts = [wrapped(configuration.abstract), usage("USAGE: ")]
        parts += paragraphs.filter { $0.first != Self.examplesTitle }.map(laidOut)
        parts.append(section("Arguments", positional.flatMap { entry(label($0), text($0)) }))
        if !isProgram {
            for group in layout.groups {
                let options = group.options.compactMap(argument)
                parts.append(section(group.title, options.flatMap { entry(label($0), text($0)) }))
            }
        }
        for group in configuration.groupedSubcommands {
            parts.append(section(group.name, group.subcommands.flatMap(entry)))
        }
        parts.append(section("Commands", configuration.ungroupedSubcommands.flatMap(entry)))
        let own = isProgram ? description.shown.filter { !$0.isPositional } : []
        let general =
            (isProgram ? entry("-V, --version", "Show the version, and those of the libraries.") : [])
            + entry("-h", isProgram ? "Show the commands." : "Show the most used options.")
            + entry("--help", "Show this help.")
        parts.append(section(isProgram ? "Options" : "General", own.flatMap { entry(label($0), text($0)) } + general))
        if let examples = paragraphs.first(where: { $0.first == Self.examplesTitle }) {
            parts.append([Self.examplesTitle.uppercased()] + examples.dropFirst())
        }
        if isProgram { parts.append(wrapped("'\(name) COMMAND --help' shows all options of a command.")) }
        return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    /// The commands of the examples, a line each.
    var examples: [String] {
        paragraphs.first { $0.first == Self.examplesTitle }.map { Array($0.dropFirst()) } ?? []
    }

    // MARK: - Parts

    private static let examplesTitle = "Examples:"

    private var positional: [CommandDescription.Argument] { description.shown.filter(\.isPositional) }

    private func argument(_ name: String) -> CommandDescription.Argument? {
        description.shown.first { $0.name == name }
    }

    private func section(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : [title.uppercased() + ":"] + lines
    }

    private func usage(_ title: String) -> [String] {
        var parts = [name]
        if let usage = configuration.usage {
            parts = [usage]
        } else if isProgram {
            parts.append("<command> [options]")
        } else {
            parts += positional.map { argument in
                let name = "<\(argument.valueName ?? "")>" + (argument.isRepeating ? " ..." : "")
                return argument.isOptional ? "[\(name)]" : name
            }
            parts += description.shown.filter { $0.takesValue && !$0.isOptional }.map { argument in
                let name = (argument.names ?? []).min { !$0.isLong && $1.isLong }
                return "\(name?.word ?? "") <\(argument.valueName ?? "")>"
            }
            parts.append("[options]")
        }
        return hanging(title, parts.joined(separator: " "), indent: 7)
    }

    private func entry(_ command: any ParsableCommand.Type) -> [String] {
        let start = "  " + (command.configuration.commandName ?? "").padded(to: 10)
        return hanging(start, command.configuration.abstract, indent: start.columns)
    }

    private func entry(_ label: String, _ text: String) -> [String] {
        let start = "  " + label
        guard !text.isEmpty else { return [start] }
        guard start.columns < indent - 1 else {
            return [start] + hanging(String(repeating: " ", count: indent), text, indent: indent)
        }
        return hanging(start.padded(to: indent), text, indent: indent)
    }

    private func label(_ argument: CommandDescription.Argument) -> String {
        let value = argument.kind == "flag" ? "" : "<\(argument.valueName ?? "")>"
        guard let names = argument.names else { return value + (argument.isRepeating ? " ..." : "") }
        let words = (names.filter { !$0.isLong } + names.filter(\.isLong)).map(\.word)
        return words.joined(separator: ", ") + (value.isEmpty ? "" : " " + value)
    }

    /// The first sentence; of an option that must be given, also its values.
    private func summary(_ argument: CommandDescription.Argument) -> String {
        let all = argument.abstract ?? ""
        let first = all.firstRange(of: ". ").map { String(all[..<$0.lowerBound]) + "." } ?? all
        return argument.isOptional ? first : [first, values(argument)].filter { !$0.isEmpty }.joined(separator: " ")
    }

    private func text(_ argument: CommandDescription.Argument) -> String {
        [argument.abstract ?? "", values(argument), argument.discussion ?? ""].filter { !$0.isEmpty }
            .joined(separator: " ")
    }

    /// The values that an option takes, unless its text has them, and its default.
    private func values(_ argument: CommandDescription.Argument) -> String {
        let text = (argument.abstract ?? "") + " " + (argument.valueName ?? "")
        let words = text.split { !($0.isLetter || $0.isNumber || "-_".contains($0)) }.map(String.init)
        let values = argument.allValues ?? []
        var parts: [String] = []
        if !values.allSatisfy(words.contains) { parts.append("values: \(values.joined(separator: ", "))") }
        if let standard = argument.defaultValue, !text.contains("efault:") { parts.append("default: \(standard)") }
        return parts.isEmpty ? "" : "(\(parts.joined(separator: "; ")))"
    }

    // MARK: - Lines

    /// The paragraphs of the description, as lines.
    private var paragraphs: [[String]] {
        var paragraphs: [[String]] = [[]]
        for line in configuration.discussion.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.isEmpty { paragraphs.append([]) } else { paragraphs[paragraphs.count - 1].append(String(line)) }
        }
        return paragraphs.filter { !$0.isEmpty }
    }

    /// A paragraph in lines of this width. Indented lines are commands, which are never broken, or rows of a table: a name, two
    /// spaces or more, and a text.
    private func laidOut(_ paragraph: [String]) -> [String] {
        var lines: [String] = []
        var sentences: [String] = []
        func end() {
            if !sentences.isEmpty { lines += wrapped(sentences.joined(separator: " ")) }
            sentences = []
        }
        for line in paragraph {
            guard line.hasPrefix("  ") else {
                sentences.append(line)
                continue
            }
            end()
            let row = line.dropFirst(2)
            if let gap = row.firstRange(of: "  ") {
                let text = row[gap.upperBound...].drop { $0 == " " }
                let start = String(line[..<text.startIndex])
                lines += hanging(start, String(text), indent: start.columns)
            } else {
                lines.append(line)
            }
        }
        end()
        return lines
    }

    private func wrapped(_ text: String) -> [String] { hanging("", text, indent: 0) }

    /// The text after `start`, in lines of which all but the first are indented.
    private func hanging(_ start: String, _ text: String, indent: Int) -> [String] {
        var lines: [String] = []
        var line = start
        var isEmpty = true
        for word in text.split(separator: " ") {
            if !isEmpty, line.columns + 1 + String(word).columns > width {
                lines.append(line)
                line = String(repeating: " ", count: indent)
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + [line]
    }
}
