import ArgumentParser
import FileIO
import Manifests

extension ManifestFormat: ExpressibleByArgument {
    /// The values of `--format`; `--quoting` tells how a TSV is quoted.
    private static let named: [ManifestFormat] = [.csv, .tsv, .jsonLines]

    /// The format of that name.
    public init?(argument: String) {
        guard let format = Self.named.first(where: { $0.rawValue == argument }) else { return nil }
        self = format
    }

    /// The names.
    public static var allValueStrings: [String] { named.map(\.rawValue) }
}

extension ManifestFormat.Quoting: ExpressibleByArgument {
    /// The names.
    public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
}

struct QuotingOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            What quotation marks mean in a TSV: literal, they are part of the text, as in Common Voice; csv, they enclose \
            fields as in CSV. Default: literal.
            """, valueName: "literal|csv"))
    var quoting: ManifestFormat.Quoting?

    /// The format with `--quoting`, which only TSV allows.
    func applied(to format: ManifestFormat, of path: String) throws -> ManifestFormat {
        guard let quoting else { return format }
        guard let result = format.quoted(by: quoting) else {
            let name = format == .jsonLines ? "JSON Lines" : "CSV"
            throw ValidationError("\(path): --quoting \(quoting.rawValue) is for TSV; this manifest is \(name).")
        }
        return result
    }
}

struct ManifestArguments: ParsableArguments {
    @Argument(
        help: """
            The clips: CSV, TSV or JSON Lines with a column 'path', and optionally id, label, split, start, end or \
            duration (seconds), channel; every other column is kept.
            """,
        completion: .file(extensions: ["csv", "tsv", "jsonl", "ndjson"]))
    var manifest: String

    @Option(help: .manifestFormat)
    var format: ManifestFormat?

    @OptionGroup var quoting: QuotingOption

    @Option(
        help: ArgumentHelp("The folder that relative paths start from. Default: the manifest's.", valueName: "folder"),
        completion: .directory)
    var root: String?

    /// The format as given, or by extension.
    func resolvedFormat() throws -> ManifestFormat {
        if let named = format ?? ManifestFormat(path: manifest) { return try quoting.applied(to: named, of: manifest) }
        // A better error for a file that is not text.
        try Manifest.requireText(path: manifest)
        throw ValidationError(
            "\(manifest): cannot tell the format by the extension (csv, tsv, jsonl); give it with --format.")
    }

    /// The clips, each checked.
    func source() throws -> Manifest { try Manifest.scan(path: manifest, format: resolvedFormat()) }

    var resolvedRoot: String { root ?? Folder.containing(manifest) }
}
