import ArgumentParser
import FeatureModel
import Plotting

/// A range of values, as `-80:0`.
struct ValueRange: ExpressibleByArgument {
    let range: ClosedRange<Float>

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map { Float($0) }
        guard parts.count == 2, let low = parts[0], let high = parts[1], low.isFinite, high.isFinite, low < high else {
            return nil
        }
        range = low...high
    }
}

/// How a picture looks.
struct PictureOptions: ParsableArguments {
    @Option(help: "The colours: viridis, magma, grey or false-color (the table of the scrolling DCT spectrogram).")
    var colors: ColorTable = .viridis

    @Option(
        help: ArgumentHelp(
            "The values at the two ends of the colours. Default: the 1st and 99.5th percentile; for false-color in dB, as in its source, 0:30.1.",
            valueName: "low:high"))
    var range: ValueRange?

    @Option(help: ArgumentHelp("Width in pixels.", valueName: "pixels"))
    var width = 1000

    @Option(help: ArgumentHelp("Height in pixels.", valueName: "pixels"))
    var height = 420

    func validate() throws {
        for (name, value, allowed) in [
            ("width", width, SpectrogramPicture.widths), ("height", height, SpectrogramPicture.heights),
        ] where !allowed.contains(value) {
            throw ValidationError("--\(name): expected \(allowed.lowerBound) to \(allowed.upperBound), found \(value).")
        }
    }

    /// A vertical axis of Hz needs rising frequencies, which columns in several parts do not have.
    private static func axis(_ axis: FeatureAxis) -> BinAxis {
        switch axis {
        case .frequency(let values): zip(values, values.dropFirst()).allSatisfy(<) ? .frequencies(values) : .columns
        case .coefficient(let orders):
            orders.enumerated().allSatisfy { $1 == Float($0) } ? .coefficients : .columns
        }
    }

    /// A picture of these values.
    func picture(
        _ matrix: FeatureMatrix, axis: FeatureAxis, framePeriod: Double, firstFrameTime: Double, title: String,
        subtitle: String, units: String
    ) throws -> SpectrogramPicture {
        let source = colors == .falseColor && units == "dB" ? ColorTable.falseColorRange : nil
        return try SpectrogramPicture(
            matrix: matrix, axis: Self.axis(axis), framePeriod: framePeriod, firstFrameTime: firstFrameTime,
            title: title, subtitle: subtitle, valueLabel: units, colors: colors, range: range?.range ?? source,
            width: width, height: height)
    }
}
