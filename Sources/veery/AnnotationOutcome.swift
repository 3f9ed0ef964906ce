import Foundation
import Manifests
import Plotting
import Presentation

/// What became of a table's annotations in a picture, for the one who asked for them.
struct AnnotationOutcome {
    let table: AnnotationTable
    let content: PictureContent
    /// Whether they are shown as a strip, not as boxes.
    let isStrip: Bool
    /// For each panel.
    let counts: [AnnotationCount]
    /// Whether the picture shows one recording from its beginning to its end.
    let isWhole: Bool

    /// Why no box is drawn, or that rows lie past the recording's end; nil: all is well.
    var warning: String? {
        guard counts.allSatisfy({ $0.drawn == 0 }) else {
            guard isWhole, let count = counts.first, count.after > 0 else { return nil }
            return "\(table.path): \(Wording.count(count.after)) of \(Wording.count(count.all, "row")) "
                + "\(count.after == 1 ? "begins" : "begin") after the recording's last frame, at \(end(of: 0)): "
                + "do they mark another recording?"
        }
        return reason + ": no box is drawn"
    }

    /// How many boxes are named, where not all are, and how many are not wholly within the picture's frequencies.
    ///
    /// - Parameter canBeCut: Whether there are options for a shorter part.
    func notes(canBeCut: Bool) -> [String] { [cutNote, nameNote(canBeCut: canBeCut)].compactMap { $0 } }

    private var cutNote: String? {
        let cut = counts.reduce(0) { $0 + $1.cut }
        let outside = counts.reduce(0) { $0 + $1.beyondBand }
        guard counts.contains(where: { $0.drawn > 0 }), cut + outside > 0 else { return nil }
        let all = counts.reduce(0) { $0 + $1.drawn + $1.beyondBand }
        var parts: [String] = []
        if cut > 0 { parts.append("\(Wording.count(cut)) \(cut == 1 ? "is" : "are") cut at the picture's edge") }
        if outside > 0 { parts.append("\(Wording.count(outside)) \(outside == 1 ? "lies" : "lie") outside") }
        return "of \(Wording.count(all)) \(all == 1 ? "box" : "boxes"), \(parts.joined(separator: " and ")): "
            + "they are at frequencies that the picture does not show"
    }

    private func nameNote(canBeCut: Bool) -> String? {
        let labelled = counts.reduce(0) { $0 + $1.labelled }
        let named = counts.reduce(0) { $0 + $1.named }
        guard named < labelled else { return nil }
        let noun = isStrip ? "annotations" : "boxes"
        return
            "\(Wording.count(named)) of \(Wording.count(labelled)) labelled \(noun) are named, the others have no room: "
            + (canBeCut ? "draw a shorter part with --start and --end, or " : "draw ")
            + "a larger picture with --width and --height"
    }

    private var reason: String {
        guard table.count > 0 else {
            return table.rowsWithoutTimes == 0
                ? "\(table.path): the table has no rows"
                : "\(table.path): expected rows with start, and end or duration, found none in "
                    + Wording.count(table.rowsWithoutTimes, "row")
        }
        guard counts.count == 1, let count = counts.first, let recording = content.recordings.first else {
            return "\(table.path): of \(Wording.count(table.count, "row")), none lies within what is drawn"
        }
        guard count.all > 0 else {
            do {
                _ = try table.annotations(of: recording)
                return "\(table.path): the picture has no frames"
            } catch {
                return "\(error)"
            }
        }
        let outside = [
            (count.before, "before \(begin(of: 0))"), (count.after, "after \(end(of: 0))"),
            (count.beyondBand, "at other frequencies"),
        ]
        let reasons = outside.filter { $0.0 > 0 }.map { "\(Wording.count($0.0)) \($0.1)" }
        return "\(table.path): of \(Wording.count(count.all, "row")), none lies within what is drawn: "
            + reasons.joined(separator: ", ")
    }

    /// The recording's time at a panel's left edge.
    private func begin(of panel: Int) -> String { seconds(content.panels[panel].start, content.panels[panel]) }

    /// The recording's time at a panel's right edge.
    private func end(of panel: Int) -> String {
        seconds(content.panels[panel].start + content.panels[panel].duration, content.panels[panel])
    }

    private func seconds(_ time: Double, _ panel: SpectrogramPanel) -> String {
        "\((time + panel.recordingOffset).fixed(2)) s"
    }
}
