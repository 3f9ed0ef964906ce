import Annotations
import ArgumentParser

/// Which rows and columns of annotation tables are read.
struct AnnotationRowOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The column of labels in annotation files. Default: by its name.", valueName: "name"))
    var labelColumn: String?

    @Option(
        help: ArgumentHelp("The column of recordings in annotation files. Default: by its name.", valueName: "name"))
    var pathColumn: String?

    @Option(help: ArgumentHelp("The label for annotations that have none.", valueName: "name"))
    var label: String?

    @Option(
        help: ArgumentHelp(
            "Take only the annotations of this annotator, as the column 'annotator' names them.", valueName: "name"))
    var annotator: String?

    @Option(
        help: ArgumentHelp(
            "The tier of a TextGrid: its name, its number (such as '#2'), or a pattern for several (such as '* - words').",
            valueName: "name|pattern"))
    var tier: String?

    /// The names of the options that are given.
    var given: [String] {
        [
            ("label-column", labelColumn), ("path-column", pathColumn), ("label", label), ("annotator", annotator),
            ("tier", tier),
        ].filter { $0.1 != nil }.map(\.0)
    }

    /// The options for reading annotations.
    var options: AnnotationOptions {
        var options = AnnotationOptions()
        (options.labelColumn, options.pathColumn) = (labelColumn, pathColumn)
        (options.label, options.annotator, options.tier) = (label, annotator, tier)
        return options
    }

    /// Refuses these options without the option that names the tables.
    func check(isUsed: Bool, by option: String) throws {
        guard !isUsed, let name = given.first else { return }
        throw ValidationError("--\(name) is for --\(option).")
    }
}
