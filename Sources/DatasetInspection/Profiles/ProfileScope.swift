/// Which clips are profiled.
package struct ProfileScope: Hashable, Sendable {
    /// The split of the clips; nil: all.
    package var split: String?
    /// The indices of the labels in the file, −1 for clips without one; nil: all.
    package var labels: Set<Int>?
    /// Maximum number of clips of a label.
    package var perLabel: Int
    /// Chooses among too many clips.
    package var seed: UInt64

    /// Maximum number of clips in all, unless two of each label are more.
    package static let maximumClips = 50_000
    /// Maximum number of values of all profiles, which also limits the clips: 64 MiB.
    package static let maximumValues = 1 << 24

    package init(split: String? = nil, labels: Set<Int>? = nil, perLabel: Int = 500, seed: UInt64 = 0) {
        self.split = split
        self.labels = labels
        self.perLabel = max(perLabel, 1)
        self.seed = seed
    }

    /// Maximum number of clips of each label in a file of this size.
    func limit(labels: Int, bins: Int, clips: Int) -> Int {
        let all = min(Self.maximumClips, Self.maximumValues / max(bins, 1))
        return clips <= all ? perLabel : max(min(perLabel, all / max(labels, 1)), min(perLabel, 2))
    }
}
