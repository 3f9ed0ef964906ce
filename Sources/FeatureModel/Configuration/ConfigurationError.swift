/// Why a configuration is not accepted: which key, what was expected there, what was found.
///
/// `key` is the path a user would write after `--set`, such as `frame.hop`.
public enum ConfigurationError: Error, Hashable, Sendable {
    /// A key that no section knows; `nearest` is the known key most like it.
    case unknownKey(key: String, nearest: String?, known: [String])
    /// A key that is called otherwise here, or stands in another section: `ours`, of which one is meant; empty where there is
    /// nothing like it. `note` says more, or nothing.
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
