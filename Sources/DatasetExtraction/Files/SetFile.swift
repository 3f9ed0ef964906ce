import FeatureStorage

/// One of the k files of a set: the j-th, from 1.
package typealias SetFile = NumberedPart<SetOfFiles>

package enum SetOfFiles {}

extension SetFile {
    /// Maximum of k.
    package static var maximumCount: Int { FeatureSetPaths.maximumCount }

    /// - Returns: nil if there is no such file.
    package init?(number: Int, count: Int) { self.init(number: number, count: count, maximum: Self.maximumCount) }

    /// The indices of its clips, of `total` clips: clip c, from 0, is in file ⌊c·k/total⌋ + 1. With fewer clips than files, some
    /// have none.
    func clips(of total: Int) -> Range<Int> { start(number - 1, total)..<start(number, total) }

    /// ⌈j·total/k⌉
    private func start(_ number: Int, _ total: Int) -> Int {
        let (quotient, remainder) = count.dividingFullWidth(number.multipliedFullWidth(by: total))
        return quotient + (remainder > 0 ? 1 : 0)
    }

    /// All files of a set.
    static func all(_ count: Int) -> [SetFile] { (0..<count).compactMap { SetFile(number: $0 + 1, count: count) } }
}
