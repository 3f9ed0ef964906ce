import FeatureModel

/// A small spectrogram among others.
package struct SheetTile: Sendable {
    /// What the values of a tile are.
    package enum Kind: Sendable {
        /// A clip's.
        case clip
        /// The mean of several clips.
        case mean
        /// The standard deviation of several clips, which has colours for a range of its own.
        case spread
    }

    /// What its values are.
    package let kind: Kind
    /// The values, frames in time order; those past the sheet's frames are not drawn.
    package let matrix: FeatureMatrix
    /// Whether the clip goes on past what is shown.
    package let goesOn: Bool
    /// What stands below it, such as the clip's id; shortened in the middle where it is too wide.
    package let caption: String
    /// A second line in smaller print.
    package let note: String

    /// Keeps the values.
    package init(kind: Kind, matrix: FeatureMatrix, goesOn: Bool = false, caption: String, note: String) {
        self.kind = kind
        self.matrix = matrix
        self.goesOn = goesOn
        self.caption = caption
        self.note = note
    }
}
