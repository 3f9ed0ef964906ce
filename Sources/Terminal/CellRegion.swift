/// A rectangle of cells; column 0, row 0 is the upper left.
package struct CellRegion: Hashable, Sendable {
    /// The first column.
    package var column: Int
    /// The first row.
    package var row: Int
    /// Columns; not negative.
    package var width: Int
    /// Rows; not negative.
    package var height: Int

    /// Keeps the values; negative sizes become 0.
    package init(column: Int, row: Int, width: Int, height: Int) {
        self.column = column
        self.row = row
        self.width = max(width, 0)
        self.height = max(height, 0)
    }

    /// What is left where so many columns and rows are cut off at the sides.
    package func inset(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) -> CellRegion {
        CellRegion(
            column: column + left, row: row + top, width: width - left - right, height: height - top - bottom)
    }

    /// The row below the last.
    package var bottom: Int { row + height }
    /// The column behind the last.
    package var end: Int { column + width }
}
