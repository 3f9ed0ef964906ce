import ArgumentParser
import FeatureModel
import Presentation

/// A word of a command line that looks like an option of the command and is none, such as `--ouput`.
///
/// The library finds missing options first, such as `--output`, and then does not mention the word.
struct UnknownOption {
    let command: any ParsableCommand.Type
    /// As typed, without a value.
    let word: String
    /// The options that were probably meant, as written on a command line; empty: nothing is similar.
    let meant: [String]

    var message: String {
        let name = "Unknown option '\(UnknownCommand.shown(word))'"
        return meant.isEmpty ? name : "\(name). Did you mean \(meant.map { "'\($0)'" }.joined(separator: " or "))?"
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
            } else if !known.all.contains(name), let meant = Self.meant(by: name, among: known) {
                self.init(command: command, word: name, meant: meant)
                return
            }
        }
        return nil
    }

    private init(command: any ParsableCommand.Type, word: String, meant: [String]) {
        (self.command, self.word, self.meant) = (command, word, meant)
    }

    /// The options that a word probably means; nil: it is not an option, or the library's own error is better.
    private static func meant(by word: String, among known: KnownOptions) -> [String]? {
        if word.hasPrefix("--") { return suggestions(for: String(word.dropFirst(2)), among: known) }
        // A word that begins with one dash: short options in one, a negative number, or one dash too few.
        let name = word.dropFirst()
        guard word.hasPrefix("-"), name.count > 1, name.allSatisfy({ $0.isLetter || $0 == "-" }) else { return nil }
        let meant = suggestions(for: String(name), among: known)
        return meant.isEmpty ? nil : meant
    }

    private static func suggestions(for typed: String, among known: KnownOptions) -> [String] {
        let name = typed.lowercased().replacing("_", with: "-")
        if known.shown.contains(name) { return ["--\(name)"] }
        let longer = name.count < 3 ? [] : known.shown.filter { $0.hasPrefix(name) }
        if 1...3 ~= longer.count { return longer.map { "--\($0)" } }
        if known.shown.contains("set") {
            let keys = ConfigurationKeys.paths(meant: name)
            if 1...3 ~= keys.count { return keys.map { "--set \($0)=VALUE" } }
        }
        let ours = synonyms.first { $0.value.contains(name) }.map(\.key)
        return (ours.flatMap { known.shown.contains($0) ? $0 : nil } ?? nearestName(to: name, in: known.shown))
            .map { ["--\($0)"] } ?? []
    }

    /// Names for options in other programs.
    private static let synonyms = [
        "jobs": ["threads", "workers", "num-workers", "num-threads", "cores", "processes", "nj"],
        "overwrite": ["force", "replace", "clobber", "yes"],
        "to": ["format", "type"],
    ]
}
