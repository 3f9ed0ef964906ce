import LiveAnalysis
import Presentation

/// What a live analysis has come to, as a person reads it.
struct LiveReport {
    private let summary: LiveSummary
    private let missedRows: Int

    /// - Parameter missedRows: Frames that had gone before they could be shown.
    init(_ summary: LiveSummary, missedRows: Int) {
        self.summary = summary
        self.missedRows = missedRows
    }

    /// What one should know that neither screen nor file shows.
    var warnings: [String] {
        var warnings = (summary.file?.warnings ?? []).map(\.printable)
        for track in summary.tracks {
            if track.strayBytes > 0 {
                warnings.append(
                    "\(track.name.printable): the last \(Wording.count(track.strayBytes, "byte")) were no whole sample of every "
                        + "channel, and were dropped: are format and channels right?")
            }
            if let cut = track.cutOff { warnings.append("\(track.name.printable): \(cut.reason)") }
            if track.zeroedSamples > 0 {
                warnings.append(
                    "\(track.name.printable): samples that were infinite or not a number became 0: "
                        + Wording.count(track.zeroedSamples))
            }
            if track.clippedSamples > 0 {
                warnings.append(
                    "\(track.name.printable): \(Wording.count(track.clippedSamples, "sample")) went beyond full scale and had to "
                        + "be clipped")
            }
        }
        return warnings
    }

    /// Why inputs ended before their time, and why some are not in the file.
    var failures: [String] {
        (summary.tracks.compactMap { track in track.failure.map { "\($0)" } } + (summary.file?.failures ?? []))
            .map(\.printable)
    }

    /// Whether an input ended for want of memory, descriptors or the like.
    var isSystemFault: Bool { summary.tracks.contains { $0.failure?.isSystemFault ?? false } }

    var text: String {
        var lines = summary.tracks.map { track in
            "\(track.name.printable): \(Wording.duration(track.seconds)) of audio, \(Wording.count(track.rows, "frame"))"
        }
        if missedRows > 0, let last = lines.popLast() {
            lines.append(last + "; \(Wording.count(missedRows)) came too fast to be shown")
        }
        if let file = summary.file {
            lines.append(
                "wrote \(file.path.printable): \(Wording.count(file.clips, "clip")), \(Wording.count(file.rows, "frame")) × "
                    + "\(Wording.count(file.bins, "bin")), \(Wording.bytes(file.bytes))")
        }
        return lines.joined(separator: "\n")
    }
}
