import ArgumentParser
import DatasetFormats
import Essentials
import FileIO
import Manifests
import Messages
import Presentation

struct CrawlCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crawl", abstract: "Make a manifest of the recordings in a folder or an archive.",
        discussion: """
            A folder in a known format, such as a Kaldi directory or LibriSpeech, is read
            in that format (see --dataset). In any other folder, recordings are found by
            their extension, in its subfolders, too.

            The label is the name of the folder that holds a recording, or what
            --label-from finds in its path (relative to the folder); further named groups
            become columns. Folders that are all named like splits (train, test) are
            splits, and the label is the folder below or above them.

            Paths are relative to the manifest's folder (../audio/a.wav), so that both can be
            moved together; absolute where the two are in different folders of '/'. With
            '-o -', they are relative to the folder crawled. On a terminal, control
            characters in names are replaced.

            Archives (.tar, .tar.gz, .tar.zst, .zip) are searched as folders are. A
            recording in one has the path ARCHIVE::member. In a WebDataset shard, .cls is
            the label, and .txt and .json are columns.

            Examples:
              veery crawl recordings -o manifest.csv
              veery crawl speech.tar.gz -o speech.csv
              veery crawl speech -o speech.csv --label-from '^(?<label>[^/]+)/'
              veery crawl siteA siteB -o sites.csv --label-level 1 --exclude '*noise*'
              veery crawl recordings -o - --output-format jsonl
              veery crawl LibriSpeech -o libri.csv
            """)

    @Argument(help: "The folder, or an archive. There may be several.", completion: .file())
    var folders: [String]

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The manifest to write; - for standard output.", valueName: "manifest"),
        completion: .manifest)
    var output: String

    @Option(
        name: [.customLong("format"), .customLong("output-format")],
        help: "The format of the manifest to write. Default: by its extension; csv for '-'.")
    var format: ManifestFormat?

    @OptionGroup var quoting: QuotingOption

    @Option(
        help: ArgumentHelp(
            "The format of the folder; 'folder' takes its recordings alone. Default: by the names of its files.",
            valueName: "format"))
    var dataset: DatasetFormat?

    @Option(
        help: ArgumentHelp(
            "A regular expression that finds the label in a path. It has a group named 'label', such as '^(?<label>[^/]+)/'.",
            valueName: "regex"))
    var labelFrom: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            Which folder of a path is the label. 1 is the first one, -1 the last one. (default: the last one that is no split)
            """,
            valueName: "level"))
    var labelLevel: Int?

    @Option(
        help: ArgumentHelp(
            "Take only recordings whose name matches, such as '*_mono.wav'. A pattern with a slash is compared with the path. Repeatable.",
            valueName: "pattern"))
    var include: [String] = []

    @Option(
        help: ArgumentHelp(
            "Leave out recordings whose name or folder matches. A pattern with a slash is compared with the path. Repeatable.",
            valueName: "pattern"))
    var exclude: [String] = []

    @OptionGroup var strict: StrictOption

    @Flag(help: "Do not search archives.")
    var noArchives = false

    @OptionGroup var ffmpeg: FFmpegOption

    @Flag(help: .overwrite)
    var overwrite = false

    @Flag(help: .json)
    var json = false

    @Flag(name: .shortAndLong, help: .quiet)
    var quiet = false

    func validate() throws {
        if json, target.isStandardOutput {
            throw ValidationError("--json and the manifest cannot both be standard output.")
        }
        if labelLevel != nil, labelFrom != nil {
            throw ValidationError("Give either --label-level or --label-from, not both.")
        }
        if labelLevel == 0 { throw ValidationError("--label-level is 0; expected 1, 2 … or -1, -2 …") }
        if let dataset, dataset != .folder, dataset.manifestFormat != nil || needsFolder {
            throw ValidationError(
                dataset.manifestFormat == nil
                    ? "--dataset \(dataset.rawValue) is for one folder, without --label-from, --label-level, --include and --exclude."
                    : "--dataset \(dataset.rawValue) is a manifest already.")
        }
    }

    func run() throws {
        let format = try quoting.applied(to: .written(to: output, given: format), of: output)
        try OutputName.refuseLinkToNothing(output)
        if !needsFolder, let kind = try dataset ?? Dataset.format(of: ManifestInput(path: folders[0])), kind != .folder
        {
            return try write(try Dataset.open(ManifestInput(path: folders[0]), format: kind), format)
        }
        try write(try crawl(), format)
    }

    private var target: ManifestTarget { ManifestTarget(path: output) }

    /// Whether an option is for folders of recordings alone.
    private var needsFolder: Bool {
        folders.count != 1 || labelFrom != nil || labelLevel != nil || !include.isEmpty || !exclude.isEmpty
    }

    // MARK: - Datasets in a format of their own

    private func write(_ dataset: Dataset, _ format: ManifestFormat) throws {
        let source = dataset.manifest
        if !quiet, let note = dataset.note { Console.note(note) }
        try strict.report(source.account, isQuiet: quiet)
        let paths = try RelocatedPaths(from: dataset.root, to: target.folder)
        let clips = try source.reader()
        try ManifestWriter(format: format, extraColumns: source.extraColumns).write(
            columns: source.columns, to: output, overwriting: overwrite, shown: target.shown
        ) { () throws(ManifestError) in try clips.next().map { $0.at(paths.path($0.path)) } }
        try target.report(
            clips: source.clipCount, labels: source.labels.count, source.account, asJSON: json, isQuiet: quiet)
    }

    // MARK: - Folders of recordings

    private func crawl() throws -> CrawlResult {
        let severalNames = folders.map { URL(filePath: $0).standardizedFileURL.lastPathComponent }
        let areNamesUnique = Set(severalNames).count == folders.count
        let manifestFolder =
            target.isStandardOutput
            ? folders.count > 1 ? "." : nil : URL(filePath: output).deletingLastPathComponent().path
        let results = try zip(folders, severalNames).map { folder, name in
            let crawler = DirectoryCrawler(
                root: folder, manifestFolder: manifestFolder, labelPattern: labelFrom,
                looksIntoArchives: !noArchives, labelLevel: labelLevel,
                patterns: RecordingNamePatterns(included: include, excluded: exclude),
                idPrefix: folders.count > 1 ? (areNamesUnique ? name : folder) + "/" : "")
            let found = Result<CrawlResult, any Error> { try crawler.crawl() }
            if case .failure(let error) = found, case ManifestError.badPattern = error {
                throw ValidationError("--label-from: \(error).")
            }
            var result = try found.get()
            if !needsFolder { try Dataset.explain(&result.unclaimed, in: folder, asked: dataset) }
            return result
        }
        return results.count == 1 ? results[0] : CrawlResult.joined(results)
    }

    private func write(_ result: CrawlResult, _ format: ManifestFormat) throws {
        try strict.report(result.account, isQuiet: quiet)
        let excluded = result.account.count(of: .recordingsExcluded)
        guard !result.clips.isEmpty else {
            let extensions = RecordingName.extensions.sorted().joined(separator: ", ")
            let found =
                excluded > 0
                ? "\(Wording.count(excluded)) that --include and --exclude leave out"
                : result.account.inWords.filesWithoutRecording
            throw FileRefusal(
                path: folders.joined(separator: ", "),
                reason: "expected recordings (\(extensions)), found \(found); nothing written")
        }
        try ManifestWriter(format: format, extraColumns: result.extraColumns)
            .write(result.clips, to: output, overwriting: overwrite, shown: target.shown)
        let labels = Set(result.clips.map(\.label)).subtracting([""]).count
        let notes =
            result.shards.isEmpty
            ? []
            : [
                "\(Self.list(result.shards)) \(result.shards.count == 1 ? "is a WebDataset shard" : "are WebDataset shards"): "
                    + ".cls is the label, .txt and .json are columns"
            ]
        let archives =
            result.archives.isEmpty
            ? "" : "; \(Wording.count(result.archives.count, "archive")) looked into"
        let others = result.account.count(of: .othersSkipped)
        let leftOut = excluded > 0 ? "; \(Wording.count(excluded, "recording")) left out" : ""
        let skipped = others > 0 ? "; \(Wording.count(others, "other file")) skipped" : ""
        try target.report(
            clips: result.clips.count, labels: labels, result.account, asJSON: json, isQuiet: quiet, notes: notes,
            rest: archives + leftOut + skipped)
    }

    /// The first names of a list, and how many more there are.
    private static func list(_ names: [String]) -> String {
        let shown = names.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
        return names.count > 3 ? "\(shown) and \(Wording.count(names.count - 3)) more" : shown
    }
}
