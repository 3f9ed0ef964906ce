import FileIO

/// A number for every group that depends on its name alone, so that a group keeps its split when a dataset grows.
///
/// The first 53 bits of SHA-256 of `SEED:GROUP` in UTF-8, divided by 2⁵³.
package struct GroupHash: Sendable {
    private let prefix: [UInt8]

    package init(seed: Int) { prefix = Array("\(seed):".utf8) }

    /// The fraction of a group, at least 0 and less than 1.
    package func fraction(of group: String) -> Double { Double(value(of: group) >> 11) * 0x1p-53 }

    /// The 64 bits of a group.
    func value(of group: String) -> UInt64 {
        var hash = SHA256Hash()
        (prefix + Array(group.utf8)).withUnsafeBytes { hash.update($0) }
        return UInt64(hash.finish().prefix(16), radix: 16) ?? 0
    }
}
