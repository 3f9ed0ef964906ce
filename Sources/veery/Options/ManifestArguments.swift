import ArgumentParser
import Foundation
import Manifests

extension ManifestFormat: ExpressibleByArgument {}

/// A manifest to read.
struct ManifestArguments: ParsableArguments {
    @Argument(
        help: """
            The clips: CSV, TSV or JSON Lines with a column 'path', and optionally id, label, split, start, end or \
            duration (seconds), channel; every other column is kept.
            """,
        completion: .file(extensions: ["csv", "tsv", "jsonl", "ndjson"]))
    var manifest: String

    @Option(help: "The manifest's format: csv, tsv or jsonl. Default: by its extension.")
    var format: ManifestFormat?

    @Option(
        help: ArgumentHelp("The folder that relative paths begin at. Default: the manifest's.", valueName: "folder"),
        completion: .directory)
    var root: String?

    /// The format as given, or by extension.
    func resolvedFormat() throws -> ManifestFormat {
        if let format { return format }
        if let format = ManifestFormat(path: manifest) { return format }
        throw ValidationError(
            "\(manifest): cannot tell the format by the extension (csv, tsv, jsonl); give it with --format.")
    }

    /// The folder that relative paths begin at.
    var resolvedRoot: String { root ?? URL(filePath: manifest).deletingLastPathComponent().path }
}
