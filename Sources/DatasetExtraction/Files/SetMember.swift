import FeatureStorage

/// One of the k files of a set: the j-th, from 1.
package struct SetMember: Hashable, Sendable {
    /// j, from 1 to `count`.
    package let number: Int
    /// k
    package let count: Int

    /// Maximum of k.
    package static let maximumCount = FeatureSetPaths.maximumCount

    /// - Returns: nil if there is no such file.
    package init?(number: Int, count: Int) {
        guard (1...Self.maximumCount).contains(count), (1...count).contains(number) else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// The indices of its clips, of `total` clips: clip c, from 0, is in file ⌊c·k/total⌋ + 1. With fewer clips than files, some
    /// have none.
    func clips(of total: Int) -> Range<Int> { start(number - 1, total)..<start(number, total) }

    /// ⌈j·total/k⌉
    private func start(_ number: Int, _ total: Int) -> Int {
        let (quotient, remainder) = count.dividingFullWidth(number.multipliedFullWidth(by: total))
        return quotient + (remainder > 0 ? 1 : 0)
    }

    /// All files of a set.
    static func all(_ count: Int) -> [SetMember] { (0..<count).compactMap { SetMember(number: $0 + 1, count: count) } }
}

extension SetMember: CustomStringConvertible {
    /// As `--file` takes it: `3/8`.
    package var description: String { "\(number)/\(count)" }
}
