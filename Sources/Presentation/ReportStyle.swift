/// The layout of a report in a terminal or a file: its width, its colours, and whether it may use more than ASCII.
package struct ReportStyle: Hashable, Sendable {
    package let width: Int
    package let isColored: Bool
    /// Whether bars and signs may exceed ASCII. Names from the data are shown as they are.
    package let isUnicode: Bool

    /// What a text is, for its colour; the raw value is the terminal's code (SGR).
    package enum Role: String, CaseIterable, Sendable {
        case heading = "1"
        case faint = "2"
        case failure = "31"
        case warning = "33"
        case bar = "36"
    }

    /// The terminal's codes of all roles, and the one that resets them.
    package static let codes = ["0"] + Role.allCases.map(\.rawValue)

    /// 80 columns without colours, as for a file.
    package static let plain = ReportStyle(width: 80, isColored: false, isUnicode: true)
    /// The width below which the numbers of tables do not fit.
    package static let minimumWidth = 40

    /// The style of given traits; `width` is at least `minimumWidth`.
    package init(width: Int, isColored: Bool, isUnicode: Bool) {
        self.width = max(width, Self.minimumWidth)
        self.isColored = isColored
        self.isUnicode = isUnicode
    }

    /// - Parameters:
    ///   - environment: `NO_COLOR`, `TERM`, and the locale in `LC_ALL`, `LC_CTYPE` or `LANG`.
    ///   - terminalWidth: Columns of the terminal; nil: the output is not a terminal.
    package init(environment: [String: String], terminalWidth: Int?) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let locale = (value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "").lowercased()
        self.init(
            width: terminalWidth ?? Self.plain.width,
            isColored: terminalWidth != nil && value("NO_COLOR") == nil && !["dumb", nil].contains(value("TERM")),
            isUnicode: locale.contains("utf-8") || locale.contains("utf8"))
    }

    package var ellipsis: String { isUnicode ? "…" : "..." }
    /// The sign between the sizes of a tensor.
    package var times: String { isUnicode ? "×" : "x" }

    package func painted(_ text: String, _ role: Role) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// The text in at most `limit` columns, shortened in the middle, without control characters.
    package func shortened(_ text: String, to limit: Int) -> String {
        text.printable.shortened(to: limit, ellipsis: ellipsis)
    }
}

extension ReportStyle {
    package static let nameWidth = 16

    /// An entry of a report: its name, and to the right its value in one or more lines.
    package func entry(_ name: String, _ value: String) -> String {
        let gap = String(repeating: " ", count: max(Self.nameWidth - name.columns, 1))
        return hanging(painted(name, .heading) + gap, value, indent: Self.nameWidth)
    }

    /// A text after `first`, in lines that are indented to the width of `first`.
    package func paragraph(_ first: String, _ text: String) -> String { hanging(first, text, indent: first.columns) }

    private func hanging(_ first: String, _ text: String, indent: Int) -> String {
        wrapped(text, to: width - indent).enumerated().map { index, line in
            (index == 0 ? first : String(repeating: " ", count: indent)) + line + "\n"
        }.joined()
    }

    /// The text in lines of at most `limit` columns, at least one.
    ///
    /// A line ends after a comma, a semicolon or a dot between two parts if possible, otherwise at a space; a word that is
    /// wider than a line is shortened in its middle.
    package func wrapped(_ text: String, to limit: Int) -> [String] {
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

    /// The words of a text, joined up to the next comma, semicolon or dot between parts.
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
