/// A mark on an axis.
struct AxisTick: Hashable, Sendable {
    /// Where it stands: 0 at the low end of the axis (left, bottom), 1 at the high end.
    let position: Double
    /// What is printed at it.
    let label: String
}
