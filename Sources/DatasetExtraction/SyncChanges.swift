import FeatureModel
import FeatureStorage

/// The changes that make a feature file agree with its manifest: how many clips each change concerns, and the ids of the first
/// few.
package struct SyncChanges: Hashable, Sendable {
    /// What happens to a clip. A clip whose rows are kept is `unchanged`, or has one or several of the changes
    /// `relabelled` … `reordered`.
    package enum Change: String, CaseIterable, Sendable {
        /// It is new in the manifest.
        case added
        /// It is no longer in the manifest.
        case removed
        /// Its recording, its part of the recording or its channel has changed: its rows are computed again.
        case recomputed
        /// It failed, and is tried again.
        case retried
        /// Its rows are kept; its label has changed.
        case relabelled
        /// Its rows are kept; its split has changed.
        case resplit
        /// Its rows are kept; values of further columns have changed.
        case edited
        /// Its rows are kept; labels of its frames have changed.
        case reannotated
        /// Its rows are kept; it follows a clip that it preceded.
        case reordered
        /// Nothing has changed.
        case unchanged
        /// It failed, and its recording still fails for the same reason.
        case failing
    }

    private var counts: [Change: Int] = [:]
    private var firstIDs: [Change: [String]] = [:]
    /// The maximum index, in the file, of the clips noted so far whose rows are kept.
    private var maximumIndex = -1
    /// Whether all clips are computed again for the sake of the statistics.
    package internal(set) var replacesStatistics = false

    /// Maximum number of ids that are kept for each change.
    package static let named = 5

    /// Nothing changes.
    package init() {}

    /// Number of clips that a change concerns.
    package func count(_ change: Change) -> Int { counts[change] ?? 0 }

    /// The ids of the first clips that a change concerns.
    package func ids(_ change: Change) -> [String] { firstIDs[change] ?? [] }

    /// Whether no clip has changed, failed ones included.
    package var isEmpty: Bool {
        Change.allCases.allSatisfy { $0 == .unchanged || $0 == .failing || count($0) == 0 } && !replacesStatistics
    }

    /// Notes that a change concerns a clip.
    mutating func note(_ change: Change, _ id: String) {
        counts[change, default: 0] += 1
        if count(change) <= Self.named { firstIDs[change, default: []].append(id) }
    }

    /// Notes that changes concern clips.
    mutating func note(_ change: Change, count: Int, ids: [String]) {
        guard count > 0 else { return }
        counts[change, default: 0] += count
        firstIDs[change] = Array((self.ids(change) + ids).prefix(Self.named))
    }

    /// Notes a clip whose rows are kept.
    ///
    /// - Parameters:
    ///   - known: What the file says of it.
    ///   - index: Its index in the file.
    ///   - clip: What the manifest says of it.
    ///   - columns: The further columns of both.
    ///   - isReannotated: Whether labels of its frames have changed.
    mutating func keep(
        _ known: StoredClip, index: Int, as clip: Clip, _ columns: SharedColumns, isReannotated: Bool = false
    ) {
        var changes: [Change] = []
        if !known.label.utf8.elementsEqual(clip.label.utf8) { changes.append(.relabelled) }
        if !known.split.utf8.elementsEqual(clip.split.utf8) { changes.append(.resplit) }
        if !columns.areEqual(known.extra, clip.extra) { changes.append(.edited) }
        if isReannotated { changes.append(.reannotated) }
        if index < maximumIndex { changes.append(.reordered) }
        maximumIndex = max(maximumIndex, index)
        for change in changes.isEmpty ? [.unchanged] : changes { note(change, clip.id) }
    }
}

/// The further columns of a feature file and of a manifest, which may have other ones in another order.
struct SharedColumns: Hashable, Sendable {
    /// For each column of the manifest, that of the file; nil: the file has none of this name.
    private let indices: [Int?]
    /// The columns of the file that the manifest lacks.
    private let dropped: [Int]

    /// - Parameters:
    ///   - stored: Names of the file's columns.
    ///   - wanted: Names of the manifest's columns, as the file would have them.
    init(stored: [String], wanted: [String]) {
        indices = wanted.map { name in stored.firstIndex { $0.utf8.elementsEqual(name.utf8) } }
        let kept = Set(indices.compactMap(\.self))
        dropped = stored.indices.filter { !kept.contains($0) }
    }

    /// Whether two clips have the same values. A column that one side lacks is empty there.
    func areEqual(_ stored: [String], _ wanted: [String]) -> Bool {
        zip(indices, wanted)
            .allSatisfy { index, value in (index.map { stored[$0] } ?? "").utf8.elementsEqual(value.utf8) }
            && dropped.allSatisfy { stored[$0].isEmpty }
    }
}
