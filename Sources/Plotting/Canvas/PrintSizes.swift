/// Sizes of print and lines, in pixels: they follow the resolution and the size of the font, not that of the picture, so
/// that a larger picture has more room and more ticks.
struct PrintSizes: Sendable {
    /// The factor against the sizes at 96 dots per inch in print of 12 pixels.
    let factor: Double
    /// The colours of print and lines.
    let theme: Theme

    /// The sizes of a style.
    init(_ style: PictureStyle) {
        factor = style.dpi / 96 * style.fontSize / 12
        theme = style.theme
    }

    /// The title's print.
    var title: TextStyle { TextStyle(size: 15 * factor, isBold: true, color: theme.ink) }
    /// The title's print where there are several.
    var panelTitle: TextStyle { TextStyle(size: 13 * factor, isBold: true, color: theme.ink) }
    /// The subtitle's print.
    var subtitle: TextStyle { TextStyle(size: 12 * factor, color: theme.faint) }
    /// The names of the axes.
    var name: TextStyle { TextStyle(size: 12.5 * factor, color: theme.ink) }
    /// The numbers at the ticks.
    var number: TextStyle { TextStyle(size: 11.5 * factor, color: theme.ink) }
    /// The names of a label strip's lanes.
    var lane: TextStyle { TextStyle(size: 10.5 * factor, color: theme.ink) }
    /// Labels of annotations, white on black.
    var tag: TextStyle { TextStyle(size: 11 * factor, color: RGB(hex: 0xFFFFFF)) }

    /// Thickness of axes and ticks.
    var line: Int { max(pixels(1), 1) }
    /// Length of a tick.
    var tick: Int { pixels(4) }
    /// Distance between print and what it belongs to.
    var gap: Int { pixels(5) }
    /// Height of a label strip's lane, its distance from the next included.
    var laneHeight: Int { pixels(14) }
    /// Distance from the edge of the picture.
    var margin: Int { pixels(14) }
    /// Width of the colour bar, and its distance from the spectrogram.
    var bar: Int { pixels(14) }
    /// Height of the triangles at the colour bar's ends.
    var triangle: Int { pixels(8) }

    /// A length of the default picture in pixels of this one.
    func pixels(_ length: Double) -> Int { Int((length * factor).rounded()) }
}
