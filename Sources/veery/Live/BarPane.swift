/// A pane whose picture is the latest frame as bars.
protocol BarPane: LivePane {
    /// The bars.
    var bars: LatestBars { get set }
}

extension BarPane {
    mutating func add(_ rows: [Float]) { bars.add(rows) }

    mutating func clear() { bars.clear() }
}
