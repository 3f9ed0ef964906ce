/// One of n parts, which tasks do: the i-th, from 1. `Whole` is what is divided.
///
/// `Whole` has no constraints: Swift would look its conformance up at every start.
package struct NumberedPart<Whole>: Hashable, Sendable, CustomStringConvertible {
    /// i, from 1 to `count`.
    package let number: Int
    /// n
    package let count: Int

    /// - Returns: nil if there is no such part.
    init?(number: Int, count: Int, maximum: Int) {
        guard (1...maximum).contains(count), (1...count).contains(number) else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// As `--shard` and `--file` take it: `3/16`.
    package var description: String { "\(number)/\(count)" }
}
