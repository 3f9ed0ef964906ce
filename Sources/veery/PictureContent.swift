import FeatureModel
import Plotting

/// What a picture is to show.
struct PictureContent {
    /// The file that it comes from, for messages.
    let path: String
    /// The spectrograms.
    let panels: [SpectrogramPanel]
    /// The recordings of the panels, as annotations name them.
    let recordings: [String]
    /// Unit of the values.
    let units: String
    /// The notes that the values were computed at; nil: they are not at notes.
    let musical: MusicalConfiguration?

    /// The values at the ends of the colours where nothing else is asked for.
    var usualSpan = ValueSpan.usual

    /// The notes, where every value has a frequency.
    var notes: MusicalConfiguration? { panels.allSatisfy(\.axis.hasFrequencies) ? musical : nil }
}

/// A recording, or a clip of a feature file, that cannot be drawn.
struct PictureError: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "\(path): \(reason)" }
}

extension TransformConfiguration {
    /// The notes that values are computed at; nil: other frequencies.
    var notes: MusicalConfiguration? { if case .musical(let musical) = self { musical } else { nil } }
}
