/// A mark on an axis.
package struct AxisTick: Hashable, Sendable {
    /// Where it stands: 0 at the low end of the axis (left, bottom), 1 at the high end.
    package let position: Double
    /// What is printed at it.
    package let label: String
}
