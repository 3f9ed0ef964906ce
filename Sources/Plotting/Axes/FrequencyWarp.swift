/// A quantity that rises with frequency, such as mel.
package struct FrequencyWarp: Sendable {
    /// What the axis is called, in brackets behind its unit, such as "mel scale".
    package let name: String
    /// The quantity of a frequency in hertz, 0 or more.
    package let value: @Sendable (Double) -> Double
    /// The frequency in hertz of a quantity.
    package let hertz: @Sendable (Double) -> Double

    /// Keeps the two functions, which are each other's inverse.
    package init(
        name: String, value: @escaping @Sendable (Double) -> Double, hertz: @escaping @Sendable (Double) -> Double
    ) {
        self.name = name
        self.value = value
        self.hertz = hertz
    }
}
