import FileIO

/// The hash of a group's name and a seed, by which the group is assigned to a split. It does not depend on other groups, so that
/// a group keeps its split when a dataset grows.
package struct GroupHash: Sendable {
    private let prefix: [UInt8]

    package init(seed: Int) { prefix = Array("\(seed):".utf8) }

    /// The hash as a number from 0 to less than 1: the first 53 bits of SHA-256 of `SEED:GROUP` in UTF-8, divided by 2⁵³.
    package func fraction(of group: String) -> Double { Double(value(of: group) >> 11) * 0x1p-53 }

    /// The first 64 bits of that SHA-256.
    func value(of group: String) -> UInt64 {
        var hash = SHA256Hash()
        (prefix + Array(group.utf8)).withUnsafeBytes { hash.update($0) }
        return UInt64(hash.finish().prefix(16), radix: 16) ?? 0
    }
}
