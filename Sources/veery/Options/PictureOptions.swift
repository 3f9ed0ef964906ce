import ArgumentParser
import Essentials
import FeatureModel
import FileIO
import Plotting
import Presentation

extension ColorTable: ExpressibleByArgument {}
extension Theme: ExpressibleByArgument {}

struct PictureOptions: ParsableArguments {
    @Option(
        help: """
            The colours, such as viridis, magma or grey-inverted. grey-inverted: loud is dark, as in printed sonograms; \
            false-color: the table of the scrolling DCT spectrogram.
            """)
    var colors: ColorTable = .viridis

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The values of the first and the last colour, such as -80:0. Default: percentiles; for the preset spectrogram, from below the noise to the peak; for false-color in dB, 0:30.1.",
            valueName: "low:high"), transform: ValueRange.expecting("two numbers, the lower first, such as -80:0"))
    var range: ValueRange?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The percentiles of the values that get the first and the last colour. Default: 1:99.5.",
            valueName: "low:high"),
        transform: ValueRange.expecting("two numbers from 0 to 100, the lower first, such as 1:99.5"))
    var percentiles: ValueRange?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many dB below the maximum the first colour is. For values in dB.", valueName: "dB"))
    var belowPeak: Double?

    @Option(help: "The colours of text and background.")
    var theme: Theme = .light

    @Option(parsing: .unconditional, help: ArgumentHelp("The width in pixels (at 96 dpi).", valueName: "pixels"))
    var width = 1000

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The height in pixels (at 96 dpi). Default: 420, more for several clips and with a waveform.",
            valueName: "pixels"))
    var height: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Dots per inch. 192 draws the same picture with twice the pixels in each direction.", valueName: "dpi"))
    var dpi = 96.0

    @Option(parsing: .unconditional, help: ArgumentHelp("The font size in pixels (at 96 dpi).", valueName: "pixels"))
    var fontSize = 12.0

    func validate() throws {
        try ValidationError.check("width", width, in: PictureStyle.widths)
        try ValidationError.check("height", height, in: PictureStyle.heights)
        try ValidationError.check("dpi", dpi, in: PictureStyle.resolutions)
        try ValidationError.check("font-size", fontSize, in: PictureStyle.fontSizes)
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

    /// - Parameter defaultHeight: In pixels at 96 dots per inch, if no height was given.
    func style(defaultHeight: Int = 420) throws(PlotError) -> PictureStyle {
        try PictureStyle(
            colors: colors, theme: theme, width: width,
            height: height ?? min(max(defaultHeight, PictureStyle.heights.lowerBound), PictureStyle.heights.upperBound),
            dpi: dpi, fontSize: fontSize)
    }

    /// - Throws: `ValidationError` if dB are asked for and the values are in another unit.
    func span(units: String, usual: ValueSpan = .usual) throws -> ValueSpan {
        if let range { return .fixed(range.range) }
        if let percentiles {
            // By their decimals: 99.9 as a Float is not 99.9.
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

struct PictureOutput {
    let path: String
    let format: PictureFormat

    /// Checks that there is no file of that name, an empty one, or a picture of the same kind, so that a mistyped name does not
    /// overwrite a recording.
    ///
    /// - Throws: `ValidationError` for the name, `FileRefusal` for an existing file.
    init(path: String) throws {
        guard let format = PictureFormat(path: path) else {
            throw ValidationError("\(path): pictures are PNG, SVG or PDF: give a name that ends in .png, .svg or .pdf.")
        }
        guard try Self.isReplaceable(path, format) else {
            throw FileRefusal(
                path: path, reason: "the file exists and is no \(format.name) picture, so it is not replaced")
        }
        self.path = path
        self.format = format
    }

    private static func isReplaceable(_ path: String, _ format: PictureFormat) throws(FileRefusal) -> Bool {
        guard let status = FileStatus(path: path) else { return true }
        guard status.isRegular else { return false }
        let start: [UInt8]
        do throws(SystemError) { start = try SharedFile.contents(of: path, maximum: 1024) } catch {
            throw FileRefusal(path: path, "cannot be read, so it is not replaced", error)
        }
        switch format {
        case .png: return start.isEmpty || start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        case .pdf: return start.isEmpty || start.starts(with: "%PDF-".utf8)
        case .svg: return start.isEmpty || String(decoding: start, as: UTF8.self).contains("<svg")
        }
    }
}
