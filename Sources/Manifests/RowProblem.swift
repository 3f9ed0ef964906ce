/// What is wrong with a row of a manifest.
package struct RowProblem: Hashable, Sendable {
    /// The line of the file, from 1, on which the row begins.
    package let line: Int
    /// What was expected and what was found.
    package let text: String

    /// Keeps the values.
    package init(line: Int, text: String) {
        self.line = line
        self.text = text
    }
}
