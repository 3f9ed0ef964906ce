/// What became of the annotations of a panel.
package struct AnnotationCount: Hashable, Sendable {
    /// Those whose boxes are drawn.
    package var drawn = 0
    /// Those that end before the panel begins.
    package var before = 0
    /// Those that begin after the panel's last frame.
    package var after = 0
    /// Those at the panel's times, but not at its frequencies.
    package var beyondBand = 0
    /// Boxes of which a part is at frequencies that the panel does not have.
    package var cut = 0
    /// Boxes that have a label.
    package var labelled = 0
    /// Boxes whose label is printed, alone or with others of the same.
    package var named = 0

    /// No annotations.
    package init() {}

    /// All that the panel was given.
    package var all: Int { drawn + before + after + beyondBand }

    /// Whether each box that has a label is named.
    package var isComplete: Bool { named == labelled }
}
