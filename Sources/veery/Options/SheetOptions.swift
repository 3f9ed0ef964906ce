import ArgumentParser
import DatasetInspection
import FeatureModel
import Presentation

/// A contact sheet: which clips of a feature file are on it.
struct SheetOptions: ParsableArguments {
    /// Which clips of a label are chosen.
    enum Choice: String, CaseIterable, ExpressibleByArgument {
        case random, typical, extreme
    }

    @Flag(help: "Draw some clips of every label of a feature file, small, beside the label's mean and spread.")
    var sheet = false

    @Option(parsing: .unconditional, help: ArgumentHelp("Clips of each label. Default: 6.", valueName: "n"))
    var perLabel: Int?

    @Option(
        help: """
            Which clips: random, typical (nearest to the mean of their label) or extreme (furthest from it). \
            Default: random.
            """)
    var choose: Choice?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "For --choose random: another number chooses other clips. Default: 0.", valueName: "n"),
        transform: UInt64.expecting("a whole number, 0 or more"))
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "Only these labels, in this order, such as owl,wren; an empty name: clips without one. May be repeated. Default: the largest 24.",
            valueName: "a,b,…"))
    var labels: [String] = []

    @Option(help: ArgumentHelp("Only clips of this split.", valueName: "name"))
    var split: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The time that a tile spans. Default: so long that most clips fit.", valueName: "s"))
    var seconds: Double?

    @Flag(help: "Leave out the mean and the spread of each label.")
    var noAverage = false

    @Flag(
        help: "Print the chosen clips, a line each: label, id, distance from the label's mean, seconds; tabs between.")
    var list = false

    func validate() throws {
        guard sheet else {
            guard isEmpty else {
                throw ValidationError(
                    "--per-label, --choose, --seed, --labels, --split, --seconds, --no-average and --list are for --sheet."
                )
            }
            return
        }
        if let perLabel, !(1...100).contains(perLabel) {
            throw ValidationError("--per-label: expected 1 to 100, found \(perLabel).")
        }
        if let seconds, !(seconds > 0 && seconds.isFinite) {
            throw ValidationError("--seconds: expected more than 0, found \(Wording.number(seconds)).")
        }
        if seed != nil, let choose, choose != .random {
            throw ValidationError("--seed is for --choose random, not for --choose \(choose.rawValue).")
        }
    }

    private var isEmpty: Bool {
        perLabel == nil && choose == nil && seed == nil && labels.isEmpty && split == nil && seconds == nil
            && !noAverage
            && !list
    }

    /// How clips are chosen.
    var method: ClipSelection.Method {
        switch choose ?? .random {
        case .random: .random(seed: seed ?? 0)
        case .typical: .typical
        case .extreme: .extreme
        }
    }

    /// The words for it.
    var methodInWords: String {
        switch choose ?? .random {
        case .random: "at random (seed \(seed ?? 0))"
        case .typical: "the most typical: nearest to the mean of their label"
        case .extreme: "the most extreme: furthest from the mean of their label"
        }
    }

    /// The places of the labels that were named, in the order in which they were, −1 for clips without one; nil: none were.
    ///
    /// A name with a comma in it may be given as an option of its own.
    /// - Throws: `PictureError` for a label that the file does not have.
    func places(in known: [String], of path: String) throws -> [Int]? {
        guard !labels.isEmpty else { return nil }
        var places: [Int] = []
        for option in labels {
            let names =
                known.contains(option)
                ? [option] : option.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            for name in names {
                guard let place = name.isEmpty ? -1 : known.firstIndex(of: name) else {
                    let nearest = nearestName(to: name, in: known).map { " Did you mean '\($0)'?" } ?? ""
                    throw PictureError(
                        path: path, reason: "--labels: the file has no label '\(name)'.\(nearest) See 'veery inspect'.")
                }
                if !places.contains(place) { places.append(place) }
            }
        }
        return places
    }
}
