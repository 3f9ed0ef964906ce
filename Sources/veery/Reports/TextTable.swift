/// Columns of text, the first to the left and the others to the right.
struct TextTable {
    private let header: [String]
    private let rows: [[String]]
    private let bar: Int?

    /// - Parameters:
    ///   - header: A name for each column.
    ///   - rows: As many texts each.
    ///   - bar: The column whose figures are also drawn, as bars behind the rows.
    init(header: [String], rows: [[String]], bar: Int? = nil) {
        self.header = header
        self.rows = rows
        self.bar = bar
    }

    /// The table, a line break behind every row.
    var text: String {
        let widths = header.indices.map { column in
            ([header] + rows).map { Self.shortened($0[column]).count }.max() ?? 0
        }
        let figures = bar.map { column in rows.map { Double($0[column].filter(\.isNumber)) ?? 0 } } ?? []
        let most = figures.max() ?? 0
        var lines = [line(header, widths)]
        for (place, row) in rows.enumerated() {
            var text = line(row, widths)
            if bar != nil, most > 0 {
                text += "  " + String(repeating: "█", count: Int((figures[place] / most * 20).rounded()))
            }
            lines.append(text)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func line(_ row: [String], _ widths: [Int]) -> String {
        row.enumerated().map { column, text in
            let text = Self.shortened(text)
            let padding = String(repeating: " ", count: max(0, widths[column] - text.count))
            return column == 0 ? "  " + text + padding : "  " + padding + text
        }.joined()
    }

    /// Line breaks and such would break the table; a very long name its width.
    private static func shortened(_ text: String) -> String {
        let visible = String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 })
        return visible.count <= 40 ? visible : visible.prefix(39) + "…"
    }
}
