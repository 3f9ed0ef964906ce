/// The problems of a manifest: the first ones in full, the rest as a number, so that a file of ten million bad rows
/// does not fill the memory.
struct ProblemList {
    /// How many problems are kept.
    static let limit = 1000

    private(set) var kept: [RowProblem] = []
    private(set) var total = 0

    mutating func add(_ text: @autoclosure () -> String, line: Int) {
        total += 1
        if kept.count < Self.limit { kept.append(RowProblem(line: line, text: text())) }
    }

    /// Counts problems that are not described.
    mutating func count(_ number: Int) { total += number }

    /// The problems in the order of their lines.
    var sorted: [RowProblem] { kept.sorted { $0.line < $1.line } }
}
