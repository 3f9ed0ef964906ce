import Annotations
import ArgumentParser
import FeatureModel
import FileIO
import Manifests
import Messages
import Presentation

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

    @Option(help: .hidden)
    var pathsFrom: String?

    var target: ManifestTarget { ManifestTarget(path: output, pathsFrom: pathsFrom) }

    /// The format as given, or by extension. Also refuses, before the work, a name that is a link to nothing.
    func format() throws -> ManifestFormat {
        try OutputName.refuseLinkToNothing(output)
        return try ManifestFormat.written(to: output, given: outputFormat)
    }
}

/// A manifest that is written, by the name that was given for it.
struct ManifestTarget {
    let path: String
    /// Where paths start on standard output, for programs that know a folder of its own for it; nil: they are not changed.
    var pathsFrom: String?

    var isStandardOutput: Bool { path == "-" }

    /// The folder that the manifest's paths start from; nil: they are not changed.
    var folder: String? { isStandardOutput ? pathsFrom : Folder.containing(path) }

    /// The folder that the names of groups start from: the manifest's; of standard output, the current one.
    var groupFolder: String { isStandardOutput ? "." : Folder.containing(path) }

    /// Changes lines for a terminal; nil: they are not shown on one.
    var shown: ((String) -> String)? {
        isStandardOutput && Console.isOutputTerminal ? { Console.shown(data: $0) } : nil
    }

    /// Says what was written.
    ///
    /// - Parameters:
    ///   - problems: What was left out because of problems; nil: nothing.
    ///   - rest: What follows the numbers of clips and labels.
    func report(
        clips: Int, labels: Int, _ account: Account, asJSON: Bool, isQuiet: Bool, notes: [String] = [],
        problems: [SourceProblems.Entry]? = nil, rest: String = ""
    ) throws {
        if asJSON {
            try Console.output(
                json: JSONObject(entries: [
                    "manifest": path, "clips": clips, "labels": labels, "remarks": account.inWords.report,
                    "problems": problems,
                ]))
        }
        guard !isQuiet else { return }
        for note in notes { Console.note("note: \(note.printable)") }
        Console.note(
            "wrote \(isStandardOutput ? "the manifest" : path): \(Wording.count(clips, "clip")), "
                + Wording.count(labels, "label") + rest)
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
