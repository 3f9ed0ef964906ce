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
            duration (seconds), channel; every other column is kept. Also compressed by gzip, in UTF-16, and with \
            semicolons; '-' is standard input.
            """,
        completion: .file(extensions: ["csv", "tsv", "jsonl", "ndjson"]))
    var manifest: String

    @Option(help: "The manifest's format: csv, tsv or jsonl. Default: by its extension, or its first line.")
    var format: ManifestFormat?

    @OptionGroup var quoting: QuotingOption

    @Option(
        help: ArgumentHelp(
            "The folder that relative paths start from. Default: the manifest's, or the current one.",
            valueName: "folder"),
        completion: .directory)
    var root: String?

    /// Refuses a file whose format is not known, before anything is read.
    func checkFormat() throws { if !isStandardInput { _ = try resolvedFormat(ManifestInput(path: manifest)) } }

    /// The clips, each checked.
    func source() throws -> Manifest {
        let input = isStandardInput ? try ManifestInput.standardInput() : ManifestInput(path: manifest)
        return try Manifest.scan(input, format: resolvedFormat(input))
    }

    /// The format as given, by extension, or by the first line.
    private func resolvedFormat(_ input: ManifestInput) throws -> ManifestFormat {
        let byName = isStandardInput ? nil : ManifestFormat(path: manifest)
        guard let named = try format ?? byName ?? ManifestFormat(contentOf: input) else {
            let signs = isStandardInput ? "the first line" : "the extension (csv, tsv, jsonl) or the first line"
            throw ValidationError("\(input.name): cannot tell the format by \(signs); give it with --format.")
        }
        return try quoting.applied(to: named, of: input.name)
    }

    private var isStandardInput: Bool { manifest == "-" }

    var resolvedRoot: String { root ?? (isStandardInput ? "." : Folder.containing(manifest)) }
}
