import TestSupport
import Testing

@testable import Annotations

/// Laws of the making of clips, on random parts, windows and annotations.
struct WindowLawTests {
    private static let rounds = 400

    private struct Case {
        let part: TimeSpan
        let rules: WindowRules
        let marks: [Mark]
    }

    private static func cases(_ seed: UInt64) -> [Case] {
        var random = RandomSource(seed: seed)
        return (0..<rounds).map { round in
            // Small numbers meet edges; large ones are like real times.
            let scale = round % 2 == 0 ? 1 : 1_234_567_891
            func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) * scale }
            let start = number(0...5)
            let part = TimeSpan(start: start, end: start + number(0...40))
            var rules = WindowRules(length: number(1...9), step: number(1...12))
            rules.partial = WindowRules.Partial.allCases.randomElement(using: &random) ?? .drop
            let marks = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                let start = number(0...45)
                let label = ["a", "b", "c", ""].randomElement(using: &random) ?? ""
                return Mark(span: TimeSpan(start: start, end: start + number(0...12)), label: label)
            }
            return Case(part: part, rules: rules, marks: marks)
        }
    }

    @Test func `windows are within their part, in order, at steps, of one length except for the last`() {
        for one in Self.cases(1) {
            let windows = one.rules.windows(in: one.part)
            for (index, window) in windows.enumerated() {
                #expect(window.start >= one.part.start && window.end <= one.part.end && window.length > 0)
                let isLast = index == windows.count - 1
                #expect(window.length == one.rules.length || isLast && one.rules.partial == .keep)
                #expect(
                    window.start == one.part.start + index * one.rules.step || isLast && one.rules.partial == .shift)
                if index > 0 {
                    #expect(window.start > windows[index - 1].start && window.end >= windows[index - 1].end)
                }
            }
        }
    }

    @Test func `the number of windows is that of the formula`() {
        for one in Self.cases(2) {
            let (length, window, step) = (one.part.length, one.rules.length, one.rules.step)
            let whole = length < window ? 0 : (length - window) / step + 1
            let ends = whole > 0 && (length - window) % step == 0
            let expected =
                switch one.rules.partial {
                case .drop: whole
                case .keep: whole + (!ends && whole * step < length ? 1 : 0)
                case .shift: whole + (!ends && length >= window ? 1 : 0)
                }
            #expect(one.rules.windows(in: one.part).count == expected, "\(one.part), \(one.rules)")
        }
    }

    @Test func `windows cover their part where steps leave no gaps`() {
        for one in Self.cases(3) where one.rules.step <= one.rules.length {
            let windows = one.rules.windows(in: one.part)
            for (window, next) in zip(windows, windows.dropFirst()) { #expect(next.start <= window.end) }
            if one.rules.partial == .keep || one.rules.partial == .shift && one.part.length >= one.rules.length {
                #expect(windows.first?.start ?? one.part.start == one.part.start)
                #expect(windows.last?.end ?? one.part.end == one.part.end)
            }
        }
    }

    @Test func `a window has exactly the labels of the annotations that overlap it enough, the longest first`() {
        for one in Self.cases(4) {
            let windows = one.rules.windows(in: one.part)
            let overlaps: [WindowRules.Overlap] = [.time(0), .time(2), .share(0.5), .share(1)]
            for overlap in overlaps {
                var rules = one.rules
                rules.minimumOverlap = overlap
                var used: [Bool] = []
                let labels = rules.labels(of: windows, one.marks, used: &used)
                #expect(labels.count == windows.count && used.count == one.marks.count)
                var reached = Set<Int>()
                for (window, found) in zip(windows, labels) {
                    var sums: [String: Int] = [:]
                    for (index, mark) in one.marks.enumerated() {
                        let common = window.overlap(with: mark.span)
                        let isPoint = mark.span.length == 0
                        let isInside = isPoint && window.start <= mark.span.start && mark.span.start < window.end
                        let counts =
                            switch overlap {
                            case .time(let minimum): common > 0 && common >= minimum || minimum == 0 && isInside
                            case .share(let share):
                                common > 0 && Double(common) >= share * Double(min(mark.span.length, window.length))
                                    || isInside
                            }
                        guard counts else { continue }
                        reached.insert(index)
                        if !mark.label.isEmpty { sums[mark.label, default: 0] += common }
                    }
                    #expect(Set(found) == Set(sums.keys) && found.count == sums.count)
                    let lengths = found.map { sums[$0] ?? 0 }
                    #expect(lengths == lengths.sorted(by: >))
                }
                #expect(reached == Set(used.indices.filter { used[$0] }))
            }
        }
    }

    @Test func `context and widening never leave the part, and clips hold their annotation`() {
        for (round, one) in Self.cases(5).enumerated() {
            var rules = ClipRules()
            rules.context = (round % 5) * one.rules.step
            rules.minimum = (round % 3) * one.rules.length
            rules.short = round % 2 == 0 ? .widen : .drop
            rules.maximum = round % 4 == 0 ? one.rules.length * 2 : nil
            for mark in one.marks {
                let common = TimeSpan(
                    start: min(max(mark.span.start, one.part.start), one.part.end),
                    end: max(min(mark.span.end, one.part.end), min(max(mark.span.start, one.part.start), one.part.end)))
                switch rules.outcome(of: mark.span, in: one.part) {
                case .clip(let clip, let isWidened):
                    #expect(clip.start >= one.part.start && clip.end <= one.part.end && clip.length > 0)
                    #expect(clip.start <= common.start && clip.end >= common.end)
                    #expect(clip.length >= min(rules.minimum, one.part.length) || rules.short == .drop)
                    #expect(clip.length <= rules.maximum ?? .max)
                    if isWidened { #expect(clip.length == min(rules.minimum, one.part.length)) }
                    if !isWidened {
                        #expect(clip.start == max(mark.span.start - rules.context, one.part.start))
                        #expect(clip.end == min(mark.span.end + rules.context, one.part.end))
                    }
                case .tooShort: #expect(rules.short == .drop && rules.minimum > 0)
                case .tooLong: #expect(rules.maximum != nil)
                case .empty: #expect(common.length == 0)
                case .elsewhere: #expect(one.part.overlap(with: mark.span) == 0)
                }
            }
        }
    }

    @Test func `where an annotation lies in its recording`() {
        let second = 1_000_000_000
        func position(_ start: Double, _ end: Double, isPadded: Bool = false) -> MarkPosition {
            MarkPosition(
                start: Nanoseconds.of(start), end: Nanoseconds.of(end), length: 10 * second, isPadded: isPadded)
        }
        #expect(position(1, 2) == .inside(TimeSpan(start: second, end: 2 * second), isCut: false))
        #expect(position(9, 10.0009) == .inside(TimeSpan(start: 9 * second, end: 10 * second), isCut: false))
        #expect(position(9, 11) == .inside(TimeSpan(start: 9 * second, end: 10 * second), isCut: true))
        #expect(position(9, 13) == .inside(TimeSpan(start: 9 * second, end: 10 * second), isCut: true))
        #expect(position(9, 13.1) == .endsLate)
        #expect(position(9.9, 12.9) == .endsLate && position(9.9, 12.9, isPadded: true) != .endsLate)
        #expect(position(10, 11) == .startsLate && position(10, 11, isPadded: true) == .startsLate)
        #expect(position(10, 10) == .inside(TimeSpan(start: 10 * second, end: 10 * second), isCut: false))
        #expect(position(-0.5, 0.5) == .startsBefore)
        #expect(position(1e300, 1e301) == .startsLate)
    }
}
