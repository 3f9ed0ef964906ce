import Essentials
import FeatureModel

/// A remark as it is written in JSON: in reports, in feature files and in the indices of sets.
package struct RemarkEntry: Hashable, Sendable, Codable {
    let kind: String
    let loss: Bool
    let source: String
    let count: Int
    let first: [String]

    package init(_ remark: Remark) {
        (kind, loss, source) = (remark.kind.rawValue, remark.kind.isLoss, remark.source)
        (count, first) = (remark.count, remark.first)
    }

    /// Nil: the kind is one of a later version.
    var remark: Remark? {
        Remark.Kind(rawValue: kind).map { Remark(kind: $0, source: source, count: count, first: first) }
    }
}

extension RemarkEntry {
    /// JSON with sorted keys and without blanks: the same text for the same remark.
    package var json: String { (try? sortedJSON()) ?? "" }
}

extension Account {
    /// The remarks in a report.
    package var report: [RemarkEntry] { remarks.map { RemarkEntry($0) } }
}
