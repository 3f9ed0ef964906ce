import ArgumentParser
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import Presentation

enum UnknownCommand {
    /// - Throws: `ValidationError` if it is neither a command nor an option.
    static func check(_ arguments: [String]) throws {
        let names = VeeryCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        var words = arguments[...]
        if words.first == "help" { words.removeFirst() }
        try checkVersion(words, names)
        guard let word = words.first, !word.hasPrefix("-"), word != "help", !names.contains(word) else { return }
        throw ValidationError(
            "there is no command '\(shown(word))'.\(advice(for: word, among: names) ?? "") Commands: \(names.joined(separator: ", "))."
        )
    }

    /// The library prints the version, and ignores all other words.
    private static func checkVersion(_ words: ArraySlice<String>, _ commands: [String]) throws {
        let known = ["--version", "--help", "-h"] + LicenceReport.options
        guard words.contains("--version") || words.first.map(LicenceReport.options.contains) == true else { return }
        let isCommand = words.first.map(commands.contains) == true
        guard let other = words.dropFirst(isCommand ? 1 : 0).first(where: { !known.contains($0) }) else { return }
        throw ValidationError("unexpected '\(shown(other))': --version is given alone or with --licences")
    }

    /// A word for a message: printable, and not longer than a line.
    static func shown(_ word: String) -> String {
        let text = word.printable
        return text.count > 60 ? text.prefix(60) + "…" : text
    }

    /// What was probably meant, in words; nil: nothing is similar.
    private static func advice(for word: String, among names: [String]) -> String? {
        if let use = use(ofFile: word) { return " \(use)" }
        return command(for: word, among: names).map { " Did you mean 'veery \($0)'?" }
    }

    /// The command that a word probably means; nil: none.
    static func command(for word: String, among names: [String]) -> String? {
        let word = word.lowercased().replacing("_", with: "-")
        func meant(_ word: String) -> String? {
            if names.contains(word) { return word }
            return OtherNames.commands.first { $0.names.contains(word) }?.ours
        }
        // extract-features, plot-spectrogram
        let parts = word.split(separator: "-").map(String.init)
        let found = meant(word) ?? parts.first(where: names.contains) ?? parts.lazy.compactMap(meant).first
        if let found { return found }
        // inspector, split2
        let isLonger = { (name: String) in word.hasPrefix(name) && word.count - name.count <= 2 }
        if word.count >= 3, let longer = names.first(where: { $0.hasPrefix(word) || isLonger($0) }) { return longer }
        return closeName(to: word, in: names + OtherNames.commands.flatMap(\.names)).flatMap(meant)
    }

    private static func use(ofFile word: String) -> String? {
        guard let status = FileStatus(path: word) else { return nil }
        let name = shown(word)
        if status.isFolder { return "It is a folder: 'veery crawl \(name) -o manifest.csv' makes a manifest of it." }
        if HDF5Signature.begins(word) || FeatureSetIndex.exists(at: word) {
            return "It is a file: 'veery inspect \(name)' summarises it."
        }
        if ManifestFormat(path: word) != nil {
            return "It is a file: 'veery extract \(name) -o features.h5' computes its features."
        }
        return "It is a file: 'veery render \(name) -o picture.png' draws a recording."
    }
}
