import ArgumentParser
import AudioDecoding
import DatasetChecks
import DatasetExtraction
import DatasetInspection
import DatasetReports
import Essentials
import FeatureModel
import FeatureStorage
import Manifests
import Presentation

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Find the problems of a dataset before a run.",
        discussion: """
            Reads every row of the manifest and every recording's header; with --deep,
            all samples, too. Checks recordings, labels and splits.
            Problems are grouped by kind, the worst first, each with some clips that have
            it and a way to mend it. Clips of different splits that overlap in time in one
            recording, or have the same samples, are leaks. The exit status is 0 without
            errors (there may be warnings and notes), 3 with errors, and 1 if the
            manifest itself cannot be read.

            Examples:
              veery check manifest.csv
              veery check manifest.csv --deep --html problems.html
              veery check manifest.csv --features features.h5
              veery check manifest.csv --mend usable.csv
            """)

    @OptionGroup var input: ManifestArguments

    @Flag(
        help: "Decode all recordings, too. This finds damage, silence, clipping, offsets and clips with equal samples.")
    var deep = false

    @Option(
        help: ArgumentHelp(
            "A feature file of these clips, or the index of a set: find labels that clips like them do not have, too.",
            valueName: "features.h5"), completion: .features)
    var features: String?

    @Option(
        help: ArgumentHelp(
            "What must not be in several splits. A column, or 'folder' for the recordings' folders. Default: speaker, if there "
                + "is such a column.",
            valueName: "folder|column"),
        completion: .columns(besides: "folder"))
    var by: String?

    @Option(
        help: ArgumentHelp(
            "Write a manifest of the clips that can be used. The others go to OUT.rejected.csv in the same folder.",
            valueName: "out.csv"),
        completion: .manifest)
    var mend: String?

    @Option(
        help: ArgumentHelp(
            "Write the report as a page of HTML. An older page is replaced, but no other file.", valueName: "page"),
        completion: .page)
    var html: String?

    @Flag(help: "Replace existing outputs of --mend. They are kept until the new ones are complete.")
    var overwrite = false

    @Option(parsing: .unconditional, help: .readingJobs)
    var jobs: Int?

    @OptionGroup var cut: TruncatedOption

    @OptionGroup var overshoot: OvershootOption

    @OptionGroup var ffmpeg: FFmpegOption

    @Option(help: "How progress is shown: auto, bar, plain, json (a line of JSON a second) or none.")
    var progress: ProgressStyle = .auto

    @OptionGroup var strict: StrictOption

    @Flag(help: .json)
    var json = false

    func validate() throws {
        try Jobs.check(jobs)
        if let mend, ManifestFormat(path: mend) == nil {
            throw ValidationError("--mend: \(mend): expected a name that ends in .csv, .tsv or .jsonl.")
        }
        if overwrite, mend == nil { throw ValidationError("--overwrite is for --mend.") }
    }

    func run() throws {
        // Before the work.
        for output in [html, mend].compactMap(\.self) { try OutputName.refuseLinkToNothing(output) }
        if let html { try PageFile.check(html) }
        if let features { try GivenFile.requireFeatures(features) }
        let mended = try mend.map { path in
            try MendedManifest(path: path, format: ManifestFormat(path: path) ?? .csv, overwriting: overwrite)
        }
        let (manifest, root) = try input.dataset(isQuiet: json)
        try strict.report(manifest.account, isQuiet: false)
        var options = try DatasetCheck.Options(root: root, overshoot: overshoot.overshoot)
        options.policy = RecordingPolicy(truncated: cut.truncated)
        options.workers = Jobs.range(jobs)
        options.isDeep = deep
        options.group = by.map(GroupKey.init(option:))
        options.keepsReasons = mended != nil
        if let features { options.suspicious = try suspiciousLabels(of: features) }
        let progress = ExtractionProgress()
        let display = ProgressDisplay(progress, style: self.progress, verb: "checking")
        let result = Result { try DatasetCheck.run(manifest, options, progress: progress) }
        display.stop()
        let check = try result.get()
        let report = CheckReport(
            check: check, manifest: manifest, account: manifest.account.merging(check.survey.account))
        if json { try Console.output(json: report) } else { try Console.output(report.text) }
        let ofRecordings = check.survey.account
        // The report as text has lines for these.
        try strict.report(
            json ? ofRecordings : ofRecordings.without(.recordingsTruncated, .recordingsCutLater), isQuiet: false)
        if let features, let suspects = check.suspects { say(suspects, of: features) }
        if let html { try PageFile.write(report.page.html(), to: html) }
        if let mended { try write(mended, manifest, root, check) }
        guard !report.hasProblems else { throw ExitCode(3) }
    }

    private func suspiciousLabels(of path: String) throws -> SuspiciousLabels {
        let reader = try FeatureReader(path: path)
        let suspicion = try Suspicion.take(
            reader, duplicates: try Duplicates.find(reader, try ClipCensus.take(reader)), jobs: Jobs.count(jobs))
        for note in suspicion.notes { Console.note("note: \(path): \(note.words)".printable) }
        let suspects = suspicion.suspects.filter { $0.reasons.contains(where: \.isOfLabel) }
        var named = Set(suspects.map(\.clipIndex))
        for case .equal(let clip, _) in suspects.flatMap(\.reasons) { named.insert(clip) }
        let ids = try reader.texts(.id, ofClips: named)
        var labels: [Int: [Int]] = [:]
        try reader.eachLabels(split: nil) { clip, own in if named.contains(clip) { labels[clip] = own } }
        return SuspiciousLabels(
            suspects.compactMap { suspect in
                suspect.reasons.first(where: \.isOfLabel).map { reason in
                    SuspiciousLabels.Suspect(
                        id: ids[suspect.clipIndex] ?? "",
                        labels: (labels[suspect.clipIndex] ?? []).map { reader.labels[$0] },
                        reason: reason.words(labels: reader.labels) { ids[$0] ?? "" })
                }
            })
    }

    private func say(_ suspects: SuspiciousLabels.Account, of path: String) {
        if let first = suspects.firstUnknown {
            let others = suspects.unknown > 1 ? ", and \(Wording.count(suspects.unknown - 1)) more" : ""
            Console.note(
                "note: \(path): a clip with a suspicious label is not in the manifest: '\(first)'\(others)".printable)
        }
        if suspects.relabelled > 0 {
            let (count, isOne) = (Wording.count(suspects.relabelled, "clip"), suspects.relabelled == 1)
            let text =
                "\(count) with a suspicious label \(isOne ? "has" : "have") another label in the manifest, and "
                + "\(isOne ? "is" : "are") not listed"
            Console.note("note: \(path): \(text)".printable)
        }
    }

    private func write(_ mended: MendedManifest, _ manifest: Manifest, _ root: String, _ check: DatasetCheck) throws {
        let written = try mended.write(manifest, root: root, rejections: check.rejections)
        let rejected = check.rejections.count
        if written.mended {
            Console.note("wrote \(mended.path): \(Wording.count(manifest.clipCount - rejected, "clip"))".printable)
        } else {
            Console.warn("no clip can be used: \(mended.path) was not written\(stale(mended.path))")
        }
        if written.rejected {
            Console.note("wrote \(mended.rejectedPath): \(Wording.count(rejected, "clip")) with reasons".printable)
        } else {
            Console.note(
                "every clip can be used: \(mended.rejectedPath) was not written\(stale(mended.rejectedPath))".printable)
        }
    }

    /// The note on a file that exists from an earlier run and was not written by this one.
    private func stale(_ path: String) -> String {
        FileManager.default.fileExists(atPath: path) ? "; the one that exists is older" : ""
    }
}
