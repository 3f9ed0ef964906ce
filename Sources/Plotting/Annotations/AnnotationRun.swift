/// Boxes of one label that are too close together for a label each.
struct AnnotationRun: Hashable, Sendable {
    /// The boxes, from the left; one or more.
    private(set) var marks: [AnnotationMark]
    /// The pixels from the first to the last and from the highest to the lowest.
    private(set) var area: PixelRectangle

    /// Maximum number of boxes to find room for a label at, if the run itself has none.
    private static let maximumTried = 16

    private init(_ mark: AnnotationMark) {
        marks = [mark]
        area = mark.box
    }

    var text: String { marks.count == 1 ? marks[0].label : "\(marks[0].label) ×\(marks.count)" }

    var some: [AnnotationMark] {
        let count = min(marks.count, Self.maximumTried)
        return (0..<count).map { marks[$0 * marks.count / count] }
    }

    /// The runs of boxes, which are in the order of their starts; runs in the order of their first boxes.
    ///
    /// A box joins a run if its label would cover the run's: it starts within a label's width of the run's last box, at about the
    /// same height.
    static func runs(of marks: [AnnotationMark]) -> [AnnotationRun] {
        var runs: [AnnotationRun] = []
        var open: [String: [Int]] = [:]
        for mark in marks {
            var near = open[mark.label, default: []].filter { runs[$0].isNear(mark) }
            if let run = near.first(where: { runs[$0].isLevel(with: mark) }) {
                runs[run].append(mark)
            } else {
                near.append(runs.count)
                runs.append(AnnotationRun(mark))
            }
            open[mark.label] = near
        }
        return runs
    }

    /// In the order in which they are named: the longest run of each label first, then longer before shorter ones. Runs of
    /// equal length are ordered so that the first of them, however many, are spread evenly over the picture.
    static func byImportance(_ runs: [AnnotationRun]) -> [AnnotationRun] {
        var longest: [String: Int] = [:]
        for (index, run) in runs.enumerated() {
            if let best = longest[run.marks[0].label], runs[best].marks.count >= run.marks.count { continue }
            longest[run.marks[0].label] = index
        }
        let first = Set(longest.values)
        // The digits of a number in reverse: 0, ½, ¼, ¾, … of the way.
        let bits = max(Int.bitWidth - runs.count.leadingZeroBitCount, 1)
        func spread(_ index: Int) -> Int { (0..<bits).reduce(0) { $0 << 1 | index >> $1 & 1 } }
        let keys = runs.indices.map { (first.contains($0) ? 0 : 1, -runs[$0].marks.count, spread($0)) }
        return runs.indices.sorted { keys[$0] < keys[$1] }.map { runs[$0] }
    }

    private mutating func append(_ mark: AnnotationMark) {
        let (x, y) = (min(area.x, mark.box.x), min(area.y, mark.box.y))
        area = PixelRectangle(
            x: x, y: y, width: max(area.right, mark.box.right) - x, height: max(area.bottom, mark.box.bottom) - y)
        marks.append(mark)
    }

    private func isNear(_ mark: AnnotationMark) -> Bool { mark.box.x < (marks.last?.box.x ?? area.x) + mark.size.width }

    private func isLevel(with mark: AnnotationMark) -> Bool {
        mark.box.y < area.bottom + mark.size.height && area.y < mark.box.bottom + mark.size.height
    }
}
