import FeatureModel

/// Many small spectrograms in groups, with one scale of time, one range of values and one colour bar; the spread of values
/// has a second one.
package struct ContactSheet: Sendable {
    package let title: String
    package let subtitle: String
    package let notes: [String]
    package let groups: [SheetGroup]
    package let axis: BinAxis
    /// How frequencies are spread over a tile's height.
    package let frequencies: FrequencyDisplay
    /// Seconds from one frame to the next, above 0.
    package let framePeriod: Double
    /// Frames that fill a tile's width.
    package let frames: Int
    package let valueLabel: String
    /// The values at the two ends of the colours, from the visible parts of all clips.
    package let span: ValueSpan
    package let style: PictureStyle

    package static let maximumTiles = 4000

    /// - Throws: `PlotError` if there are no tiles or too many, tiles have other bins than the axis, times are not positive, the
    ///   span is invalid, or an axis of frequencies is asked for and there are none.
    package init(
        title: String, subtitle: String, notes: [String] = [], groups: [SheetGroup], axis: BinAxis,
        frequencies: FrequencyDisplay = .bins, framePeriod: Double, frames: Int, valueLabel: String,
        span: ValueSpan = .usual, style: PictureStyle
    ) throws(PlotError) {
        let tiles = groups.flatMap(\.tiles)
        guard (1...Self.maximumTiles).contains(tiles.count) else {
            throw .invalidSetting(
                name: "tiles", found: "\(tiles.count)", expected: "1 to \(Self.maximumTiles) clips, means and spreads")
        }
        guard frames >= 1, framePeriod >= 1e-9, framePeriod * Double(frames) <= 1e9 else {
            throw .invalidSetting(
                name: "time of a tile", found: "\(frames) frames, \(framePeriod) s apart",
                expected: "1 or more frames, 1e-9 s apart or more, at most 1e9 s in all")
        }
        let bins = tiles[0].matrix.bins
        if let other = tiles.first(where: { $0.matrix.bins != bins }) {
            throw .invalidSetting(
                name: "tiles", found: "\(bins) and \(other.matrix.bins) bins",
                expected: "the same number of bins in all")
        }
        try axis.validate(bins: bins)
        try span.validate()
        try frequencies.validate(axis)
        self.title = title
        self.subtitle = subtitle
        self.notes = notes
        self.groups = groups
        self.axis = axis
        self.frequencies = frequencies
        self.framePeriod = framePeriod
        self.frames = frames
        self.valueLabel = valueLabel
        self.span = span
        self.style = style
    }

    /// Whether tiles are drawn as waveforms, which have no colours.
    var isOfWaveforms: Bool { groups.contains { $0.tiles.contains { axis.isWaveform(bins: $0.matrix.bins) } } }

    func has(_ kind: SheetTile.Kind) -> Bool { groups.contains { $0.tiles.contains { $0.kind == kind } } }

    /// The values of all tiles of a kind, as far as they are shown.
    func values(of kind: SheetTile.Kind) -> [[Float]] {
        groups.flatMap(\.tiles).filter { $0.kind == kind }.map { $0.matrix.first(frames).values }
    }
}

extension FeatureMatrix {
    /// The first `count` rows, or all of fewer.
    func first(_ count: Int) -> FeatureMatrix {
        rows <= count ? self : FeatureMatrix(bins: bins, values: Array(values.prefix(count * bins)))
    }
}

package struct SheetGroup: Sendable {
    /// What they have in common; its end is left out if it is too wide.
    package let title: String
    package let note: String
    package let tiles: [SheetTile]

    package init(title: String, note: String, tiles: [SheetTile]) {
        self.title = title
        self.note = note
        self.tiles = tiles
    }
}

package struct SheetTile: Sendable {
    package enum Kind: Sendable {
        case clip
        case mean
        /// The standard deviation of several clips, which has colours for a range of its own.
        case spread
    }

    package let kind: Kind
    /// The values, frames in time order; those past the sheet's frames are not drawn.
    package let matrix: FeatureMatrix
    package let continues: Bool
    package let caption: String
    package let note: String

    package init(kind: Kind, matrix: FeatureMatrix, continues: Bool = false, caption: String, note: String) {
        self.kind = kind
        self.matrix = matrix
        self.continues = continues
        self.caption = caption
        self.note = note
    }
}
