extension ReportStyle {
    /// Columns of the names of entries.
    static let nameWidth = 16

    /// An entry of a report: its name, and beside it its value, over as many lines as it needs.
    func entry(_ name: String, _ value: String) -> String {
        let lines = wrapped(value, to: width - Self.nameWidth)
        let first = painted(name, .heading) + String(repeating: " ", count: max(Self.nameWidth - name.columns, 1))
        let other = String(repeating: " ", count: Self.nameWidth)
        return lines.enumerated().map { place, line in (place == 0 ? first : other) + line + "\n" }.joined()
    }

    /// A text behind `first`, over as many lines as it needs, later ones indented as far as `first` reaches.
    func paragraph(_ first: String, _ text: String) -> String {
        let indent = first.columns
        return wrapped(text, to: width - indent).enumerated().map { place, line in
            (place == 0 ? first : String(repeating: " ", count: indent)) + line + "\n"
        }.joined()
    }

    /// The text in lines of at most `limit` columns, at least one.
    ///
    /// A line ends behind a comma, a semicolon or a dot between two parts if it can, else at a space; a word that is
    /// wider than a line is shortened in its middle.
    func wrapped(_ text: String, to limit: Int) -> [String] {
        var lines = [""]
        func add(_ piece: String) {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = piece
            } else if last.columns + 1 + piece.columns <= limit {
                lines[lines.count - 1] = last + " " + piece
            } else {
                lines.append(piece)
            }
        }
        for part in Self.parts(text.printable) {
            if part.columns <= limit {
                add(part)
            } else {
                for word in part.split(separator: " ") {
                    add(String(word).shortened(to: limit, ellipsis: ellipsis))
                }
            }
        }
        return lines
    }

    /// The words of a text, joined as far as the next comma, semicolon or dot between parts.
    private static func parts(_ text: String) -> [String] {
        var parts: [String] = []
        var isOpen = false
        for word in text.split(separator: " ") {
            if isOpen { parts[parts.count - 1] += " " + word } else { parts.append(String(word)) }
            isOpen = !(word.hasSuffix(",") || word.hasSuffix(";") || word == "·")
        }
        return parts
    }
}
