import FeatureModel

/// The names that people give to the columns of recordings and labels, in lower case with `_` between words. Manifests and tables of
/// annotations read the same. Capitals, blanks and marks do not count, as in `UnitName`.
package enum ColumnNames {
    /// Names of the column of recordings besides `path`. A table without `path` is read by the first of these that it has: those of
    /// whole paths come before those of names.
    package static let paths = [
        "filepath", "file_path", "file", "filename", "file_name", "fname", "audio_filepath", "audio_path", "audio_file",
        "audio_filename", "audio", "wav_path", "wav_file", "wav_filename", "wav",
    ]

    /// Names that mean recordings in a table of annotations. In a manifest they are suggested, and not read.
    package static let annotatedPaths = [
        "notated_path", "sound_file", "recording", "begin_path", "begin_file", "input",
    ]

    /// Names that may mean recordings or something else.
    private static let possiblePaths = annotatedPaths + ["sound", "uri", "location", "name"]

    /// Names of columns that may be the label, likelier ones first. A manifest without `label` and `labels` is read without labels,
    /// and the account names the columns; of a table of annotations, the first is the label.
    package static let labels = [
        "event_label", "annotation", "species", "species_code", "species_ebird_code", "ebird_code", "primary_label",
        "common_name", "species_name", "scientific_name", "class", "class_name", "class_label", "call_type", "category",
        "digit", "command", "keyword", "emotion", "genre", "instrument", "intent", "target", "tag", "tags",
    ]

    /// The column that is read in place of `path`; nil: there is a `path`, but for capitals and blanks, or none of the others.
    package static func path(among names: [String]) -> String? {
        guard !names.contains(where: { ManifestColumn(spelled: $0) == .path }) else { return nil }
        return first(of: paths, among: names)
    }

    /// Whether a column is one of recordings by its name.
    static func isPath(_ name: String) -> Bool {
        UnitName(name).isWhollyOne(of: [ManifestColumn.path.name] + paths)
    }

    /// Whether a column is one of recordings by its name, or may be.
    static func mayBePath(_ name: String) -> Bool {
        isPath(name) || UnitName(name).isWhollyOne(of: possiblePaths)
    }

    /// Whether a column may be the label by its name and a value: a sentence is none.
    static func mayBeLabel(_ name: String, value: String) -> Bool {
        UnitName(name).isWhollyOne(of: labels) && value.split(separator: " ").count <= 4
    }

    /// The column that is probably meant to be `path`; nil where none looks like it.
    package static func suggestedPath(among names: [String]) -> String? {
        first(of: [ManifestColumn.path.name] + paths + possiblePaths, among: names)
            ?? nearestName(to: ManifestColumn.path.name, in: names)
    }

    private static func first(of candidates: [String], among names: [String]) -> String? {
        let found = names.map(UnitName.init)
        for candidate in candidates {
            if let index = names.firstIndex(of: candidate)
                ?? found.firstIndex(where: { $0.isWhollyOne(of: [candidate]) })
            {
                return names[index]
            }
        }
        return nil
    }
}
