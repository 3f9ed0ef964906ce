/// How a text is set; the face is the system's "sans-serif".
struct TextStyle: Hashable, Sendable {
    /// Size of the font in pixels.
    let size: Double
    /// Whether it is bold.
    var isBold = false
    /// Its colour.
    var color = Theme.light.ink

    /// Where a text lies relative to its point.
    enum Anchor: Sendable {
        /// The text begins at the point.
        case start
        /// The text's middle is at the point.
        case middle
        /// The text ends at the point.
        case end

        /// The part of the text's length that lies before the point.
        var fraction: Double {
            switch self {
            case .start: 0
            case .middle: 0.5
            case .end: 1
            }
        }
    }
}
