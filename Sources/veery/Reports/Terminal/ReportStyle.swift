/// How a report is set: its width, whether it has colours, and whether it may use more than ASCII for its own marks.
struct ReportStyle: Hashable, Sendable {
    /// Columns of a line.
    let width: Int
    /// Whether texts have colours, by escape codes.
    let isColored: Bool
    /// Whether bars and signs are beyond ASCII. Names from the data are shown as they are.
    let isUnicode: Bool

    /// What a text is, for its colour; the raw value is the terminal's code.
    enum Role: String, CaseIterable {
        case heading = "1"
        case faint = "2"
        case failure = "31"
        case warning = "33"
        case bar = "36"
    }

    /// The terminal's codes of all roles, and the one that ends them.
    static let codes = ["0"] + Role.allCases.map(\.rawValue)

    /// 80 columns without colours, as for a file.
    static let plain = ReportStyle(width: 80, isColored: false, isUnicode: true)
    /// Narrower than that, tables no longer have room for their figures.
    static let leastWidth = 40

    init(width: Int, isColored: Bool, isUnicode: Bool) {
        self.width = max(width, Self.leastWidth)
        self.isColored = isColored
        self.isUnicode = isUnicode
    }

    /// The style that fits an output.
    ///
    /// - Parameters:
    ///   - environment: `NO_COLOR`, `TERM`, and the locale in `LC_ALL`, `LC_CTYPE` or `LANG`.
    ///   - terminalWidth: Columns of the terminal that the output is; nil: it is none.
    init(environment: [String: String], terminalWidth: Int?) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let locale = (value("LC_ALL") ?? value("LC_CTYPE") ?? value("LANG") ?? "").lowercased()
        self.init(
            width: terminalWidth ?? Self.plain.width,
            isColored: terminalWidth != nil && value("NO_COLOR") == nil && !["dumb", nil].contains(value("TERM")),
            isUnicode: locale.contains("utf-8") || locale.contains("utf8"))
    }

    /// Stands for what is left out.
    var ellipsis: String { isUnicode ? "…" : "..." }
    /// Between the sizes of a tensor.
    var times: String { isUnicode ? "×" : "x" }

    /// The text in the colour of its role.
    func painted(_ text: String, _ role: Role) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(role.rawValue)m\(text)\u{1B}[0m" : text
    }

    /// The text in at most `limit` columns, shortened in the middle, without what would act on a terminal.
    func shortened(_ text: String, to limit: Int) -> String {
        text.printable.shortened(to: limit, ellipsis: ellipsis)
    }
}
