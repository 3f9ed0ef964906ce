import DatasetExtraction
import Presentation

/// The result of an extraction, as text and as JSON.
struct ExtractionReport: Encodable {
    let output: String
    let upToDate: Bool
    let clips: Int
    let failures: Int
    let keptClips: Int
    let resumedClips: Int
    let rows: Int
    let bins: Int
    let bytes: Int
    let audioSeconds: Double?
    let elapsedSeconds: Double
    private let firstFailures: [String]
    private let newAudioSeconds: Double

    private enum CodingKeys: CodingKey {
        case output, upToDate, clips, failures, keptClips, resumedClips, rows, bins, bytes, audioSeconds, elapsedSeconds
    }

    init(_ summary: ExtractionSummary) {
        output = summary.output
        upToDate = summary.wasUpToDate
        clips = summary.clips
        failures = summary.failures
        keptClips = summary.keptClips
        resumedClips = summary.resumedClips
        rows = summary.rows
        bins = summary.bins
        bytes = summary.bytes
        audioSeconds = summary.audioSeconds
        elapsedSeconds = summary.elapsedSeconds
        firstFailures = summary.firstFailures
        newAudioSeconds = (summary.audioSeconds ?? 0) - summary.resumedAudioSeconds
    }

    private var remedies: [String] {
        [
            ("cut off: ", "--truncated keep stores the readable part of a recording that is cut off"),
            ("expected finite samples", "--non-finite zero sets infinite and NaN samples to 0"),
        ].compactMap { sign, advice in firstFailures.contains { $0.contains(sign) } ? "(\(advice))" : nil }
    }

    var text: String {
        var lines: [String] = []
        if failures > 0 {
            lines.append("\(Wording.count(failures, "clip")) failed:")
            lines += firstFailures.map { "  \($0)".printable }
            lines += remedies
            if failures > firstFailures.count { lines.append("  … and more: see 'veery inspect \(output)'") }
        }
        let shape =
            "\(Wording.count(clips, "clip")), \(Wording.count(rows, "frame")) × \(Wording.count(bins, "bin")), "
            + Wording.bytes(bytes)
        guard !upToDate else {
            lines.append("\(output) is up to date: \(shape)")
            return lines.joined(separator: "\n")
        }
        if keptClips > 0 {
            lines.append("kept \(Wording.count(keptClips, "clip")), added \(Wording.count(clips - keptClips))")
        }
        var effort = "in \(Wording.duration(elapsedSeconds))"
        if let audioSeconds {
            effort = "\(Wording.duration(audioSeconds)) of audio \(effort)"
            // No speed of a run that had nothing to read.
            let rate = Int(max(newAudioSeconds, 0) / max(elapsedSeconds, 1e-3))
            let part = keptClips + resumedClips > 0 ? "new clips at " : ""
            if rate > 0 { effort += " (\(part)\(Wording.count(rate))× real time)" }
        }
        lines.append("wrote \(output): \(shape); \(effort)")
        return lines.joined(separator: "\n")
    }
}
