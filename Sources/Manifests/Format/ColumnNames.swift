import FeatureModel

/// The names that people give to the columns of recordings and labels, in lower case with `_` between words. Manifests and tables of
/// annotations read the same. Capitals, blanks and marks do not count, as in `UnitName`.
package enum ColumnNames {
    /// Other names of the column of recordings than `path`. A table without `path` is read by the first of these that it has: those of
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

    /// Names that may be the label or something else: they are remarked in a manifest, unless their values are numbers.
    package static let possibleLabels = [
        "label_name", "label_class", "label_id", "class_id", "event", "event_type", "sound_event", "sound",
        "sound_type", "type", "taxon",
        "animal", "letter", "word", "phone", "phoneme", "syllable", "y",
    ]

    /// Words of a name that is one of labels.
    private static let labelWords: Set<String> = [
        "label", "labels", "lable", "lables", "lbl", "species", "class", "category", "taxon",
    ]

    /// What a column is named whose name is not known, before its number.
    package static let unnamed = "column"

    /// The column that is read in place of `path`: `path` itself with other capitals or blanks, before all others; nil: there is a
    /// `path`, or none of them.
    package static func path(among names: [String]) -> String? {
        guard !names.contains(ManifestColumn.path.name) else { return nil }
        return names.first { ManifestColumn(spelled: $0) == .path } ?? first(of: paths, among: names)
    }

    /// Whether a column is one of recordings by its name.
    static func isPath(_ name: String) -> Bool {
        UnitName(name).isWhollyOne(of: [ManifestColumn.path.name] + paths)
    }

    /// Whether a column is one of recordings by its name, or may be.
    static func mayBePath(_ name: String) -> Bool {
        isPath(name) || UnitName(name).isWhollyOne(of: possiblePaths)
    }

    /// Names that may be the split: they are remarked where a value is the name of one, such as `train`.
    private static let possibleSplits = [
        "set", "subset", "partition", "fold", "usage", "phase", "part", "dataset", "dataset_split", "data_split",
        "splits",
        "split_name", "split_set", "stage",
    ]

    /// Whether a column may be the split by its name and a value.
    static func maySplit(_ name: String, value: String) -> Bool {
        UnitName(name).isWhollyOne(of: possibleSplits) && SplitName.ofFolder(value) != nil
    }

    /// Whether a column may be the label by its name and a value: a sentence is not a label.
    static func mayBeLabel(_ name: String, value: String) -> Bool {
        guard !value.isEmpty, value.split(separator: " ").count <= 4, !RecordingName.isRecording(value) else {
            return false
        }
        let unit = UnitName(name)
        if unit.isWhollyOne(of: labels) { return true }
        let words = UnitName.words(name)
        guard FieldValue.number(value) == nil || words.last == "id" else { return false }
        return unit.isWhollyOne(of: possibleLabels) || !labelWords.isDisjoint(with: words)
            || words == [unnamed] && name.last?.isNumber == true
    }

    /// The column that is probably meant to be `path`, by its name and a value; nil: none looks like it.
    ///
    /// - Parameter columns: Names and the first values of the columns.
    package static func suggestedPath(among columns: [(name: String, value: String)]) -> String? {
        if columns.count == 1, isOfSeveral(columns[0].name), !RecordingName.isRecording(columns[0].value) { return nil }
        let recordings = columns.filter { RecordingName.isRecording($0.value) && !RemotePath.isOne($0.value.utf8) }.map(
            \.name)
        let names = columns.filter { FieldValue.number($0.value) == nil }.map(\.name)
        let known = [ManifestColumn.path.name] + paths + possiblePaths
        return first(of: known, among: recordings) ?? recordings.first ?? first(of: known, among: names)
            ?? names.first { !pathWords.isDisjoint(with: UnitName.words($0)) }
            ?? nearestName(to: ManifestColumn.path.name, in: names, share: 4)
    }

    /// Whether the name of an only column may be the names of several, between blanks or other marks than those of manifests.
    package static func isOfSeveral(_ name: String) -> Bool { name.contains { $0.isWhitespace || ":|".contains($0) } }

    /// Words of a name that is one of recordings.
    private static let pathWords: Set<String> = [
        "file", "files", "filename", "filenames", "filepath", "audio", "wav", "recording", "recordings", "path",
    ]

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
