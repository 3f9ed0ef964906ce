import ArgumentParser
import FileIO
import Manifests

/// Where a manifest is written to.
struct ManifestOutputOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, help: ArgumentHelp("The manifest to write; - for standard output.", valueName: "manifest"),
        completion: .manifest)
    var output: String

    @Option(
        help: ArgumentHelp(
            "The format of the manifest to write. Default: by its extension; csv for '-'.", valueName: "format"))
    var outputFormat: ManifestFormat?

    @Flag(help: .overwrite)
    var overwrite = false

    var isStandardOutput: Bool { output == "-" }

    /// The folder that the manifest's paths start from; nil: they stay as they are.
    var folder: String? { isStandardOutput ? nil : Folder.containing(output) }

    /// Changes lines for a terminal; nil: they are not shown on one.
    var shown: ((String) -> String)? {
        isStandardOutput && Console.isOutputTerminal ? { Console.shown(data: $0) } : nil
    }

    /// The format as given, or by extension. Also refuses, before the work, a name that is a link to nothing.
    func format() throws -> ManifestFormat {
        try OutputName.refuseLinkToNothing(output)
        return try ManifestFormat.written(to: output, given: outputFormat)
    }
}

extension ManifestFormat {
    /// The format as given with `--output-format`, or by the extension of the manifest's name; CSV for standard output.
    static func written(to output: String, given: ManifestFormat?) throws -> ManifestFormat {
        guard let format = given ?? (output == "-" ? .csv : ManifestFormat(path: output)) else {
            throw ValidationError(
                "\(output): cannot tell the format by the extension (csv, tsv, jsonl); give it with --output-format.")
        }
        return format
    }
}
