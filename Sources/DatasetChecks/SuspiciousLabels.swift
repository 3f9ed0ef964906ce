/// Clips whose labels disagree with the clips that are like them, by a feature file.
package struct SuspiciousLabels: Sendable {
    package struct Suspect: Sendable {
        let id: [UInt8]
        /// All of its labels in the feature file.
        let labels: Set<[UInt8]>
        /// Why, after the name of the clip.
        let reason: String

        package init(id: String, labels: [String], reason: String) {
            self.id = Array(id.utf8)
            self.labels = Set(labels.map { Array($0.utf8) })
            self.reason = reason
        }
    }

    /// What became of them.
    package struct Account: Hashable, Sendable {
        /// Clips that the manifest does not have.
        package internal(set) var unknown = 0
        /// The id of the first of them.
        package internal(set) var firstUnknown: String?
        /// Clips that have other labels in the manifest, such as corrected ones.
        package internal(set) var relabelled = 0
    }

    /// The most suspicious first.
    package let suspects: [Suspect]

    /// Keeps the clips, the most suspicious first.
    package init(_ suspects: [Suspect]) { self.suspects = suspects }
}

/// Finds the clips of a manifest that are suspicious.
struct SuspectSearch {
    private let labels: SuspiciousLabels
    /// By id, where it is in the list.
    private var left: [[UInt8]: Int]
    private var found: [(rank: Int, clip: Int)] = []
    private var relabelled = 0

    init(_ labels: SuspiciousLabels) {
        self.labels = labels
        left = [:]
        for (rank, suspect) in labels.suspects.enumerated() { left[suspect.id] = rank }
    }

    /// Whether all of them were found.
    var isDone: Bool { left.isEmpty }
    var count: Int { found.count }

    func has(_ id: String) -> Bool { left[Array(id.utf8)] != nil }

    /// Takes a clip of the manifest; whether it is suspicious there.
    mutating func take(_ clip: Int, _ id: String, _ own: [String]) -> Bool {
        guard let rank = left.removeValue(forKey: Array(id.utf8)) else { return false }
        guard Set(own.map { Array($0.utf8) }) == labels.suspects[rank].labels else {
            relabelled += 1
            return false
        }
        found.append((rank, clip))
        return true
    }

    /// The clips with their reasons, the most suspicious first.
    func examples(_ count: Int) -> [(clip: Int, reason: String)] {
        found.sorted { $0.rank < $1.rank }.prefix(count).map { ($0.clip, labels.suspects[$0.rank].reason) }
    }

    var account: SuspiciousLabels.Account {
        let first = left.values.min().map { String(decoding: labels.suspects[$0].id, as: UTF8.self) }
        return SuspiciousLabels.Account(unknown: left.count, firstUnknown: first, relabelled: relabelled)
    }
}
