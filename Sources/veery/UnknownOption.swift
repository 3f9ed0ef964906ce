import ArgumentParser
import FeatureModel

/// A word of a command line that looks like an option of the command and is not one, such as `--ouput`.
///
/// The library finds missing options first, such as `--output`, and then does not mention the word.
struct UnknownOption {
    let command: any ParsableCommand.Type
    /// As typed, without a value.
    let word: String
    let advice: Advice

    /// What was probably meant.
    enum Advice: Equatable {
        /// Options, as written on a command line, or commands; empty: nothing is known to be meant.
        case words([String])
        /// A sentence without its full stop.
        case hint(String)
    }

    var message: String {
        let name = "Unknown option '\(UnknownCommand.shown(word))'"
        switch advice {
        case .words([]): return name
        case .words(let words): return "\(name). Did you mean \(words.map { "'\($0)'" }.joined(separator: " or "))?"
        case .hint(let hint): return "\(name). \(hint)."
        }
    }

    /// The first one of a command line that the library has refused; nil: there is none.
    ///
    /// Cost: a few milliseconds, so only for a command line that was refused.
    init?(in arguments: [String]) {
        guard let command = KnownOptions.command(of: arguments), let known = KnownOptions(of: command) else {
            return nil
        }
        var words = arguments.dropFirst()
        while let word = words.popFirst(), word != "--" {
            let name = String(word.prefix { $0 != "=" })
            if known.takeAnyValue.contains(name) {
                if name == word { words = words.dropFirst() }
            } else if !known.all.contains(name), let advice = Self.advice(for: name, of: command, known) {
                self.init(command: command, word: name, advice: advice)
                return
            }
        }
        return nil
    }

    private init(command: any ParsableCommand.Type, word: String, advice: Advice) {
        (self.command, self.word, self.advice) = (command, word, advice)
    }

    /// What a word probably means; nil: it is not an option, or the library's own error is better.
    private static func advice(
        for word: String, of command: any ParsableCommand.Type, _ known: KnownOptions
    ) -> Advice? {
        let name = (word.hasPrefix("--") ? word.dropFirst(2) : word.dropFirst()).lowercased().replacing("_", with: "-")
        let usage = "veery \(command.configuration.commandName ?? "")"
        if word.hasPrefix("--") {
            if let advice = meaning(of: name, usage, known) { return advice }
            let words = similar(to: name, known)
            return words.isEmpty ? meaning(nearestTo: name, usage, known) ?? .words([]) : .words(words)
        }
        // A word that begins with one dash: short options in one, a negative number, or one dash too few.
        guard word.hasPrefix("-"), !name.isEmpty, name.allSatisfy({ $0.isLetter || $0 == "-" }) else { return nil }
        if let advice = meaning(of: name, usage, known) { return advice }
        let words = name.count > 1 ? similar(to: name, known) : []
        return words.isEmpty ? nil : .words(words)
    }

    /// What the table says of a long name of which the word is a slip, such as `--sampel-rate`.
    private static func meaning(nearestTo name: String, _ usage: String, _ known: KnownOptions) -> Advice? {
        let names = OtherNames.options.flatMap(\.names).filter { $0.count > 4 }
        return closeName(to: name, in: names, slips: 1).flatMap { meaning(of: $0, usage, known) }
    }

    /// What the table says of a name that other programs use.
    private static func meaning(of name: String, _ usage: String, _ known: KnownOptions) -> Advice? {
        if known.shown.contains(name) { return .words(["--\(name)"]) }
        let meanings = OtherNames.options.filter { $0.names.contains(name) }.flatMap(\.meanings)
        return meanings.lazy.compactMap { Self.advice($0, usage, known) }.first
    }

    /// Nil: the meaning is not one of this command.
    private static func advice(_ meaning: OtherNames.Meaning, _ usage: String, _ known: KnownOptions) -> Advice? {
        switch meaning {
        case .option(let words):
            let name = words.prefix { $0 != " " }
            return known.shown.contains(String(name)) ? .words(["--\(words)"]) : nil
        case .key(let path):
            return known.shown.contains("set") ? .words(["--set \(path)" + (path.contains("=") ? "" : "=VALUE")]) : nil
        case .argument(let name):
            guard let found = name.isEmpty ? known.arguments.first : known.arguments.first(where: { $0 == name }) else {
                return nil
            }
            let before = known.arguments.prefix { $0 != found }.map { "<\($0)> " }.joined()
            return .hint("Give it without an option: \(usage) \(before)<\(found)>")
        case .command(let words, let option, let argument):
            guard option.map(known.shown.contains) ?? true, argument.map(known.arguments.contains) ?? true else {
                return nil
            }
            return .words(["veery \(words)" + (argument == nil ? "" : " FILE")])
        case .related(let sentence, let option): return known.shown.contains(option) ? .hint(sentence) : nil
        case .needless(let reason, let option):
            return known.shown.contains(option) ? .hint("Leave it out: \(reason)") : nil
        }
    }

    /// The options that begin with a name, the keys that are called so, or an option that differs by a slip.
    private static func similar(to name: String, _ known: KnownOptions) -> [String] {
        let longer = name.count < 3 ? [] : known.shown.filter { $0.hasPrefix(name) }
        if 1...3 ~= longer.count { return longer.map { "--\($0)" } }
        if known.shown.contains("set") {
            // 'extends' is a key of files alone.
            let keys = ConfigurationKeys.paths(meant: name).filter { $0.contains(".") }
            if 1...3 ~= keys.count { return keys.map { "--set \($0)=VALUE" } }
        }
        return closeName(to: name, in: known.shown).map { ["--\($0)"] } ?? []
    }
}
