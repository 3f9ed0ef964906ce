import Presentation

/// Columns of text, the first to the left and the others to the right, no wider than a report's lines.
///
/// Names in the first column are shortened in the middle if there is no room. Bars have the rest of the width.
struct TextTable {
    enum Row {
        /// A text for each column, and the value of the bar, 0 or more.
        case cells([String], bar: Double = 0)
        case note(String)

        fileprivate var share: Double { if case .cells(_, let bar) = self { bar } else { 0 } }

        fileprivate var texts: [String]? { if case .cells(let texts, _) = self { texts } else { nil } }
    }

    private let header: [String]
    private let rows: [Row]
    private let style: ReportStyle
    private let maximum: Double
    private let widths: [Int]

    private static let indent = 2
    private static let gap = 2
    private static let bars = 8...24
    private static let minimumName = 8

    /// - Parameter rows: Bars are drawn if any is more than 0.
    init(header: [String], rows: [Row], style: ReportStyle) {
        self.header = header
        self.rows = rows
        self.style = style
        maximum = rows.map(\.share).max() ?? 0
        let texts = [header] + rows.compactMap(\.texts)
        widths = header.indices.map { column in texts.map { $0[column].printable.columns }.max() ?? 0 }
    }

    var text: String {
        let numbers = widths.dropFirst().reduce(0) { $0 + Self.gap + $1 }
        let room = style.width - Self.indent - numbers
        let bar = Self.gap + Self.bars.lowerBound
        let hasBars = maximum > 0 && room >= Self.minimumName + bar
        let name = min(widths.first ?? 0, max(hasBars ? room - bar : room, 4))
        let columns = hasBars ? min(room - name - Self.gap, Self.bars.upperBound) : 0
        let head = style.painted(cells(header, name: name), .faint)
        return ([head] + rows.map { line($0, name: name, bar: columns) }).map { $0 + "\n" }.joined()
    }

    private func line(_ row: Row, name: Int, bar columns: Int) -> String {
        let indent = String(repeating: " ", count: Self.indent)
        switch row {
        case .note(let text):
            return style.painted(indent + style.shortened(text, to: style.width - Self.indent), .faint)
        case .cells(let texts, let share):
            let bar = Bar.text(share / maximum, columns: columns, style: style)
            let row = cells(texts, name: name)
            guard !bar.isEmpty else { return String(row.reversed().drop { $0 == " " }.reversed()) }
            return row + String(repeating: " ", count: Self.gap) + style.painted(bar, .bar)
        }
    }

    private func cells(_ texts: [String], name: Int) -> String {
        let numbers = zip(texts, widths).dropFirst().map { text, width in
            String(repeating: " ", count: Self.gap) + text.printable.padded(to: width, isRight: true)
        }
        return String(repeating: " ", count: Self.indent)
            + style.shortened(texts.first ?? "", to: name).padded(to: name)
            + numbers.joined()
    }
}
