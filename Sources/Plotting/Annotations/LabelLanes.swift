import FeatureModel
import Presentation

/// The lanes of a label strip: one for each label, the same in all panels of a picture.
///
/// Where there are more labels than lanes, the most frequent ones have one each, and the last lane is for all others.
struct LabelLanes: Hashable, Sendable {
    /// What a lane shows.
    enum Content: Hashable, Sendable {
        /// One label; empty: annotations without one.
        case label(String)
        /// So many rarer labels.
        case others(Int)
    }

    /// From the top.
    let lanes: [Content]
    private let places: [String: Int]

    /// The most lanes, if there is room for them.
    static let most = 12

    /// Lanes in the order of their labels, digits before letters.
    ///
    /// - Parameter limit: The most lanes, 1 or more.
    init(_ annotations: some Sequence<Annotation>, limit: Int) {
        var counts: [String: Int] = [:]
        for annotation in annotations { counts[annotation.label, default: 0] += 1 }
        let limit = max(min(limit, Self.most), 1)
        let ranked = counts.keys.sorted { (counts[$1] ?? 0, $0) < (counts[$0] ?? 0, $1) }
        let own = ranked.count <= limit ? ranked : Array(ranked.prefix(limit - 1))
        let ordered = own.sorted()
        lanes = ordered.map(Content.label) + (own.count < ranked.count ? [.others(ranked.count - own.count)] : [])
        places = Dictionary(uniqueKeysWithValues: ordered.enumerated().map { ($1, $0) })
    }

    /// The lane of a label.
    func lane(of label: String) -> Int { places[label] ?? lanes.count - 1 }

    /// Whether a label has a lane of its own.
    func names(_ label: String) -> Bool { places[label] != nil }

    /// What is printed beside a lane.
    func name(_ lane: Int) -> String {
        switch lanes[lane] {
        case .label(let label): label.isEmpty ? "(no label)" : label
        case .others(let count): Wording.count(count, "other")
        }
    }
}
