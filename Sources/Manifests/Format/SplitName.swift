/// The names of splits that datasets use for folders and files.
package enum SplitName {
    private static let known = [
        "train", "training", "dev", "valid", "val", "validation", "test", "testing", "eval", "evaluation",
    ]

    /// The split of a part of a dataset, such as `train` for `train-clean-100`; nil: the name is not that of a split.
    package static func of(_ name: String) -> String? {
        let word = name.lowercased().prefix { $0 != "-" && $0 != "_" && $0 != "." }
        return switch word {
        case "training": "train"
        case "testing": "test"
        case let word where known.contains(String(word)): String(word)
        default: nil
        }
    }
}
