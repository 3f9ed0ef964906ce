/// What the lines of one clip come to: those that are not taken back, in their order. Later ones win.
///
/// An `undo` takes back the last line that is not taken back, and is gone with it: two take back two lines, and one without such a line
/// does nothing. What was taken back comes back only as a new line.
package struct ClipCorrections: Hashable, Sendable {
    /// The lines that are not taken back.
    package private(set) var lines: [NumberedCorrection] = []

    package init() {}

    /// Takes the next line of the clip.
    package mutating func take(_ line: NumberedCorrection) {
        if case .undo = line.correction.action {
            _ = lines.popLast()
        } else {
            lines.append(line)
        }
    }

    /// The line that says what the clip was when it was corrected; nil: none is left.
    package var last: NumberedCorrection? { lines.last }

    /// The lines that decide on the clip: those of its labels since it was last given one label alone, and the last one on whether it
    /// is left out. Who has found the clip right since has found its labels right, of the sound that was there then; remarks decide on
    /// nothing.
    package var effective: [NumberedCorrection] {
        var labels: [NumberedCorrection] = []
        var exclusion: NumberedCorrection?
        for line in lines {
            switch line.correction.action {
            case .relabel: labels = [line]
            case .add, .remove: labels.append(line)
            case .checked: if !labels.isEmpty { labels = [line] }
            case .exclude, .include: exclusion = line
            case .note, .undo: break
            }
        }
        return (labels + [exclusion].compactMap(\.self)).sorted { $0.line < $1.line }
    }

    /// Whether the clip is left out.
    package var isExcluded: Bool {
        lines.reduce(false) { isExcluded, line in
            switch line.correction.action {
            case .exclude: true
            case .include: false
            default: isExcluded
            }
        }
    }

    /// Whether somebody has found the clip right.
    package var isChecked: Bool { lines.contains { $0.correction.action == .checked } }

    /// The remark for people; empty: none.
    package var note: String {
        lines.reduce("") { note, line in
            if case .note(let text) = line.correction.action { text } else { note }
        }
    }

    /// Whether a line says that the clip has one label alone; otherwise those that it has are changed.
    var isRelabelled: Bool { lines.contains { if case .relabel = $0.correction.action { true } else { false } } }

    /// Whether a line is about labels.
    var areLabelsCorrected: Bool {
        lines.contains {
            switch $0.correction.action {
            case .relabel, .add, .remove: true
            case .exclude, .include, .checked, .note, .undo: false
            }
        }
    }

    /// The labels of the clip. Labels are equal if their bytes are.
    ///
    /// - Parameter given: Those that the manifest gives it, in its order.
    package func labels(of given: [String]) -> [String] {
        lines.reduce(into: given) { labels, line in
            func isSame(_ label: String) -> (String) -> Bool { { $0.utf8.elementsEqual(label.utf8) } }
            switch line.correction.action {
            case .relabel(let label): labels = label.isEmpty ? [] : [label]
            case .add(let label): if !labels.contains(where: isSame(label)) { labels.append(label) }
            case .remove(let label): labels.removeAll(where: isSame(label))
            case .exclude, .include, .checked, .note, .undo: break
            }
        }
    }
}

/// What corrections come to, by the ids of clips, which are equal if their bytes are.
package struct Corrections: Sendable {
    private var clips: [[UInt8]: ClipCorrections] = [:]
    /// The ids of all lines, each once, in the order in which they appear.
    package private(set) var ids: [String] = []

    package init() {}

    /// Those of some lines in their order.
    package init(_ lines: some Sequence<NumberedCorrection>) {
        for line in lines { take(line) }
    }

    /// Takes the next line. Lines that are taken in pieces come to the same as at once.
    package mutating func take(_ line: NumberedCorrection) {
        let id = Array(line.correction.id.utf8)
        if clips[id] == nil { ids.append(line.correction.id) }
        clips[id, default: ClipCorrections()].take(line)
    }

    /// The corrections of a clip; nil: no line is about it.
    package subscript(id: String) -> ClipCorrections? { clips[Array(id.utf8)] }
}
