import ArgumentParser
import Concurrency
import Essentials
import FeatureModel

/// The help of options that several commands have. Option groups would cost a million instructions each at every start.
extension ArgumentHelp {
    static var jobs: ArgumentHelp {
        ArgumentHelp("The number of threads. Default: one for each processor.", valueName: "n")
    }
    /// The help of `--jobs` for commands that read recordings.
    static var readingJobs: ArgumentHelp {
        ArgumentHelp(
            "The number of threads. Default: one for each processor, and more while they wait for a slow disk.",
            valueName: "n")
    }
    static var overwrite: ArgumentHelp { "Replace an existing output. It is kept until the new one is complete." }
    static var progress: ArgumentHelp {
        """
        How progress is shown: auto, bar, plain, json (a line of JSON a second) or none. Default: auto, or none with --quiet.
        """
    }
    static var quiet: ArgumentHelp { "Print nothing but errors." }
    static var json: ArgumentHelp { "Print the result as JSON on standard output." }
}

enum Jobs {
    static func check(_ jobs: Int?) throws { try ValidationError.check("jobs", jobs, in: 1...1024) }

    static func count(_ jobs: Int?) -> Int { jobs ?? ProcessInfo.processInfo.activeProcessorCount }

    /// For work that may wait for a slow disk.
    static func range(_ jobs: Int?) -> WorkerRange {
        jobs.map { WorkerRange(usual: $0) } ?? .adaptive(processors: ProcessInfo.processInfo.activeProcessorCount)
    }
}

extension DCTFilterPages: ExpressibleByArgument {}

struct BandOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Keep only this band, such as 300-3400. Also 0.3-3.4kHz or 20-300bins.", valueName: "low-high"))
    var bandPass: FrequencyBand?

    @Option(help: ArgumentHelp("Remove this band, such as 45-55. Also 20-300bins.", valueName: "low-high"))
    var bandStop: FrequencyBand?

    @Option(
        help:
            "How the signal is cut into pages: overlapping, or separate, with clicks where pages meet. (default: overlapping)"
    )
    var pages: DCTFilterPages?

    /// Nil: no band was given.
    var band: (mode: DCTFilterMode, band: FrequencyBand)? {
        bandPass.map { (.bandPass, $0) } ?? bandStop.map { (.bandStop, $0) }
    }

    /// Nil: no band was given.
    func filter() throws(BandError) -> DCTFilterConfiguration? {
        guard let (mode, band) = band else { return nil }
        do {
            return try DCTFilterConfiguration(mode: mode, low: band.low, high: band.high, pages: pages ?? .overlapping)
        } catch {
            throw BandError(mode: mode, error: error)
        }
    }

    func validate() throws {
        guard bandPass == nil || bandStop == nil else {
            throw ValidationError("Give either --band-pass or --band-stop, not both.")
        }
    }
}

struct BandError: Error, CustomStringConvertible {
    let mode: DCTFilterMode
    let error: ConfigurationError
    var input: String?

    var description: String {
        switch error {
        case .invalidValue(let key, let found, let expected):
            sentence(key.hasSuffix("high") ? "upper" : "lower", expected, found)
        case .notBelow(_, let found, _, let upper): sentence("lower", "less than the upper edge, \(upper)", found)
        case .unknownKey, .foreignKey: error.description
        }
    }

    private func sentence(_ edge: String, _ expected: String, _ found: String) -> String {
        "--\(mode == .bandPass ? "band-pass" : "band-stop"), \(edge) edge: expected "
            + "\(expected)\(input.map { " in \($0)" } ?? ""), found \(found)"
    }
}
