/// Tiles that belong together, such as the clips of a label.
package struct SheetGroup: Sendable {
    /// What they have in common; shortened in the middle where it is too wide.
    package let title: String
    /// A remark behind the title, in smaller print.
    package let note: String
    /// The tiles, in reading order.
    package let tiles: [SheetTile]

    /// Keeps the values.
    package init(title: String, note: String, tiles: [SheetTile]) {
        self.title = title
        self.note = note
        self.tiles = tiles
    }
}
