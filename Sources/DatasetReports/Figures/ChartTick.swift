/// A round number on an axis.
struct ChartTick: Hashable, Sendable {
    /// Where it stands: 0 at the low end of the axis, 1 at the high end.
    let position: Double
    /// What is printed at it.
    let label: String
}
