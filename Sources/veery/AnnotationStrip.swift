import FeatureModel
import Plotting

/// Whether the annotations of a picture are a strip, and how many lanes it needs.
struct AnnotationStrip {
    /// Boxes or a strip.
    let style: AnnotationStyle
    /// The lanes; 0 for boxes.
    let lanes: Int

    /// The width of a letter, in sizes of the font; about.
    private static let letterWidth = 0.58

    init(_ panels: [SpectrogramPanel], style: AnnotationStyle, _ appearance: PictureOptions, across: Int) {
        let shown = panels.map { panel in
            panel.annotations.filter { $0.end >= panel.start && $0.start <= panel.start + panel.duration }
        }
        let letter = Self.letterWidth * appearance.fontSize
        let width = appearance.width / max(min(across, panels.count), 1)
        let isStrip = style.isStrip(shown, width: width) { Int(letter * Double($0.count + 1)) }
        self.style = isStrip ? .strip : .boxes
        lanes = isStrip ? min(Set(shown.joined().map(\.label)).count, AnnotationStyle.maximumLanes) : 0
    }
}
