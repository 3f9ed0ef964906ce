/// A horizontal bar of text.
enum Bar {
    /// A bar for a share, 0 … 1, of `columns`; one that is more than nothing is seen. In steps of an eighth of a column, or
    /// of a whole one in ASCII.
    static func text(_ share: Double, columns: Int, style: ReportStyle) -> String {
        guard share > 0, columns > 0 else { return "" }
        let length = min(share, 1) * Double(columns)
        guard style.isUnicode else { return String(repeating: "#", count: max(Int(length.rounded()), 1)) }
        let eighths = max(Int((length * 8).rounded()), 1)
        let rest = eighths % 8
        return String(repeating: "█", count: eighths / 8) + (rest > 0 ? String(parts[rest - 1]) : "")
    }

    /// One to seven eighths of a column.
    private static let parts = Array("▏▎▍▌▋▊▉")
}
