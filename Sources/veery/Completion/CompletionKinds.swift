import ArgumentParser
import FeatureModel

/// What the shells complete after options. For words that depend on files or are in tables, the shells start the program. Closures
/// cost nothing when the program starts; lists of names would.
extension CompletionKind {
    /// Manifests to write.
    static var manifest: CompletionKind { .file(extensions: ["csv", "tsv", "jsonl"]) }

    private static let featureExtensions = ["h5", "hdf5", "hdf", "he5"]

    /// Feature files that are read, and indices of sets of them.
    static var features: CompletionKind { .file(extensions: featureExtensions + ["json"]) }

    /// Feature files that are written.
    static var newFeatures: CompletionKind { .file(extensions: featureExtensions) }

    static var configuration: CompletionKind { .file(extensions: ["yaml", "yml", "json"]) }

    static var page: CompletionKind { .file(extensions: ["html", "htm"]) }

    static var presets: CompletionKind { .ofLine { line in PresetCompletion.names(line) } }

    /// Presets; after `--keys`, sections of a configuration.
    static var presetsOrSections: CompletionKind { .ofLine { line in PresetCompletion.namesOrSections(line) } }

    /// `section.key=value`.
    static var assignments: CompletionKind { .ofLine { line in KeyCompletion.assignments(line) } }

    /// Ids of the clips of the feature file on the command line.
    static var clips: CompletionKind { .ofLine { line in FeatureFileCompletion.ids(line) } }

    /// Labels of the feature file on the command line, with commas between.
    static var labels: CompletionKind { .ofLine { line in FeatureFileCompletion.labels(line) } }

    /// Splits of the feature file on the command line.
    static var splits: CompletionKind { .ofLine { line in FeatureFileCompletion.splits(line) } }

    /// The `known` values, then columns of the manifest on the command line.
    static func columns(besides known: String...) -> CompletionKind {
        .ofLine { line in ManifestCompletion.columns(line, besides: known) }
    }

    /// `name=column`, the column one of the manifest on the command line.
    static var columnNames: CompletionKind { .ofLine { line in ManifestCompletion.names(line) } }

    private static func ofLine(
        _ completion: @escaping @Sendable (CommandLineWords) -> [Completion]
    ) -> CompletionKind {
        .custom { words, index, prefix in
            let shell = CompletionShell.requesting
            let line = CommandLineWords(words, index: index, prefix: prefix, isQuoted: shell != .fish)
            return completion(line).compactMap { $0.text(for: shell) }
        }
    }
}

/// A text that may replace the word at the cursor.
struct Completion: Equatable {
    let word: String
    /// What the word stands for; bash does not show it.
    var note = ""

    /// The line that the completion script of a shell reads; nil: the word does not fit into one line.
    func text(for shell: CompletionShell?) -> String? {
        guard !word.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return nil }
        switch shell {
        // Bash expands these words: an id such as $(command) would be executed.
        case CompletionShell.bash: return word.unicodeScalars.map(Self.escaped).joined()
        case CompletionShell.zsh:
            let name = word.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
            return note.isEmpty ? name : "\(name):\(note)"
        case CompletionShell.fish: return note.isEmpty ? word : "\(word)\t\(note)"
        default: return word
        }
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        let isPlain = !scalar.isASCII || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        return isPlain ? String(scalar) : "\\\(scalar)"
    }
}
