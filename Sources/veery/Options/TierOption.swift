import ArgumentParser

/// Which tiers of TextGrids are read.
struct TierOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The tier of a TextGrid: its name, its number as '#2', or all that match a pattern: '* - words'.",
            valueName: "name|pattern"))
    var tier: String?
}
