import Manifests

// The names that people and programs give to the columns of annotation tables alone, likelier ones first.
extension ColumnNames {
    static let recordings = [ManifestColumn.path.name] + paths + annotatedPaths
    static let annotationLabels =
        [ManifestColumn.label.name, LabelList.column] + labels + [
            "type", "name", "syllable", "word", "phone", "text", "notes", "lable", "lbl",
        ]
        + possibleLabels
    /// Those of them that are nothing but labels.
    static let sureLabels = ["label", "event_label", "annotation", "species", "common_name", "class", "call_type"]
    static let lows = [
        "low_frequency", "low_freq", "low", "freq_min", "freq_low", "min_freq", "min_frequency", "fmin", "f_low",
        "low_f",
    ]
    static let highs = [
        "high_frequency", "high_freq", "high", "freq_max", "freq_high", "max_freq", "max_frequency", "fmax", "f_high",
        "high_f",
    ]
    static let annotators = [
        "annotator", "annotators", "annotator_id", "annotator_name", "annotated_by", "observer", "analyst", "reviewer",
        "rater", "labeler", "labeller", "labelled_by", "labeled_by", "user", "user_name",
    ]
    static let channels = ["channel", "chan"]
    static let confidences = ["confidence", "score", "probability", "conf", "det_prob"]
    /// Columns that do not describe a clip.
    static let dropped = ["", "annot_path", "unnamed_0", "index"]
}

extension ColumnNames {
    /// The index of the first column of a header that has one of some names, likelier ones first; nil: there is none.
    static func first(of names: [String], in header: [String]) -> Int? {
        let found = header.map(UnitName.init)
        return names.lazy.compactMap { name in found.firstIndex { $0.equals(name) } }.first
    }
}

extension DelimitedTable {
    /// The first column that has one of some names of `ColumnNames`, likelier ones first; nil: there is none.
    func usualColumn(_ names: [String]) -> Int? { ColumnNames.first(of: names, in: header) }
}
