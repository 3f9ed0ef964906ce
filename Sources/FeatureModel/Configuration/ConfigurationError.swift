/// Why a configuration is not accepted: which key, what was expected there, what was found.
///
/// `key` is the path a user would write after `--set`, such as `frame.hop`.
public enum ConfigurationError: Error, Hashable, Sendable {
    /// A key that no section has; `nearest` is the key whose name is nearest to it.
    case unknownKey(key: String, nearest: String?, known: [String])
    /// A key that has another name here, or belongs to another section: `ours`, of which one is meant; empty where there is
    /// no counterpart. `note` says more, or is empty.
    case foreignKey(key: String, ours: [String], note: String)
    /// A value outside the allowed range, or of the wrong kind.
    case invalidValue(key: String, found: String, expected: String)
}

extension ConfigurationError: CustomStringConvertible {
    /// The error as one sentence for a person.
    public var description: String {
        switch self {
        case .unknownKey(let key, let nearest?, let known):
            "unknown configuration key '\(key.excerpt)': did you mean '\(nearest)'? "
                + "(known here: \(known.joined(separator: ", ")))"
        case .unknownKey(let key, nil, let known):
            "unknown configuration key '\(key.excerpt)' (known here: \(known.joined(separator: ", ")))"
        case .foreignKey(let key, let ours, let note) where ours.isEmpty:
            "unknown configuration key '\(key)': \(note)"
        case .foreignKey(let key, let ours, let note):
            "unknown configuration key '\(key)': \(key.split(separator: ".").last ?? "") is "
                + "\(ours.joined(separator: " or ")) here\(note.isEmpty ? "" : " (\(note))")"
        case .invalidValue(let key, let found, let expected):
            "configuration \(key): expected \(expected), found \(found)"
        }
    }
}

extension String {
    /// The text as an error may repeat it: its first 60 characters and how long it is where it is much longer.
    ///
    /// Cost: O(1) beyond what is shown; the length is that in bytes.
    package var excerpt: String {
        let shown = prefix(60)
        guard utf8.count > shown.utf8.count + 20 else { return self }
        return "\(shown)… (\(utf8.count) bytes)"
    }
}
