import Terminal

/// A part of the screen that shows one input.
protocol LivePane {
    /// Takes whole rows that have come since the last time.
    mutating func add(_ rows: [Float])

    /// Forgets all rows.
    mutating func clear()

    /// Draws what there is.
    ///
    /// - Parameter elapsed: Seconds since the last time.
    mutating func draw(into grid: inout CellGrid, at region: CellRegion, style: LiveStyle, elapsed: Double)
}
