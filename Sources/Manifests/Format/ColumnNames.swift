import FeatureModel

/// The names that people give to the columns of recordings and labels. Manifests and tables of annotations read the same.
package enum ColumnNames {
    /// Names of the column of recordings besides `path`, as `plain` writes them. A table without `path` is read by the first of these
    /// that it has: those of whole paths come before those of names.
    package static let paths = [
        "filepath", "file_path", "file", "filename", "file_name", "fname", "audio_filepath", "audio_path", "audio_file",
        "audio_filename", "audio", "wav_path", "wav_file", "wav",
    ]

    /// Names that may mean recordings or something else. They are suggested, and not read.
    static let possiblePaths = [
        "recording", "sound", "sound_file", "soundfile", "uri", "location", "begin_path", "begin_file", "name",
    ]

    /// Names of columns that may be the label. A manifest without `label` and `labels` is read without labels, and the account
    /// names the columns.
    package static let labels = [
        "class", "class_name", "classname", "class_label", "category", "species", "species_code", "species_name",
        "ebird_code", "primary_label", "common_name", "scientific_name", "event_label", "annotation", "call_type",
        "digit",
        "command", "keyword", "emotion", "genre", "instrument", "intent", "target", "tag", "tags",
    ]

    /// A name in lower case, without blanks at its ends, and with `_` for blanks and hyphens.
    package static func plain(_ name: String) -> String {
        name.lowercased().trimmingBlanks().replacing(" ", with: "_").replacing("-", with: "_")
    }

    /// The column that is read in place of `path`; nil: there is a `path`, but for capitals and blanks, or none of the others.
    package static func path(among names: [String]) -> String? {
        guard !names.contains(where: { ManifestColumn(spelled: $0) == .path }) else { return nil }
        return first(of: paths, among: names)
    }

    /// Whether a column is one of recordings by its name.
    static func isPath(_ name: String) -> Bool {
        let plain = plain(name)
        return plain == ManifestColumn.path.name || paths.contains(plain)
    }

    /// Whether a column may be the label by its name and a value: a sentence is none.
    static func mayBeLabel(_ name: String, value: String) -> Bool {
        labels.contains(plain(name)) && value.split(separator: " ").count <= 4
    }

    /// The column that is probably meant to be `path`; nil where none looks like it.
    static func suggestedPath(among names: [String]) -> String? {
        first(of: [ManifestColumn.path.name] + paths + possiblePaths, among: names)
            ?? nearestName(to: ManifestColumn.path.name, in: names)
    }

    private static func first(of candidates: [String], among names: [String]) -> String? {
        let plainNames = names.map(plain)
        for candidate in candidates {
            if let index = names.firstIndex(of: candidate) ?? plainNames.firstIndex(of: candidate) {
                return names[index]
            }
        }
        return nil
    }
}
