import ArgumentParser
import FeatureModel
import Plotting
import Presentation

extension ColorTable: ExpressibleByArgument {}
extension Theme: ExpressibleByArgument {}

struct PictureOptions: ParsableArguments {
    @Option(
        help: """
            The colours. grey-inverted: loud is dark, as in printed sonograms; false-color: the table of the scrolling DCT \
            spectrogram.
            """)
    var colors: ColorTable = .viridis

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The values at the two ends of the colours, such as -80:0. Default: percentiles; for the preset spectrogram, from below the noise to the peak; for false-color in dB, 0:30.1.",
            valueName: "low:high"), transform: ValueRange.expecting("two numbers, the lower first, such as -80:0"))
    var range: ValueRange?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The percentiles of the values at the two ends of the colours. Default: 1:99.5.", valueName: "low:high"),
        transform: ValueRange.expecting("two numbers from 0 to 100, the lower first, such as 1:99.5"))
    var percentiles: ValueRange?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The range of the colours in dB, up to the maximum. For values in dB.", valueName: "dB"))
    var belowPeak: Double?

    @Option(help: "Colours of text and background.")
    var theme: Theme = .light

    @Option(parsing: .unconditional, help: ArgumentHelp("Width in pixels (at 96 dpi).", valueName: "pixels"))
    var width = 1000

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Height in pixels (at 96 dpi). Default: 420, more for several clips and with a waveform.",
            valueName: "pixels"))
    var height: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Dots per inch: 192 draws the same picture with twice the pixels.", valueName: "dpi"))
    var dpi = 96.0

    @Option(parsing: .unconditional, help: ArgumentHelp("Font size in pixels (at 96 dpi).", valueName: "pixels"))
    var fontSize = 12.0

    func validate() throws {
        for (name, value, allowed) in [
            ("width", width, PictureStyle.widths), ("height", height ?? 420, PictureStyle.heights),
        ] where !allowed.contains(value) {
            throw ValidationError("--\(name): expected \(allowed.lowerBound) to \(allowed.upperBound), found \(value).")
        }
        for (name, value, allowed) in [
            ("dpi", dpi, PictureStyle.resolutions), ("font-size", fontSize, PictureStyle.fontSizes),
        ] where !allowed.contains(value) {
            let bounds = [allowed.lowerBound, allowed.upperBound].map(Wording.number)
            throw ValidationError("--\(name): expected \(bounds[0]) to \(bounds[1]), found \(Wording.number(value)).")
        }
        let longest = Double(max(width, height ?? 420)) * dpi / 96
        guard longest <= Double(PictureStyle.maximumPixels) else {
            throw ValidationError(
                "--dpi: the picture would have a side of \(Int(longest)) pixels; the maximum is \(PictureStyle.maximumPixels)."
            )
        }
        guard [range != nil, percentiles != nil, belowPeak != nil].count(where: { $0 }) <= 1 else {
            throw ValidationError("Give only one of --range, --percentiles and --below-peak.")
        }
        if let percentiles, !(percentiles.range.lowerBound >= 0 && percentiles.range.upperBound <= 100) {
            throw ValidationError("--percentiles: expected two numbers from 0 to 100, the lower first, such as 1:99.5.")
        }
        if let belowPeak, !(belowPeak > 0 && belowPeak.isFinite) {
            throw ValidationError("--below-peak: expected more than 0 dB, found \(Wording.number(belowPeak)).")
        }
    }

    /// The look of a picture.
    ///
    /// - Parameter defaultHeight: In pixels at 96 dots per inch, where no height was given.
    func style(defaultHeight: Int = 420) throws(PlotError) -> PictureStyle {
        try PictureStyle(
            colors: colors, theme: theme, width: width,
            height: height ?? min(max(defaultHeight, PictureStyle.heights.lowerBound), PictureStyle.heights.upperBound),
            dpi: dpi, fontSize: fontSize)
    }

    /// The values at the two ends of the colours.
    ///
    /// - Throws: `ValidationError` where dB are asked for and the values are in another unit.
    func span(units: String, usual: ValueSpan = .usual) throws -> ValueSpan {
        if let range { return .fixed(range.range) }
        if let percentiles {
            // By their decimals: 99.5 as a Float is 99.5, but 99.9 is not 99.9.
            let ends = [percentiles.range.lowerBound, percentiles.range.upperBound].map {
                Double("\($0)") ?? Double($0)
            }
            return .percentiles(ends[0], ends[1])
        }
        if let belowPeak {
            guard units == "dB" || units.hasPrefix("dB ") else {
                throw ValidationError(
                    "--below-peak: expected values in dB, found '\(units)'. Give --range low:high in that unit"
                        + ", or draw the recording with --set scale.kind=db --set normalize.scope=none.")
            }
            return .belowPeak(belowPeak)
        }
        return colors == .falseColor && units == "dB" ? .fixed(ColorTable.falseColorRange) : usual
    }
}
