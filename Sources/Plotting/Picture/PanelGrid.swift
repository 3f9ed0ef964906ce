/// Cells of equal size in columns and rows, in reading order.
struct PanelGrid: Hashable, Sendable {
    /// Number of columns.
    let columns: Int
    /// Number of rows.
    let rows: Int
    /// The cells, as many as there are panels.
    let cells: [PixelRectangle]

    /// Divides an area; what does not divide evenly stays free at its right and lower edges.
    ///
    /// - Parameters:
    ///   - count: Number of panels, 1 or more.
    ///   - across: Greatest number of columns, 1 or more.
    ///   - spaces: Pixels between columns and between rows.
    init(count: Int, across: Int, area: PixelRectangle, spaces: (x: Int, y: Int)) {
        columns = min(across, count)
        rows = (count + columns - 1) / columns
        let width = max((area.width - (columns - 1) * spaces.x) / columns, 0)
        let height = max((area.height - (rows - 1) * spaces.y) / rows, 0)
        cells = (0..<count).map { [columns] index in
            PixelRectangle(
                x: area.x + index % columns * (width + spaces.x), y: area.y + index / columns * (height + spaces.y),
                width: width, height: height)
        }
    }

    /// Whether no other panel stands below one.
    func isLowest(_ index: Int) -> Bool { index + columns >= cells.count }
}
