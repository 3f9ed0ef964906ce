/// The names of splits that datasets use for folders and files.
package enum SplitName {
    private static let known = [
        "train", "training", "dev", "valid", "val", "validation", "test", "testing", "eval", "evaluation",
    ]

    /// The words after the name of a split in the names of LibriSpeech's folders.
    private static let libriSpeech = ["clean", "other"]

    /// The split of a part of a dataset whose format has such parts, such as `train` for `train-clean-100` or `train_si284`; nil: the
    /// name is not that of a split.
    package static func of(_ name: String) -> String? {
        let word = name.lowercased().prefix { $0 != "-" && $0 != "_" && $0 != "." }
        return switch word {
        case "training": "train"
        case "testing": "test"
        case let word where known.contains(String(word)): String(word)
        default: nil
        }
    }

    /// The split that a folder of recordings is; nil: it may be a label, such as `train_horn` or `test_1`.
    ///
    /// Its name is that of a split alone, or that of a folder of LibriSpeech, such as `train-clean-100`.
    package static func ofFolder(_ name: String) -> String? {
        let separators: Set<Character> = ["-", "_"]
        let words = name.lowercased().split(omittingEmptySubsequences: false, whereSeparator: separators.contains)
            .map(String.init)
        let isPart =
            words.count == 1
            || words.count < 4 && libriSpeech.contains(words[1]) && words.dropFirst(2).allSatisfy { Int($0) != nil }
        return isPart && known.contains(words[0]) ? of(words[0]) : nil
    }
}
