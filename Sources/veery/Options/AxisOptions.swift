import ArgumentParser
import FeatureModel
import Plotting
import Presentation
import SignalProcessing

extension TimeDisplay: ExpressibleByArgument {}

extension ClockTime: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

struct AxisOptions: ParsableArguments {
    enum Kind: String, CaseIterable, ExpressibleByArgument {
        case bins, linear, mel, log, musical
    }

    enum Mel: String, CaseIterable, ExpressibleByArgument {
        case slaney, htk

        var scale: MelScale { self == .slaney ? .slaney : .htk }
    }

    private static let bandExpected = "two frequencies, the first below the second, such as 300-3400"

    @Option(
        help: """
            The frequency axis: bins, linear, mel, log or musical. bins: all of equal height, as stored; musical: by notes. \
            Default: bins; for features on notes, musical.
            """)
    var axis: Kind?

    @Option(help: "For --axis mel: slaney (linear up to 1 kHz) or htk.")
    var melScale: Mel = .slaney

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("For --axis musical: the frequency of A4. Default: as configured, or 440.", valueName: "Hz"))
    var tuning: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The frequencies to show, such as 300-3400 or 0.3-3.4kHz.", valueName: "low-high"),
        transform: FrequencyBand.expecting(Self.bandExpected))
    var band: FrequencyBand?

    @Option(
        help: """
            The time axis: s, min (minutes and seconds), clock (time of day) or auto. auto: by the length; clock with --begins.
            """)
    var time: TimeDisplay = .automatic

    @Option(
        help: ArgumentHelp(
            "When the recording started, such as 05:30:00. The axis then shows the time of day; for 2024-05-01T05:30:00-05:00, that of this zone. Default, with --time clock: the time in its name, as in site_20240501_053000.wav.",
            valueName: "time"),
        transform: ClockTime.expecting("a time from 00:00 to 23:59:59, such as 05:30:00 or 2024-05-01T05:30:00-05:00"))
    var begins: ClockTime?

    func validate() throws {
        if begins != nil, time == .seconds || time == .minutes {
            throw ValidationError("--begins is for --time clock, not for --time \(time.rawValue).")
        }
        if let tuning, !(1...20_000).contains(tuning) {
            throw ValidationError("--tuning: expected A4's frequency, 1 to 20000 Hz, found \(Wording.number(tuning)).")
        }
        if tuning != nil, let axis, axis != .musical {
            throw ValidationError("--tuning is for --axis musical, not for --axis \(axis.rawValue).")
        }
        if band != nil, frequencies == nil { throw ValidationError("--band: expected \(Self.bandExpected).") }
    }

    /// When the recordings of a picture started; nil: it does not show the time of day.
    ///
    /// - Throws: `ValidationError` where it is to show it, and neither an option nor the name of the one recording says it.
    func start(of recordings: [String]) throws -> ClockTime? {
        guard time == .clock, begins == nil else { return begins }
        if let first = recordings.first, recordings.allSatisfy({ $0 == first }), let found = ClockTime(inNameOf: first)
        {
            return found
        }
        throw ValidationError("--time clock: give the time when the recording started, with --begins 05:30:00.")
    }

    /// Whether none of the options that plain pictures lack was given.
    var isEmpty: Bool { axis == nil && tuning == nil && begins == nil && time == .automatic }

    /// How many of a frame's bins are in the band that is drawn. Where the band is none of these bins, the picture says so.
    func drawn(_ axis: BinAxis, bins: Int) -> Int {
        frequencies.flatMap { try? axis.bins(in: $0).count } ?? bins
    }

    /// The band in hertz; nil: all frequencies.
    var frequencies: ClosedRange<Double>? {
        guard let band, case .hertz(let low) = band.low, case .hertz(let high) = band.high, low < high else {
            return nil
        }
        return low...high
    }

    /// - Parameter musical: The notes at which the values were computed; nil: none.
    func display(musical: MusicalConfiguration?) -> FrequencyDisplay {
        switch axis ?? (musical != nil || tuning != nil ? .musical : .bins) {
        case .bins: return .bins
        case .linear: return .linear
        case .log: return .logarithmic
        case .musical: return .musical(tuning: tuning ?? musical?.tuning ?? 440)
        case .mel:
            let scale = melScale.scale
            return .warped(
                FrequencyWarp(
                    name: "mel scale", value: { scale.mel(fromHertz: $0) }, hertz: { scale.hertz(fromMel: $0) }))
        }
    }

    /// The axis of a picture of the matrix `rising(by: axis)`; an axis in Hz needs rising frequencies, which columns in several
    /// parts do not have.
    ///
    /// - Parameter transform: The transform that computed the columns; nil: unknown.
    static func axis(_ axis: FeatureAxis, _ transform: TransformConfiguration?) -> BinAxis {
        switch axis.rising {
        case .frequency(let values): zip(values, values.dropFirst()).allSatisfy(<) ? .frequencies(values) : .columns
        case .coefficient where transform == .raw: .samples
        case .coefficient(let orders): orders.enumerated().allSatisfy { $1 == Float($0) } ? .coefficients : .columns
        }
    }
}
