import ArgumentParser
import DatasetExtraction
import FeatureExport
import FeatureStorage
import Presentation

extension ExportFormat: ExpressibleByArgument {
    package static var allValueStrings: [String] { allCases.map { $0.rawValue } }
}

/// A number of bytes, such as 500MB or 2GiB.
struct ByteCount: ExpressibleByArgument {
    let bytes: Int

    private static let units = [
        "": 1, "B": 1, "KB": 1000, "MB": 1_000_000, "GB": 1_000_000_000, "KIB": 1 << 10, "MIB": 1 << 20,
        "GIB": 1 << 30,
    ]

    init?(argument: String) {
        let digits = argument.prefix { $0.isNumber || $0 == "." }
        let unit = argument.dropFirst(digits.count).drop { $0 == " " }.uppercased()
        guard let number = Double(digits), let factor = Self.units[unit],
            let bytes = Int(exactly: (number * Double(factor)).rounded()), bytes > 0
        else { return nil }
        self.bytes = bytes
    }
}

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write features in the format of another program.",
        discussion: """
            Formats (--to):
              npy          features.npy for NumPy, clips.jsonl with a line for each clip
              safetensors  one file of tensors; ids and labels in its metadata
              kaldi        feats.ark, feats.scp and tables, sorted by id
              webdataset   tars of --shard-size with KEY.npy, KEY.cls, KEY.json
              lhotse       cuts.jsonl.gz; veery.lhotse reads the feature file itself
              zarr         a Kerchunk reference to the feature file, for xarray

            Values keep their bits and their normalisation. What is copied is compared
            with its checksums. The folder appears under its name once it is complete.
            lhotse and zarr copy nothing and need the feature file where it is. zarr refers
            to one file, not to a set.

            Examples:
              veery export features.h5 --to npy -o arrays
              veery export features.h5 --to kaldi -o data/train --split train
              veery export features.h5 --to webdataset -o shards --shard-size 500MB
            """)

    @Argument(help: "The feature file, or the index of a set.", completion: .features)
    var file: String

    @Option(help: ArgumentHelp("The format to write.", valueName: "format"))
    var to: ExportFormat

    @Option(
        name: .shortAndLong, help: ArgumentHelp("The folder to write, new or empty.", valueName: "folder"),
        completion: .directory)
    var output: String

    @Option(help: "Only clips of this split.", completion: .splits)
    var split: String?

    @Option(help: "Only clips with this label.", completion: .labels)
    var label: String?

    @Option(
        help: ArgumentHelp("The maximum size of a tar of webdataset, such as 500MB. (default: 1GB)", valueName: "size"))
    var shardSize: ByteCount?

    @Option(help: .progress)
    var progress: ProgressStyle?

    @Flag(help: "Replace an existing export. It is kept until the new one is complete.")
    var overwrite = false

    @Flag(name: .shortAndLong, help: .quiet)
    var quiet = false

    func validate() throws {
        if shardSize != nil, to != .webdataset { throw ValidationError("--shard-size is for --to webdataset.") }
        if to == .zarr, split != nil || label != nil {
            throw ValidationError(
                "A Zarr reference covers the whole feature file: leave out --split and --label, and select clips by the "
                    + "variables split and label.")
        }
    }

    func run() throws {
        try GivenFile.requireFeatures(file)
        let interruption = Interruption()
        // Other threads show progress only.
        CrashGuard.start(file.printable)
        let reader = try FeatureReader(path: file)
        let options = ExportOptions(
            format: to, output: output, split: split, label: label,
            shardBytes: shardSize?.bytes ?? ExportOptions.standardTarBytes, overwrite: overwrite)
        let progress = ExtractionProgress()
        let display = ProgressDisplay(progress, style: self.progress, isQuiet: quiet, verb: "exporting")
        let start = ContinuousClock.now
        let summary = try interruption.run(stopping: display) { cancellation in
            defer { CrashGuard.stop() }
            return try FeatureExport.run(
                reader, options, cancellation: cancellation,
                counted: { clips in
                    progress.expect(clips)
                    progress.start(.extracting)
                }, finished: { progress.finishedClip(seconds: $0.duration) })
        }
        guard !quiet else { return }
        Console.note(report(summary, seconds: start.duration(to: .now) / .seconds(1)).printable)
        for note in summary.notes { Console.note("note: \(note)".printable) }
        if summary.clips == 0 { Console.warn("\(file) has no clips: the export is empty") }
    }

    private func report(_ summary: ExportSummary, seconds: Double) -> String {
        let files = Wording.count(summary.files.count, "file")
        return "wrote \(summary.path): \(Wording.count(summary.clips, "clip")), "
            + "\(Wording.count(summary.frames, "frame")) as \(to.rawValue), \(files), "
            + "\(Wording.bytes(summary.bytes)) in \(Wording.duration(seconds))"
    }
}
