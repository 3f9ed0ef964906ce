import ArgumentParser
import FeatureExport
import FeatureStorage
import Presentation

struct ListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the clips of a feature file, or those that failed.",
        discussion: """
            Prints ids, labels, splits, durations and paths: as a table, in which long
            names are shortened on a terminal, as CSV or as JSON. The CSV is a manifest of
            the same clips, which 'veery extract' reads; give it the folder of the
            recordings by --root unless the CSV is in it.

            Without --first, a terminal shows the first 100 clips, and everything else
            gets all of them.

            Examples:
              veery list features.h5
              veery list features.h5 --split test --csv > test.csv
              veery list features.h5 --failures
              veery list features.h5 --json | jq '.clips[].duration'
            """)

    @Argument(help: "The feature file, or the index of a set.", completion: .features)
    var file: String

    @Option(help: ArgumentHelp("Only clips of this split.", valueName: "name"), completion: .splits)
    var split: String?

    @Option(help: ArgumentHelp("Only clips with this label.", valueName: "name"), completion: .labels)
    var label: String?

    @Flag(help: "List the clips that failed, with the reasons.")
    var failures = false

    @Option(parsing: .unconditional, help: ArgumentHelp("List only the first n; 0: all.", valueName: "n"))
    var first: Int?

    @Flag(help: "Print CSV (RFC 4180).")
    var csv = false

    @Flag(help: .json)
    var json = false

    /// How many rows a table on a terminal has.
    private static let screenful = 100

    func validate() throws {
        try ValidationError.check("first", first, in: 0...Int.max)
        if csv, json { throw ValidationError("Give either --csv or --json, not both.") }
        if failures, split != nil || label != nil {
            throw ValidationError("--split and --label are for stored clips: clips that failed have none.")
        }
    }

    func run() throws {
        try GivenFile.requireFeatures(file)
        CrashGuard.start(file.printable)
        let reader = try FeatureReader(path: file)
        let source: ClipListing.Source =
            try failures ? .failures : .clips(ClipChoice(split: split, label: label).indices(reader))
        let listing = ClipListing(reader, source, maximum: maximum)
        if csv { return try listing.csv { try Console.output(data: $0) } }
        if json { return try listing.json { try Console.write(TerminalText.escaped(json: $0)) } }
        try ClipListTable(listing, Console.reportStyle, isTerminal: Console.isOutputTerminal).write {
            try Console.output(styled: $0)
        }
    }

    private var maximum: Int {
        guard let first else { return csv || json || !Console.isOutputTerminal ? .max : Self.screenful }
        return first == 0 ? .max : first
    }
}
