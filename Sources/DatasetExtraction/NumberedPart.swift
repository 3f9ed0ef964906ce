/// What tasks divide into numbered parts.
package protocol Divisible: Sendable {
    /// Maximum number of parts.
    static var maximumCount: Int { get }
}

/// One of n parts: the i-th, from 1.
package struct NumberedPart<Whole: Divisible>: Hashable, Sendable, CustomStringConvertible {
    /// i, from 1 to `count`.
    package let number: Int
    /// n
    package let count: Int

    /// Maximum of n.
    package static var maximumCount: Int { Whole.maximumCount }

    /// - Returns: nil if there is no such part.
    package init?(number: Int, count: Int) {
        guard (1...Self.maximumCount).contains(count), (1...count).contains(number) else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// As `--shard` and `--file` take it: `3/16`.
    package var description: String { "\(number)/\(count)" }
}
