/// A box that has a label.
struct AnnotationMark: Hashable, Sendable {
    /// Its place among all boxes.
    let index: Int
    /// Its pixels.
    let box: PixelRectangle
    /// Its label, in full.
    let label: String
    /// The label's print.
    let size: LabelSize
}
