/// A regular expression that extracts a clip's label, and more, from the path of its recording.
struct LabelPattern {
    /// The texts of the groups.
    struct Match {
        var label = ""
        var split = ""
        var id = ""
        var extra: [String] = []
    }

    /// The pattern as it was given.
    let text: String
    /// Names of the groups except `label`, `split` and `id`, in order.
    let extraColumns: [String]
    let givesID: Bool
    private let regex: Regex<AnyRegexOutput>

    /// Reads the pattern, in the syntax of Swift's regular expressions.
    init(_ text: String) throws(ManifestError) {
        self.text = text
        do {
            // By scalars: a letter may be written as two of them in one file's name and as one in another's.
            regex = try Regex(text).matchingSemantics(.unicodeScalar)
        } catch {
            throw .badPattern(pattern: text, reason: "\(error)")
        }
        let names = Self.groupNames(text)
        guard regex.contains(captureNamed: ManifestColumn.label.name) else {
            throw .badPattern(pattern: text, reason: "it has no group named 'label'")
        }
        let own: [ManifestColumn] = [.label, .split, .id]
        for name in names {
            if let column = ManifestColumn(name: name), !own.contains(column) {
                throw .badPattern(pattern: text, reason: "a group cannot be named '\(name)'")
            }
        }
        givesID = names.contains(ManifestColumn.id.name)
        extraColumns = names.filter { ManifestColumn(name: $0) == nil }
    }

    /// Searches a path; nil where the pattern does not match.
    func match(_ path: String) -> Match? {
        guard let found = try? regex.firstMatch(in: path) else { return nil }
        func group(_ name: String) -> String { found[name]?.substring.map(String.init) ?? "" }
        return Match(
            label: group(ManifestColumn.label.name), split: group(ManifestColumn.split.name),
            id: group(ManifestColumn.id.name), extra: extraColumns.map(group))
    }

    /// The names of the groups `(?<name>…)` and `(?P<name>…)`, in order. The regular expression gives them only after a
    /// match.
    private static func groupNames(_ text: String) -> [String] {
        text.matches(of: /\(\?P?<(?<name>[A-Za-z_]\w*)>/).map { String($0.output.name) }
    }
}
