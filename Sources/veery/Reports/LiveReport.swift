import LiveAnalysis
import Messages
import Presentation

struct LiveReport {
    let summary: LiveSummary
    /// Frames that arrived too fast to be shown.
    let missedRows: Int

    var warnings: [String] {
        var warnings = (summary.file?.warnings ?? []).map(\.printable)
        if let file = summary.file { warnings += RemarkWords.warnings(file.account).map(\.printable) }
        for track in summary.tracks {
            func warn(_ text: String) { warnings.append("\(track.name.printable): \(text)") }
            if track.strayBytes > 0 {
                warn(
                    "dropped the last \(Wording.count(track.strayBytes, "byte")), which are not a whole "
                        + "sample of every channel: check --format and --channels")
            }
            if let cut = track.cutOff { warn(cut.reason) }
            if track.zeroedSamples > 0 {
                warn("samples that were infinite or not a number became 0: " + Wording.count(track.zeroedSamples))
            }
            if track.clippedSamples > 0 {
                warn("\(Wording.count(track.clippedSamples, "sample")) exceeded full scale and were clipped")
            }
        }
        return warnings
    }

    var failures: [String] {
        (summary.tracks.compactMap { $0.failure.map(text) } + (summary.file?.failures ?? [])).map(\.printable)
    }

    private func text(_ failure: any Error) -> String {
        guard case LiveError.cutOff = failure, let file = summary.file else { return "\(failure)" }
        return "\(failure). What came is in \(file.path)"
    }

    /// Whether an input ended because the system failed.
    var isSystemFault: Bool { summary.tracks.contains { $0.failure?.isSystemFault ?? false } }

    var text: String {
        var lines = summary.tracks.map { track in
            "\(track.name.printable): \(Wording.duration(track.seconds)) of audio, \(Wording.count(track.rows, "frame"))"
                + (track.missingRows > 0 ? " without the last \(Wording.count(track.missingRows))" : "")
        }
        if missedRows > 0, let last = lines.popLast() {
            lines.append(last + "; \(Wording.count(missedRows)) arrived too fast to be shown")
        }
        if let file = summary.file {
            lines.append(
                "wrote \(file.path.printable): \(Wording.count(file.clips, "clip")), "
                    + TensorWords.text(rows: file.rows, bins: file.bins, patch: file.patch)
                    + ", \(Wording.bytes(file.bytes))")
        }
        return lines.joined(separator: "\n")
    }
}
