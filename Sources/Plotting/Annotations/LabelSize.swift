/// A label's text, as it is printed, and the pixels that it takes with its ground.
struct LabelSize: Hashable, Sendable {
    /// What is printed.
    let text: String
    /// Number of columns.
    let width: Int
    /// Number of rows.
    let height: Int

    /// Number of pixels.
    var area: Int { width * height }
}
