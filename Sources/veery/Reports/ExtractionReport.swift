import DatasetExtraction
import FeatureModel
import FeatureStorage
import Messages
import Presentation

struct ExtractionReport: Encodable {
    let summary: ExtractionSummary
    let account: Account
    /// The name of the manifest or dataset in messages.
    var source = ""
    /// The failures of the file by their reasons, the first of each and their number; empty: only the first of all are known.
    var failureGroups: [(first: StoredFailure, clips: Int)] = []
    /// How the run treated recordings that are cut off, and samples that are not finite.
    var policy = RecordingPolicy()
    /// Whether `--retry-failed` goes together with the options of the run.
    var canRetry = true
    /// Whether the run normalises new clips by the statistics that the file had.
    var keepsStatistics = false

    func encode(to encoder: any Encoder) throws {
        try JSONObject(entries: [
            "output": summary.output, "upToDate": summary.wasUpToDate, "clips": summary.clips,
            "failures": summary.failures, "keptClips": summary.keptClips, "resumedClips": summary.resumedClips,
            "rows": summary.rows, "bins": summary.bins, "bytes": summary.bytes, "audioSeconds": summary.audioSeconds,
            "elapsedSeconds": summary.elapsedSeconds, "sync": summary.changes.map { SyncReport(plan: $0) },
            "remarks": account.inWords.report,
        ]).encode(to: encoder)
    }

    private var remedies: [String] {
        let failures = (summary.firstFailures + failureGroups.map(\.first)).map(\.failure)
        let kinds = Set(failures.compactMap { $0.kind.flatMap(ClipFailure.Kind.init) })
        var remedies: [String] = []
        if kinds.contains(.segmentInOtherUnit) {
            remedies.append("--time-unit reads the times of \(source) in another unit")
        }
        if kinds.contains(.cutOff), policy.truncated == .fail {
            remedies.append("--truncated keep stores the readable part of a recording that is cut off")
        }
        if kinds.contains(.nonFiniteSample), policy.nonFinite == .fail {
            remedies.append("--non-finite zero sets infinite and NaN samples to 0")
        }
        if kinds.contains(.tooShort) {
            remedies.append("--set audio.minimum=SECONDS appends zeros to clips that are too short, in a new file")
        }
        let mends = canRetry ? Set(failures.compactMap { RecordingMend($0) }) : []
        if mends.contains(.fetch) {
            remedies.append(
                "run git lfs pull in the repository of the recordings, and give --retry-failed, which computes their clips"
            )
        }
        if !mends.subtracting([.fetch]).isEmpty {
            remedies.append(
                "copy or download recordings that are broken again, and give --retry-failed, which computes their clips"
            )
        }
        return remedies.map { "(\($0))" }
    }

    /// The lines that say which clips failed, and why; none where none did.
    var failures: [String] {
        guard summary.failures > 0 else { return [] }
        let areListed = summary.failures <= summary.firstFailures.count || failureGroups.isEmpty
        let shown = areListed ? summary.firstFailures.map { ($0, 1) } : groupsShown
        let areAll = shown.reduce(0) { $0 + $1.1 } >= summary.failures
        return ["\(Wording.count(summary.failures, "clip")) failed:"]
            + shown.flatMap { first, clips in
                ["  \(first)".printable] + (clips > 1 ? ["    and \(Wording.count(clips - 1)) more like it"] : [])
            } + remedies + (areAll ? [] : ["  … and more: see 'veery inspect \(summary.output)'"])
    }

    private static let shownGroups = 5

    private var groupsShown: [(StoredFailure, Int)] {
        failureGroups.prefix(Self.shownGroups).map { ($0.first, $0.clips) }
    }

    var text: String {
        let (output, clips) = (summary.output, summary.clips)
        var lines = failures
        let shape =
            "\(Wording.count(clips, "clip")), "
            + TensorWords.text(rows: summary.rows, bins: summary.bins, patch: summary.patch, channels: summary.channels)
            + ", \(Wording.bytes(summary.bytes))"
        guard !summary.wasUpToDate else {
            lines.append("\(output) is up to date: \(shape)")
            return lines.joined(separator: "\n")
        }
        let kept = summary.keptClips
        if let changes = summary.changes {
            let words = SyncReport(plan: changes).text
            let start = kept > 0 ? "kept \(Wording.count(kept, "clip"))" : "kept none of the clips"
            lines.append(start + (words.isEmpty ? "" : "; " + words))
        } else if kept > 0 {
            lines.append("kept \(Wording.count(kept, "clip")), added \(Wording.count(clips - kept))")
        }
        if keepsStatistics, kept > 0, clips > kept {
            lines.append(
                "the statistics are those from before, and new clips are normalised by them; --sync --new-statistics computes those "
                    + "of all clips")
        }
        var effort = "in \(Wording.duration(summary.elapsedSeconds))"
        if let seconds = summary.audioSeconds {
            effort = "\(Wording.duration(seconds)) of audio \(effort)"
            // A run that had nothing to read has no speed.
            let rate = Int(max(seconds - summary.resumedAudioSeconds, 0) / max(summary.elapsedSeconds, 1e-3))
            let part = kept + summary.resumedClips > 0 ? "new clips at " : ""
            if rate > 0 { effort += " (\(part)\(Wording.count(rate))× real time)" }
        }
        lines.append("wrote \(output): \(shape); \(effort)")
        return lines.joined(separator: "\n")
    }
}
