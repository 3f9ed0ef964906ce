/// Why a configuration is refused: the key, what was expected, what was found.
///
/// `key` is the path a user would write after `--set`, such as `frame.hop`.
public enum ConfigurationError: Error, Hashable, Sendable {
    /// An unknown key; `nearest` is the known key with the most similar name.
    case unknownKey(key: String, nearest: String?, known: [String])
    /// A key with another name here, or of another section: `ours` lists what may be meant, and is empty where there is no
    /// counterpart. `note` says more, or is empty.
    case foreignKey(key: String, ours: [String], note: String)
    /// A value outside the allowed range, or of the wrong kind.
    case invalidValue(key: String, found: String, expected: String)
    /// A value not below `upper`, the value of another key.
    case notBelow(key: String, found: String, upperKey: String, upper: String)
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
        case .foreignKey(let key, let ours, let note) where ours.isEmpty: "unknown configuration key '\(key)': \(note)"
        case .foreignKey(let key, let ours, let note):
            "unknown configuration key '\(key)': \(key.split(separator: ".").last ?? "") is "
                + "\(ours.joined(separator: " or ")) here\(note.isEmpty ? "" : " (\(note))")"
        case .invalidValue(let key, let found, let expected):
            "configuration \(key): expected \(expected), found \(found)"
        case .notBelow(let key, let found, let upperKey, let upper):
            "configuration \(key): expected less than \(upperKey), \(upper), found \(found)"
        }
    }
}

/// Refuses the value of a key where a condition does not hold.
func require(
    _ isMet: Bool, _ key: String, found: @autoclosure () -> String, expected: @autoclosure () -> String
) throws(ConfigurationError) {
    if !isMet { throw .invalidValue(key: key, found: found(), expected: expected()) }
}

extension String {
    /// The text for an error message: where it is much longer than 60 characters, the first 60 and its length.
    ///
    /// Cost: O(1) beyond what is shown; the length is in bytes.
    package var excerpt: String {
        let shown = prefix(60)
        guard utf8.count > shown.utf8.count + 20 else { return self }
        return "\(shown)… (\(utf8.count) bytes)"
    }
}
