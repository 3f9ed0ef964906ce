/// Sizes of print and lines, in pixels.
///
/// A picture larger than the default both ways has larger print, so that it looks the same at a higher resolution; one
/// that is only longer, or only higher, has more ticks in the same print.
struct PrintSizes: Sendable {
    /// The factor against the default's sizes, 1 or more.
    let factor: Double

    /// The sizes for a picture of `width` × `height` pixels.
    init(width: Int, height: Int) { factor = max(1, min(Double(width) / 1000, Double(height) / 420)) }

    /// The title's print.
    var title: TextStyle { TextStyle(size: 15 * factor, isBold: true) }
    /// The subtitle's print.
    var subtitle: TextStyle { TextStyle(size: 12 * factor, color: RGB(hex: 0x555555)) }
    /// The names of the axes.
    var name: TextStyle { TextStyle(size: 12.5 * factor) }
    /// The numbers at the ticks.
    var number: TextStyle { TextStyle(size: 11.5 * factor) }

    /// Thickness of axes and ticks.
    var line: Int { pixels(1) }
    /// Length of a tick.
    var tick: Int { pixels(4) }
    /// Distance between print and what it belongs to.
    var gap: Int { pixels(5) }
    /// Distance from the edge of the picture.
    var margin: Int { pixels(14) }
    /// Width of the colour bar, and its distance from the spectrogram.
    var bar: Int { pixels(14) }

    /// A length of the default picture in pixels of this one.
    func pixels(_ length: Double) -> Int { Int((length * factor).rounded()) }
}
