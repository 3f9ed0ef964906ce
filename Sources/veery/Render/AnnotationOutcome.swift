import Annotations
import FeatureModel
import Plotting
import Presentation

/// Which of a table's annotations a picture shows, in words.
struct AnnotationOutcome {
    let table: AnnotationTable
    let content: PictureContent
    let isStrip: Bool
    let counts: [AnnotationCount]
    let isWhole: Bool

    /// Why no box is drawn, or that rows are after the recording's end; nil: neither.
    var warning: String? {
        guard counts.allSatisfy({ $0.drawn == 0 }) else {
            guard isWhole, let count = counts.first, count.after > 0 else { return nil }
            return "\(table.path): \(Wording.count(count.after)) of \(Wording.count(count.all, "row")) "
                + "\(count.after == 1 ? "starts" : "start") after the recording's last frame, at \(end): "
                + "do they mark another recording?"
        }
        return reason + ": no box is drawn"
    }

    /// How many boxes are named, unless all are, and how many are partly outside the picture's frequencies.
    ///
    /// - Parameter canBeCut: Whether there are options for a shorter part.
    func notes(canBeCut: Bool) -> [String] {
        [channelNote, cutNote, nameNote(canBeCut: canBeCut)].compactMap { $0 }
    }

    private var channelNote: String? {
        let count = content.ofOtherChannels
        guard count > 0, counts.contains(where: { $0.all > 0 }) else { return nil }
        return "\(Wording.count(count, "annotation")) of other channels \(count == 1 ? "is" : "are") not drawn"
    }

    private var cutNote: String? {
        let cut = counts.reduce(0) { $0 + $1.cut }
        let outside = counts.reduce(0) { $0 + $1.beyondBand }
        guard counts.contains(where: { $0.drawn > 0 }), cut + outside > 0 else { return nil }
        let all = counts.reduce(0) { $0 + $1.drawn + $1.beyondBand }
        var parts: [String] = []
        if cut > 0 { parts.append("\(Wording.count(cut)) \(cut == 1 ? "is" : "are") cut at the picture's edge") }
        if outside > 0 { parts.append("\(Wording.count(outside)) \(outside == 1 ? "is" : "are") outside") }
        return "of \(Wording.count(all)) \(all == 1 ? "box" : "boxes"), \(parts.joined(separator: " and ")): "
            + "they are at frequencies that the picture does not show"
    }

    private func nameNote(canBeCut: Bool) -> String? {
        let labelled = counts.reduce(0) { $0 + $1.labelled }
        let named = counts.reduce(0) { $0 + $1.named }
        guard named < labelled else { return nil }
        let noun = isStrip ? "annotations" : "boxes"
        return
            "\(Wording.count(named)) of \(Wording.count(labelled)) labelled \(noun) are named, there is no room for the others: "
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
            return "\(table.path): of \(Wording.count(table.count, "row")), none is within the picture"
        }
        guard count.all > 0 else {
            do {
                let all = try table.annotations(of: recording).count
                return content.ofOtherChannels > 0 && all > 0
                    ? "\(table.path): \(Wording.count(all, "row")) of the recording \(all == 1 ? "is" : "are") of other channels"
                    : "\(table.path): the picture has no frames"
            } catch {
                return "\(error)"
            }
        }
        let outside = [
            (count.before, "before \(start)"), (count.after, "after \(end)"),
            (count.beyondBand, "at other frequencies"),
        ]
        let reasons = outside.filter { $0.0 > 0 }.map { "\(Wording.count($0.0)) \($0.1)" }
        return "\(table.path): of \(Wording.count(count.all, "row")), none is within the picture: "
            + reasons.joined(separator: ", ")
    }

    private var start: String { seconds(content.panels[0].start) }
    private var end: String { seconds(content.panels[0].start + content.panels[0].duration) }

    private func seconds(_ time: Double) -> String { "\((time + content.panels[0].recordingOffset).fixed(2)) s" }
}

/// Whether the annotations of a picture are a strip, and how many lanes it needs.
struct AnnotationStrip {
    let style: AnnotationStyle
    let lanes: Int

    /// The width of a letter, in sizes of the font; about.
    private static let letterWidth = 0.58

    init(_ panels: [SpectrogramPanel], style: AnnotationStyle, _ appearance: PictureOptions, across: Int) {
        let shown = panels.map { panel in
            panel.annotations.filter { $0.end >= panel.start && $0.start <= panel.start + panel.duration }
        }
        let letter = Self.letterWidth * appearance.fontSize
        let width = appearance.width / max(min(across, panels.count), 1)
        let isStrip = style.isStrip(shown, width: width) { Int(letter * Double($0.count + 1)) }
        self.style = isStrip ? .strip : .boxes
        lanes = isStrip ? min(Set(shown.joined().map(\.label)).count, AnnotationStyle.maximumLanes) : 0
    }
}
