/// Of which clips profiles are taken.
package struct ProfileScope: Hashable, Sendable {
    /// The split whose clips are looked at; nil: all.
    package var split: String?
    /// The labels whose clips are looked at, as places in the file's list, −1 for clips without one; nil: all.
    package var labels: Set<Int>?
    /// The most clips of a label that are looked at; where there are more, `seed` chooses.
    package var perLabel: Int
    /// Chooses clips where there are too many.
    package var seed: UInt64

    /// The most clips that are looked at in all, unless two of each label are more.
    package static let maximumClips = 50_000
    /// The most numbers that the means of all profiles may be, which also limits the clips: 64 MiB.
    package static let maximumValues = 1 << 24

    /// Keeps the values; `perLabel` is at least 1.
    package init(split: String? = nil, labels: Set<Int>? = nil, perLabel: Int = 500, seed: UInt64 = 0) {
        self.split = split
        self.labels = labels
        self.perLabel = max(perLabel, 1)
        self.seed = seed
    }

    /// The most clips of each label, where a file has so many labels, clips and values in a row. Of few clips all are taken.
    func limit(labels: Int, bins: Int, clips: Int) -> Int {
        let all = min(Self.maximumClips, Self.maximumValues / max(bins, 1))
        return clips <= all ? perLabel : max(min(perLabel, all / max(labels, 1)), min(perLabel, 2))
    }
}
