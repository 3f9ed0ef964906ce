import FeatureModel

/// How a recording is cut into windows, and which annotations label one.
package struct WindowRules: Sendable {
    /// What becomes of the rest that is shorter than a window.
    package enum Partial: String, CaseIterable, Sendable {
        /// It is left out.
        case drop
        /// It is a shorter window.
        case keep
        /// The last window ends with the recording, and starts earlier than a step after the one before.
        case shift
    }

    /// How much of an annotation has to lie in a window.
    package enum Overlap: Sendable {
        /// Nanoseconds; of 0, any positive overlap counts, and a point inside.
        case time(Int)
        /// A share of the annotation or of the window, of the shorter one of both.
        case share(Double)
    }

    /// In nanoseconds, more than 0.
    package let length, step: Int
    package var partial = Partial.drop
    package var minimumOverlap = Overlap.time(0)
    /// Whether an annotation that reaches that in no window labels the one with most of it, if that is at least half.
    package var usesBestWindow = false

    /// - Precondition: Both are more than 0.
    package init(length: Int, step: Int) {
        precondition(length > 0 && step > 0, "windows have a length and a step")
        (self.length, self.step) = (length, step)
    }

    /// The windows of a part of a recording, in order.
    package func windows(in part: TimeSpan) -> [TimeSpan] {
        let count = part.length < length ? 0 : (part.length - length) / step + 1
        var windows = (0..<count).map { index in
            TimeSpan(start: part.start + index * step, end: part.start + index * step + length)
        }
        guard part.length > 0, windows.last?.end != part.end, partial != .drop else { return windows }
        if partial == .keep {
            let start = part.start + count * step
            // With a step beyond the window, the rest may be a gap.
            if start < part.end { windows.append(TimeSpan(start: start, end: part.end)) }
        } else if part.length >= length {
            windows.append(TimeSpan(start: part.end - length, end: part.end))
        }
        return windows
    }

    /// The labels of each window: those of the annotations that overlap it enough, the longest overlap first. Labels of equal
    /// overlap are in the order of their annotations.
    ///
    /// - Parameters:
    ///   - windows: In order, as `windows(in:)` makes them.
    ///   - used: Gets, for each mark, whether a window has it.
    package func labels(of windows: [TimeSpan], _ marks: [Mark], used: inout [Bool]) -> [[String]] {
        var found = [[(label: String, overlap: Int)]](repeating: [], count: windows.count)
        used = [Bool](repeating: false, count: marks.count)
        func add(_ mark: Mark, _ number: Int, to index: Int, _ overlap: Int) {
            used[number] = true
            guard !mark.label.isEmpty else { return }
            if let known = found[index].firstIndex(where: { $0.label.utf8.elementsEqual(mark.label.utf8) }) {
                found[index][known].overlap += overlap
            } else {
                found[index].append((mark.label, overlap))
            }
        }
        for (number, mark) in marks.enumerated() {
            var best: (index: Int, overlap: Int)?
            // Starts and ends of windows rise.
            var index = windows.partitioningIndex { $0.end > mark.span.start }
            while index < windows.count, windows[index].start < mark.span.end || isPoint(mark, in: windows[index]) {
                let overlap = windows[index].overlap(with: mark.span)
                if overlap > best?.overlap ?? 0 { best = (index, overlap) }
                if counts(mark.span, in: windows[index]) { add(mark, number, to: index, overlap) }
                index += 1
            }
            if usesBestWindow, !used[number], let best, best.overlap * 2 >= mark.span.length {
                add(mark, number, to: best.index, best.overlap)
            }
        }
        return found.map { labels in
            labels.enumerated().sorted {
                ($1.element.overlap, $0.offset) < ($0.element.overlap, $1.offset)
            }.map(\.element.label)
        }
    }

    /// Whether each of some windows would have the label of one of these parts of its recording.
    func covered(_ windows: [TimeSpan], by parts: [TimeSpan]) -> [Bool] {
        var used: [Bool] = []
        return labels(of: windows, parts.map { Mark(span: $0, label: "?") }, used: &used).map { !$0.isEmpty }
    }

    private func isPoint(_ mark: Mark, in window: TimeSpan) -> Bool {
        mark.span.length == 0 && window.start <= mark.span.start && mark.span.start < window.end
    }

    private func counts(_ mark: TimeSpan, in window: TimeSpan) -> Bool {
        let overlap = window.overlap(with: mark)
        switch minimumOverlap {
        case .time(0): return overlap > 0 || mark.length == 0
        case .time(let minimum): return overlap >= minimum
        case .share(let share):
            // A share of nothing is nothing: a point is inside or not.
            guard mark.length > 0 else { return true }
            return overlap > 0 && Double(overlap) >= share * Double(min(mark.length, window.length))
        }
    }
}
