import Presentation

/// A listing as a table: on a terminal as wide as that, otherwise with whole names.
struct ClipListTable {
    private let listing: ClipListing
    private let style: ReportStyle
    private let isTerminal: Bool

    private static let gap = 2
    private static let minimum = 6
    /// A wider name in a file does not widen the column: the rest of its row is moved to the right.
    private static let widest = 40

    private struct Column {
        let title: String
        var isNumber = false
    }

    init(_ listing: ClipListing, _ style: ReportStyle, isTerminal: Bool) {
        (self.listing, self.style, self.isTerminal) = (listing, style, isTerminal)
    }

    func write(_ write: (String) throws -> Void) throws {
        guard listing.count > 0 else { return try write(listing.isOfFailures ? "no clip failed\n" : "no clips\n") }
        var widths: [Int] = []
        func add(_ rows: [[String]]) throws {
            let rows = rows.map { $0.map(\.printable) }
            if widths.isEmpty {
                widths = self.widths(of: [columns.map(\.title)] + rows)
                try write(style.painted(line(columns.map(\.title), widths), .faint) + "\n")
            }
            try write(rows.map { line($0, widths) + "\n" }.joined())
        }
        try listing.each { clips in
            try add(
                clips.map { clip in
                    [clip.id, clip.label, clip.split, clip.start.fixed(3), clip.duration.fixed(3), clip.path]
                })
        } failures: { failures in
            try add(failures.map { [$0.id, $0.failure.stage.rawValue, $0.path, $0.failure.reason] })
        }
        if listing.shown < listing.count {
            let rest = Wording.count(listing.count - listing.shown)
            try write(style.painted("and \(rest) more: --first 0 lists all, --csv whole names", .faint) + "\n")
        }
    }

    private var columns: [Column] {
        listing.isOfFailures
            ? ["id", "stage", "path", "reason"].map { Column(title: $0) }
            : [
                Column(title: "id"), Column(title: "label"), Column(title: "split"),
                Column(title: "start (s)", isNumber: true), Column(title: "length (s)", isNumber: true),
                Column(title: "path"),
            ]
    }

    /// The widths of the columns: of texts what they need, or an equal share of what the others leave.
    private func widths(of rows: [[String]]) -> [Int] {
        var widths = columns.indices.map { column in rows.map { $0[column].columns }.max() ?? 0 }
        guard isTerminal else { return widths.map { min($0, Self.widest) } }
        var left = style.width - Self.gap * (columns.count - 1)
        var open = columns.indices.filter { !columns[$0].isNumber }
        for column in columns.indices where columns[column].isNumber { left -= widths[column] }
        while let column = open.min(by: { widths[$0] < widths[$1] }) {
            let share = max(left / open.count, Self.minimum)
            if widths[column] > share { widths[column] = share }
            left -= widths[column]
            open.removeAll { $0 == column }
        }
        return widths
    }

    private func line(_ texts: [String], _ widths: [Int]) -> String {
        let cells = texts.indices.map { index in
            let text = isTerminal ? style.shortened(texts[index], to: widths[index]) : texts[index]
            let isLast = index == texts.count - 1
            return isLast ? text : text.padded(to: widths[index], isRight: columns[index].isNumber)
        }
        let line = cells.joined(separator: String(repeating: " ", count: Self.gap))
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}

extension ClipListing {
    var isOfFailures: Bool { if case .failures = source { true } else { false } }
}
