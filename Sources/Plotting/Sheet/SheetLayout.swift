import Presentation

/// The areas of a contact sheet in pixels, from the numbers of tiles and the sizes of print.
struct SheetLayout: Hashable, Sendable {
    struct Group: Hashable, Sendable {
        let head: PixelRectangle
        let tiles: [PixelRectangle]
        /// The two lines below each tile.
        let captions: [PixelRectangle]
    }

    struct Bar: Hashable, Sendable {
        let colors: PixelRectangle
        /// Its numbers and its name, at its right.
        let legend: PixelRectangle
    }

    let width: Int
    let height: Int
    /// Title, subtitle and the scale of time.
    let head: PixelRectangle
    let groups: [Group]
    let bars: [Bar]
    let foot: PixelRectangle

    /// Heights of a colour bar, in pixels of the default print; the minimum has room for a name such as "zscore ln(power)".
    static let barHeights = 110.0...180

    /// Lays out a sheet of `width` pixels: as many tiles side by side as fit at their minimum width, widened up to their maximum.
    ///
    /// - Parameters:
    ///   - counts: Tiles in each group; the sum is 1 or more.
    ///   - bars: Colour bars, at most 2.
    ///   - numberWidth: Pixels that the widest number of a colour bar takes.
    ///   - notes: Lines of remarks.
    /// - Throws: `PlotError` if a tile does not fit next to the colour bars, or the sheet would be too high.
    init(
        tiles counts: [Int], bars barCount: Int = 1, numberWidth: Int = 0, notes: Int = 0, width: Int, sizes: PrintSizes
    ) throws(PlotError) {
        let margin = sizes.margin
        let legendWidth = sizes.tick + sizes.gap + numberWidth + sizes.pixels(20)
        let usable = width - 2 * margin - (barCount > 0 ? sizes.pixels(18) + sizes.bar + legendWidth : 0)
        let space = sizes.pixels(10)
        let minimum = max(sizes.pixels(88), 1)
        guard usable >= minimum else {
            throw .invalidSetting(
                name: "width", found: "\(width) pixels",
                expected: "at least \(width + minimum - usable) for a tile of \(minimum) pixels"
                    + (barCount > 0 ? " and its colour bar" : ""))
        }
        let largest = max(counts.max() ?? 1, 1)
        let fitting = min((usable + space) / (minimum + space), largest)
        // Of 13 tiles of which 12 fit, 7 and 6 look better than 12 and 1.
        let lines = (largest + fitting - 1) / fitting
        let columns = (largest + lines - 1) / lines
        let tileWidth = min((usable - (columns - 1) * space) / columns, sizes.pixels(220))
        let tileHeight = min(max(tileWidth * 3 / 5, sizes.pixels(48)), sizes.pixels(120))
        let captionHeight = sizes.pixels(30)

        head = PixelRectangle(x: margin, y: margin, width: width - 2 * margin, height: sizes.pixels(42))
        var y = head.bottom + sizes.pixels(6)
        let top = y
        var groups: [Group] = []
        for count in counts {
            let title = PixelRectangle(x: margin, y: y, width: usable, height: sizes.pixels(20))
            y = title.bottom + sizes.pixels(4)
            var tiles: [PixelRectangle] = []
            var captions: [PixelRectangle] = []
            for tile in 0..<count {
                let (line, column) = (tile / columns, tile % columns)
                let x = margin + column * (tileWidth + space)
                let upper = y + line * (tileHeight + captionHeight + sizes.pixels(6))
                tiles.append(PixelRectangle(x: x, y: upper, width: tileWidth, height: tileHeight))
                captions.append(
                    PixelRectangle(
                        x: x, y: upper + tileHeight + sizes.pixels(2), width: tileWidth,
                        height: captionHeight - sizes.pixels(2)))
            }
            y = (captions.last?.bottom ?? y) + sizes.pixels(12)
            groups.append(Group(head: title, tiles: tiles, captions: captions))
        }
        self.groups = groups

        // The bars start at the height of the first tiles.
        let barTop = top + sizes.pixels(24)
        let between = sizes.pixels(24)
        let barSpace = y - sizes.pixels(12) - sizes.pixels(30) - barTop
        let barHeight = min(
            max((barSpace - (barCount - 1) * between) / max(barCount, 1), sizes.pixels(Self.barHeights.lowerBound)),
            sizes.pixels(Self.barHeights.upperBound))
        let barX = margin + usable + sizes.pixels(18)
        bars = (0..<barCount).map { bar in
            let colors = PixelRectangle(
                x: barX, y: barTop + bar * (barHeight + between), width: sizes.bar, height: barHeight)
            let legend = PixelRectangle(
                x: colors.right + sizes.line, y: colors.y - sizes.pixels(8), width: legendWidth - sizes.line,
                height: barHeight + sizes.pixels(16))
            return Bar(colors: colors, legend: legend)
        }
        y = max(y, (bars.last?.legend.bottom ?? y) + sizes.pixels(12))
        foot = PixelRectangle(x: margin, y: y, width: width - 2 * margin, height: notes * sizes.pixels(15))
        height = foot.bottom + margin
        self.width = width
        guard height <= PictureStyle.maximumPixels else {
            throw .invalidSetting(
                name: "height", found: "\(height) pixels for \(counts.reduce(0, +)) tiles",
                expected: "at most \(PictureStyle.maximumPixels): fewer tiles, or a wider sheet")
        }
    }
}
