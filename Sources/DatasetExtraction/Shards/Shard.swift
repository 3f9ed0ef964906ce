/// One of n parts of a manifest: the i-th, from 1.
package struct Shard: Hashable, Sendable {
    /// i, from 1 to `count`.
    package let number: Int
    /// n
    package let count: Int

    /// Maximum of n.
    package static let maximumCount = 1_000_000

    /// - Returns: nil if there is no such part.
    package init?(number: Int, count: Int) {
        guard (1...Self.maximumCount).contains(count), (1...count).contains(number) else { return nil }
        (self.number, self.count) = (number, count)
    }

    /// The name of its folder: `00003-of-00016`.
    var folderName: String { "\(Self.digits(number))-of-\(Self.digits(count))" }

    /// The shard of a folder's name; nil: no shard has it.
    init?(folderName: some StringProtocol) {
        let parts = folderName.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[1] == "of", let number = Int(parts[0]), let count = Int(parts[2]) else {
            return nil
        }
        self.init(number: number, count: count)
        guard self.folderName == folderName else { return nil }
    }

    private static func digits(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, 5 - text.count)) + text
    }
}

extension Shard: CustomStringConvertible {
    /// As `--shard` takes it: `3/16`.
    package var description: String { "\(number)/\(count)" }
}
