/// One of n parts of a manifest.
package typealias Shard = NumberedPart<ManifestInShards>

package enum ManifestInShards {}

extension Shard {
    /// Maximum of n.
    package static var maximumCount: Int { 1_000_000 }

    /// - Returns: nil if there is no such shard.
    package init?(number: Int, count: Int) { self.init(number: number, count: count, maximum: Self.maximumCount) }

    /// The name of its folder: `00003-of-00016`.
    var folderName: String { "\(number.padded(to: 5))-of-\(count.padded(to: 5))" }

    /// The shard of a folder's name; nil: no shard has it.
    init?(folderName: some StringProtocol) {
        let parts = folderName.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1] == "of", let number = Int(parts[0]), let count = Int(parts[2]) else {
            return nil
        }
        self.init(number: number, count: count)
        guard self.folderName == folderName else { return nil }
    }
}
