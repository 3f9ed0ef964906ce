import ArgumentParser

/// An option that takes one value, and is given two: the library silently takes the last of them.
struct RepeatedOption {
    let command: any ParsableCommand.Type
    let name: String
    let values: [String]

    var message: String {
        let shown = values.map { "'\(UnknownCommand.shown($0))'" }
        return "\(name) is given twice: \(shown.joined(separator: " and ")). Give it once."
    }

    /// The first one of a command line; nil: there is none.
    ///
    /// Cost: a few milliseconds, but only where a name appears twice that may appear only once.
    init?(in arguments: [String]) {
        guard let command = KnownOptions.command(of: arguments), Self.mayRepeat(arguments),
            let known = KnownOptions(of: command)
        else { return nil }
        var found: [Int: (name: String, value: String)] = [:]
        var words = arguments.dropFirst()
        while let word = words.popFirst(), word != "--" {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let name = Self.names(in: parts[0]).first(where: { known.options[$0] != nil }),
                let option = known.options[name], let value = parts.count > 1 ? parts[1] : words.popFirst()
            else { continue }
            if !option.isRepeating, let first = found[option.number] {
                self.init(
                    command: command, name: first.name == name ? name : option.names[0], values: [first.value, value])
                return
            }
            found[option.number] = (name, value)
        }
        return nil
    }

    private init(command: any ParsableCommand.Type, name: String, values: [String]) {
        (self.command, self.name, self.values) = (command, name, values)
    }

    /// The names that a word may stand for: of several letters after one dash, each may be a name.
    private static func names(in word: String) -> [String] {
        guard word.hasPrefix("-"), !word.hasPrefix("--"), word.count > 2 else { return [word] }
        return [word] + word.dropFirst().map { "-\($0)" }
    }

    /// Whether a word appears twice that may be the name of an option with one value.
    private static func mayRepeat(_ arguments: [String]) -> Bool {
        var found: Set<Substring> = []
        for word in arguments.dropFirst().prefix(while: { $0 != "--" }) where word.hasPrefix("-") {
            var name = word.prefix { $0 != "=" }
            if !word.hasPrefix("--") {
                guard name.contains("o") else { continue }
                name = "--output"
            }
            guard !repeatable.contains(name) else { continue }
            if !found.insert(otherNames[name] ?? name).inserted { return true }
        }
        return false
    }

    /// Options that may be given several times, in all commands that have them.
    static let repeatable: Set<Substring> = [
        "--clip", "--column", "--exclude", "--frame-labels", "--include", "--input", "--list", "--one-hot",
        "--set",
    ]

    /// Second names of options, other than `-o`.
    private static let otherNames: [Substring: Substring] = ["--output-format": "--format"]
}
