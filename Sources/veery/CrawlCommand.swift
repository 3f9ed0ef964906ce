import ArgumentParser
import Foundation
import Manifests
import Presentation

struct CrawlCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crawl", abstract: "Make a manifest of the recordings below a folder, or in an archive.",
        discussion: """
            Recordings are found by their extension. The label is the name of the
            folder that holds a recording, or what --label-from finds in its path
            (relative to the folder); further named groups become columns. Paths are
            relative to the manifest's folder if they are below it, and absolute
            otherwise; with '-o -', relative to the folder crawled. On a terminal,
            control characters in names are replaced.

            Archives (.tar, .tar.gz, .tar.zst, .zip) are looked into, as if each were
            a folder of its name. Recordings in them have the path ARCHIVE::member. In
            a WebDataset shard, .cls is the label, and .txt and .json are columns.

            Examples:
              veery crawl recordings -o manifest.csv
              veery crawl speech.tar.gz -o speech.csv
              veery crawl speech -o speech.csv --label-from '^(?<label>[^/]+)/'
              veery crawl recordings -o - --format jsonl
            """)

    @Argument(help: "The folder, or an archive.", completion: .file())
    var folder: String

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The manifest to write; - for standard output.", valueName: "manifest"),
        completion: .file(extensions: ["csv", "tsv", "jsonl"]))
    var output: String

    @Option(help: .manifestFormat)
    var format: ManifestFormat?

    @OptionGroup var quoting: QuotingOption

    @Option(
        help: ArgumentHelp(
            "A regular expression with a named group 'label', searched in each path.", valueName: "regex"))
    var labelFrom: String?

    @Flag(help: "Fail on recordings that --label-from does not match, instead of leaving them out.")
    var strict = false

    @Flag(help: "Do not look into archives.")
    var noArchives = false

    @OptionGroup var ffmpeg: FFmpegOption

    @Flag(help: .overwrite)
    var overwrite = false

    @Flag(name: .shortAndLong, help: .quiet)
    var quiet = false

    func validate() throws {
        if strict, labelFrom == nil { throw ValidationError("--strict is for --label-from.") }
    }

    func run() throws {
        let toStandardOutput = output == "-"
        guard let named = format ?? (toStandardOutput ? .csv : ManifestFormat(path: output)) else {
            throw ValidationError(
                "\(output): cannot tell the format by the extension (csv, tsv, jsonl); give it with --format.")
        }
        let format = try quoting.applied(to: named, of: output)
        let manifestFolder = toStandardOutput ? nil : URL(filePath: output).deletingLastPathComponent().path
        let crawler = DirectoryCrawler(
            root: folder, manifestFolder: manifestFolder, labelPattern: labelFrom, isStrict: strict,
            looksIntoArchives: !noArchives)
        let found = Result<CrawlResult, any Error> { try crawler.crawl() }
        if case .failure(let error) = found, case ManifestError.badPattern = error {
            throw ValidationError("--label-from: \(error).")
        }
        let result = try found.get()
        if !quiet { for warning in result.warnings { Console.warn(warning) } }
        if result.unmatchedCount > 0 {
            let names = result.unmatched.map { "'\($0)'" }.joined(separator: ", ")
            let count = result.unmatchedCount
            Console.warn(
                "left out \(Wording.count(count, "recording")) that --label-from does not match: \(names)"
                    + (count > result.unmatched.count ? " …" : "") + "; --strict makes this an error")
        }
        guard !result.clips.isEmpty else {
            let extensions = DirectoryCrawler.extensions.sorted().joined(separator: ", ")
            let others = result.skippedFiles
            if let note = result.mediaNote, !quiet { Console.note("note: \(note)") }
            let found = others == 0 ? "no files at all" : "none among \(Wording.count(others, "other file"))"
            throw FileRefusal(
                path: folder, reason: "expected recordings (\(extensions)), found \(found); nothing written")
        }
        var shown: ((String) -> String)?
        if toStandardOutput, Console.isOutputTerminal { shown = { Console.shown(data: $0) } }
        try ManifestWriter(format: format, extraColumns: result.extraColumns)
            .write(result.clips, to: output, overwriting: overwrite, shown: shown)
        guard !quiet else { return }
        if !result.shards.isEmpty {
            Console.note(
                "note: \(Self.list(result.shards)) \(result.shards.count == 1 ? "is a WebDataset shard" : "are WebDataset shards"): "
                    + ".cls is the label, .txt and .json are columns")
        }
        if let note = result.mediaNote { Console.note("note: \(note)") }
        let labels = Set(result.clips.map(\.label)).subtracting([""]).count
        let archives =
            result.archives.isEmpty
            ? "" : "; \(Wording.count(result.archives.count, "archive")) looked into"
        let skipped = result.skippedFiles > 0 ? "; \(Wording.count(result.skippedFiles)) other files skipped" : ""
        Console.note(
            "wrote \(toStandardOutput ? "the manifest" : output): \(Wording.count(result.clips.count, "clip")), "
                + "\(Wording.count(labels, "label"))\(archives)\(skipped)")
    }

    /// The first names of a list, and how many more there are.
    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
        return names.count > 3 ? "\(shown) and \(Wording.count(names.count - 3)) more" : shown
    }
}
