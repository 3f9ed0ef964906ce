import FeatureModel
import Plotting

struct PictureContent {
    /// Its file, for messages.
    let path: String
    let panels: [SpectrogramPanel]
    /// The recordings of the panels, as annotations name them.
    let recordings: [String]
    let units: String
    /// The notes at which the values were computed; nil: none.
    let musical: MusicalConfiguration?

    /// The default values at the ends of the colours.
    var usualSpan = ValueSpan.usual

    /// The notes, where every value has a frequency.
    var notes: MusicalConfiguration? { panels.allSatisfy(\.axis.hasFrequencies) ? musical : nil }
}

extension TransformConfiguration {
    /// The notes that values are computed at; nil: other frequencies.
    var notes: MusicalConfiguration? { if case .musical(let musical) = self { musical } else { nil } }
}
