import FeatureModel

/// How clips of a manifest differ from what their rows say.
struct ClipEdits: Sendable {
    /// How one clip does.
    struct Edit: Sendable {
        var isLeftOut = false
        /// The label, and the value of the column `labels`, if there is one; nil: those of the row.
        var labels: (label: String, list: String)?
        /// `Clip.expectedAudio`.
        var audio: String?
    }

    /// By the bytes of ids.
    private var edits: [[UInt8]: Edit] = [:]
    /// Where the column `labels` is among the other columns; nil: there is none.
    var labelsColumn: Int?
    /// Whether that column is the last one, and the rows lack it.
    var addsLabels = false
    /// How many clips are left out.
    private(set) var leftOut = 0

    /// Adds the edit of a clip that has none yet.
    mutating func add(_ edit: Edit, to id: String) {
        edits[Array(id.utf8)] = edit
        if edit.isLeftOut { leftOut += 1 }
    }

    /// A clip as it is to be; nil: it is left out.
    ///
    /// - Parameter index: How many others there are before it.
    func edited(_ clip: Clip, index: Int) -> Clip? {
        guard !edits.isEmpty else { return clip }
        let edit = edits[Array(clip.id.utf8)]
        if edit?.isLeftOut == true { return nil }
        var extra = clip.extra
        if addsLabels { extra.append(LabelList.text(clip.label.isEmpty ? [] : [clip.label])) }
        if let list = edit?.labels?.list, let labelsColumn { extra[labelsColumn] = list }
        return clip.with(index: index, label: edit?.labels?.label, expectedAudio: edit?.audio, extra: extra)
    }
}
