import ArgumentParser
import DatasetInspection
import FeatureModel
import Presentation

struct SheetOptions: ParsableArguments {
    enum Choice: String, CaseIterable, ExpressibleByArgument {
        case random, typical, extreme
    }

    @Flag(
        help:
            "Draw a contact sheet of a feature file. It has small pictures of some clips of every label, and the label's mean and spread."
    )
    var sheet = false

    @Option(parsing: .unconditional, help: ArgumentHelp("How many clips of each label. Default: 6.", valueName: "n"))
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
            "For --choose random: a number; another one chooses other clips. Default: 0.", valueName: "n"),
        transform: UInt64.expecting("a whole number, 0 or more"))
    var seed: UInt64?

    @Option(
        help: ArgumentHelp(
            "Only these labels, in this order, such as owl,wren. An empty name is for clips without a label. Repeatable. Default: the 24 labels with most clips.",
            valueName: "a,b,…"), completion: .labels)
    var labels: [String] = []

    @Option(help: ArgumentHelp("Only clips of this split.", valueName: "name"), completion: .splits)
    var split: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The seconds that a small picture shows. Default: long enough for most clips.", valueName: "s"))
    var seconds: Double?

    @Flag(help: "Leave out the mean and the spread of each label.")
    var noAverage = false

    @Flag(
        help:
            "Print the chosen clips, a line each: label, id, distance from the label's mean, and seconds, with tabs between."
    )
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
        try ValidationError.check("per-label", perLabel, in: 1...100)
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

    var method: ClipSelection.Method {
        switch choose ?? .random {
        case .random: .random(seed: seed ?? 0)
        case .typical: .typical
        case .extreme: .extreme
        }
    }

    var methodInWords: String {
        switch choose ?? .random {
        case .random: "at random (seed \(seed ?? 0))"
        case .typical: "the most typical: nearest to the mean of their label"
        case .extreme: "the most extreme: furthest from the mean of their label"
        }
    }

    /// The indices of the given labels in the file, in the order given, −1 for clips without one; nil: none was given.
    ///
    /// A name that contains a comma needs an option of its own.
    /// - Throws: `FileRefusal` for a label that the file does not have.
    func labelIndices(in known: [String], of path: String) throws -> [Int]? {
        guard !labels.isEmpty else { return nil }
        var indices: [Int] = []
        for option in labels {
            let names =
                known.contains(option)
                ? [option] : option.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            for name in names {
                guard let index = name.isEmpty ? -1 : known.firstIndex(of: name) else {
                    let nearest = nearestName(to: name, in: known).map { " Did you mean '\($0)'?" } ?? ""
                    throw FileRefusal(
                        path: path, reason: "--labels: the file has no label '\(name)'.\(nearest) See 'veery inspect'.")
                }
                if !indices.contains(index) { indices.append(index) }
            }
        }
        return indices
    }
}
