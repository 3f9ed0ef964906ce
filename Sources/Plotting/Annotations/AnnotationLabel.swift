/// A label, and the boxes that it names.
struct AnnotationLabel: Hashable, Sendable {
    /// What is printed.
    let text: String
    /// The pixels of the print and its ground. It touches its box, or its bracket.
    let tag: PixelRectangle
    /// The line over several boxes; nil: the label stands at its box.
    let bracket: LabelBracket?
    /// The boxes' places in the layout.
    let boxes: [Int]
}
