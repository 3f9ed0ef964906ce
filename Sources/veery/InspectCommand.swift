import ArgumentParser
import ConfigurationFiles
import DatasetInspection
import DatasetReports
import Essentials
import FeatureStorage
import FileIO
import Presentation

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Summarise a feature file, or check that it is sound.",
        discussion: """
            The summary has clips, labels, splits, durations, statistics, failures and
            provenance. 'veery list' lists the clips.

            With --html the report is a self-contained page for a browser: the figures,
            a contact sheet by label, unusual clips, and Python code that loads the
            file. With --plots its figures are files: SVG, and PNG for the pictures of
            clips. The written files are listed on standard output.

            With --suspicious clips are compared with one another, and those that may be
            wrong are listed, the most suspicious first; --json has all of them, and the
            pairs of clips that are equal or nearly so.

            With --verify every value is read: the rows of the clips must be contiguous,
            rows and columns must match their checksums, and every value must be finite.
            The exit status is 0 if the file is sound, 1 otherwise.

            Examples:
              veery inspect features.h5
              veery inspect features.h5 --verify
              veery inspect features.h5 --suspicious
              veery inspect features.h5 --html report.html
              veery inspect features.h5 --plots figures
              veery inspect features.h5 --json | jq .durations
              veery inspect features.index.json
            """)

    @Argument(help: "The feature file, or the index of a set.", completion: .features)
    var file: String

    @Flag(help: .json)
    var json = false

    @Flag(help: "Read every value, to check that the file is complete and consistent.")
    var verify = false

    @Flag(
        help:
            "Rank the clips that may be wrong: labels that clips like them do not have, equal samples with different labels, silent, clipped and cut ones."
    )
    var suspicious = false

    @Option(
        help: ArgumentHelp(
            """
            For --suspicious: what must not vouch for a clip. The other clips of its recording, none but itself (clip), or those with the \
            same value in a column, such as speaker. Default: recording.
            """, valueName: "recording|clip|column"))
    var leaveOut: String?

    @Option(
        help: ArgumentHelp(
            "Write the report as a page of HTML. An older page is replaced, but no other file.", valueName: "page"),
        completion: .page)
    var html: String?

    @Option(
        help: ArgumentHelp(
            "Write the plots to a folder. It must be new or empty, or contain only plots of an earlier run.",
            valueName: "folder"),
        completion: .directory)
    var plots: String?

    @Option(
        help: ArgumentHelp(
            "The folder of the recordings, for --html. Their paths start there; they are read to find clipping, and for the page's players. Default: the one that the file names.",
            valueName: "folder"),
        completion: .directory)
    var root: String?

    @Option(parsing: .unconditional, help: .jobs)
    var jobs: Int?

    func validate() throws {
        try Jobs.check(jobs)
        if leaveOut != nil, !suspicious { throw ValidationError("--leave-out is for --suspicious.") }
        if suspicious, verify || html != nil || plots != nil {
            throw ValidationError("--suspicious prints a report of its own: leave out --verify, --html and --plots.")
        }
        if html != nil || plots != nil {
            guard !json, !verify else {
                throw ValidationError(
                    "--html and --plots write the report, --json and --verify print it: give only one kind.")
            }
            if let html, let plots {
                func resolved(_ url: URL) -> String { url.absoluteURL.resolvingSymlinksInPath().standardized.path }
                let page = resolved(URL(filePath: html).deletingLastPathComponent())
                let figures = resolved(URL(filePath: plots))
                guard page != figures, !page.hasPrefix(figures + "/") else {
                    throw ValidationError(
                        "--html: '\(html)' is in the folder of --plots, which holds only figures: write the page elsewhere."
                    )
                }
            }
        } else if root != nil, !suspicious {
            throw ValidationError("--root is for --html, --plots and --suspicious, which read the recordings.")
        }
    }

    func run() throws {
        try GivenFile.requireFeatures(file)
        CrashGuard.start(file.printable)
        if html != nil || plots != nil { return try write() }
        let reader = try FeatureReader(path: file)
        if suspicious { return try rank(reader) }
        guard verify else {
            let summary = try DatasetSummary(of: reader)
            if json {
                try Console.output(json: summary)
            } else {
                try Console.output(styled: SummaryReport(summary: summary, style: Console.reportStyle).text)
                if Console.isOutputTerminal, !summary.labels.isEmpty {
                    Console.note("--suspicious ranks the clips whose labels may be wrong")
                }
            }
            return
        }
        let report = VerificationReport(
            file: file, clips: reader.clipCount, findings: try reader.verify(jobs: Jobs.count(jobs)))
        if json { try Console.output(json: report) } else { try Console.output(report.text) }
        guard report.sound else { throw ExitCode(1) }
    }

    private func rank(_ reader: FeatureReader) throws {
        let group = leaveOut.map(SuspicionGroup.init(option:)) ?? .recording
        let census = try ClipCensus.take(reader)
        let folder = try root ?? reader.recordingsFolder()
        let suspicion = try Suspicion.take(
            reader, group: group, duplicates: try Duplicates.find(reader, census),
            clipping: try ClippingSearch.run(reader, census, root: folder, seed: 0, jobs: Jobs.count(jobs)),
            jobs: Jobs.count(jobs))
        let report = try SuspicionReport(
            suspicion, leavingOut: group, of: reader, maximum: json ? nil : SuspicionReport.listed)
        if json {
            try Console.output(json: JSONObject(entries: ["file": file, "suspicion": report]))
        } else {
            try Console.output(report.text)
        }
    }

    private func write() throws {
        // Before the work.
        if let root, FileStatus(path: root)?.isFolder != true {
            throw FileRefusal(path: root, reason: "there is no such folder; check --root")
        }
        for output in [html, plots].compactMap(\.self) { try OutputName.refuseLinkToNothing(output) }
        if let html { try PageFile.check(html) }
        if let plots { try PlotFolder.check(plots) }
        let reader = try FeatureReader(path: file)
        let report = try DatasetReport.take(
            reader, configurationText: ConfigurationText.yaml, root: root ?? reader.recordingsFolder(),
            jobs: Jobs.count(jobs), hasSounds: html != nil)
        var written: [String] = []
        if let html {
            try PageFile.write(ReportPage.html(report), to: html)
            written.append(html)
        }
        if let plots { written += try PlotFolder.write(report, to: plots) }
        try Console.output(data: written.map { $0 + "\n" }.joined())
    }
}

struct VerificationReport: Encodable {
    let file: String
    let clips: Int
    let findings: [FeatureReader.Finding]

    var sound: Bool { findings.isEmpty }

    func encode(to encoder: any Encoder) throws {
        let findings = findings.map { JSONObject(entries: ["clip": $0.clip, "text": $0.description]) }
        try JSONObject(entries: ["file": file, "sound": sound, "clips": clips, "findings": findings])
            .encode(to: encoder)
    }

    var text: String {
        guard !sound else {
            return "\(file): complete and consistent: every value of \(Wording.count(clips, "clip")) is finite "
                + "and matches its checksum\n"
        }
        let lines = findings.map { finding in
            ((finding.clip.map { "  clip '\($0)': " } ?? "  ") + finding.description).printable
        }
        return "\(file): damaged:\n" + lines.joined(separator: "\n") + "\n"
    }
}
