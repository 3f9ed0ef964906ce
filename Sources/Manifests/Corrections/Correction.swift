import FeatureModel

/// A line of a file of corrections: what somebody says of a clip.
package struct Correction: Hashable, Sendable {
    /// What is said.
    package enum Action: Hashable, Sendable {
        /// The clip has this label and no other; empty: it has none.
        case relabel(String)
        /// The clip has this label, too.
        case add(String)
        /// The clip does not have this label.
        case remove(String)
        /// The clip is left out.
        case exclude
        /// The clip is not left out.
        case include
        /// Somebody has looked at the clip, and it is right.
        case checked
        /// A remark for people; empty: none.
        case note(String)
        /// The last line of the clip that is not taken back is taken back.
        case undo
    }

    /// The id of the clip.
    package let id: String
    /// What was looked at.
    package let part: CorrectedPart
    package let action: Action
    /// When, as the author of the line writes it.
    package let given: String
    /// By whom.
    package let by: String

    package init(id: String, part: CorrectedPart = CorrectedPart(), action: Action, given: String = "", by: String = "")
    {
        (self.id, self.part, self.action, self.given, self.by) = (id, part, action, given, by)
    }
}

extension Correction.Action {
    /// The name of an action, as the column `action` has it.
    package enum Name: String, CaseIterable, Sendable {
        case relabel, add, remove, exclude, include, checked, note, undo
    }

    package var name: Name {
        switch self {
        case .relabel: .relabel
        case .add: .add
        case .remove: .remove
        case .exclude: .exclude
        case .include: .include
        case .checked: .checked
        case .note: .note
        case .undo: .undo
        }
    }

    /// The value of the column `label`.
    package var label: String {
        switch self {
        case .relabel(let label), .add(let label), .remove(let label): label
        case .exclude, .include, .checked, .note, .undo: ""
        }
    }

    /// The value of the column `note`.
    package var note: String { if case .note(let text) = self { text } else { "" } }
}

/// A correction, and the number of its line.
package struct NumberedCorrection: Hashable, Sendable {
    /// From 1.
    package let line: Int
    package let correction: Correction

    package init(line: Int, _ correction: Correction) { (self.line, self.correction) = (line, correction) }
}
