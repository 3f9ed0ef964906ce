import DatasetInspection
import FeatureModel
import FeatureStorage
import Presentation

/// The clips that may be wrong, as a list and as JSON: the member `suspicion` of `Schemas/inspect.schema.json`.
struct SuspicionReport: Encodable {
    private struct Row {
        let suspect: Suspicion.Suspect
        let id: String
        let label: String
        /// The reasons in words.
        let reasons: [String]
    }

    private let suspicion: Suspicion
    private let group: SuspicionGroup
    private let rows: [Row]
    private let labels: [String]
    private let pairs: [JSONObject]

    /// Clips of the list.
    static let listed = 20

    /// - Parameter maximum: Maximum number of clips; nil: all.
    init(_ suspicion: Suspicion, leavingOut group: SuspicionGroup, of reader: FeatureReader, maximum: Int?) throws {
        (self.suspicion, self.group, labels) = (suspicion, group, reader.labels)
        let suspects = suspicion.suspects.prefix(maximum ?? .max)
        var named = Set(suspects.map(\.clipIndex) + suspicion.pairs.flatMap { [$0.first, $0.second] })
        for case .equal(let clip, _) in suspects.flatMap(\.reasons) { named.insert(clip) }
        let ids = try reader.texts(.id, ofClips: named)
        let own = try reader.texts(.label, ofClips: Set(suspects.map(\.clipIndex)))
        pairs = suspicion.pairs.map { pair in
            JSONObject(entries: [
                "clips": [pair.first, pair.second], "ids": [pair.first, pair.second].map { ids[$0] ?? "" },
                "similarity": Double(pair.similarity), "equal": pair.areEqual,
                "across_splits": pair.areInDifferentSplits,
            ])
        }
        rows = suspects.map { suspect in
            let reasons = suspect.reasons.map { reason in reason.words(labels: reader.labels) { ids[$0] ?? "" } }
            return Row(
                suspect: suspect, id: ids[suspect.clipIndex] ?? "", label: own[suspect.clipIndex] ?? "",
                reasons: reasons)
        }
    }

    var text: String {
        let count = suspicion.suspects.count
        var lines: [String] = []
        if count == 0 {
            lines.append("none of \(Wording.count(suspicion.clipCount, "clip")) is suspicious")
        } else {
            let rest = rows.count < count ? "; the first \(rows.count) (--json lists all)" : ""
            lines.append(
                "\(Wording.count(count)) of \(Wording.count(suspicion.clipCount, "clip")) \(count == 1 ? "is" : "are") suspicious, the most "
                    + "suspicious first\(rest):")
        }
        let width = "\(rows.count)".count
        for (index, row) in rows.enumerated() {
            let number = "\(index + 1)"
            lines.append(
                String(repeating: " ", count: 2 + width - number.count)
                    + "\(number)  \(row.id.printable): \(row.reasons.joined(separator: "; ").printable)")
        }
        lines += suspicion.notes.map { "note: \($0.words.printable)" }
        return lines.joined(separator: "\n") + "\n"
    }

    func encode(to encoder: any Encoder) throws {
        let clips = rows.map { row in
            JSONObject(entries: [
                "clip": row.suspect.clipIndex, "id": row.id, "label": row.label,
                "score": suspicion.scores[row.suspect.clipIndex].map { Double($0) },
                "suggested": suspicion.suggestedLabel(of: row.suspect.clipIndex).map { labels[$0] },
                "reasons": zip(row.suspect.reasons, row.reasons).map { reason, text in
                    JSONObject(entries: ["kind": reason.kind, "text": text])
                },
            ])
        }
        try JSONObject(entries: [
            "method": suspicion.method == .kernel ? "kernel" : "nearest", "left_out": group.name,
            "notes": suspicion.notes.map(\.words), "clips": clips, "pairs": pairs,
        ]).encode(to: encoder)
    }
}

extension SuspicionGroup {
    /// As `--leave-out` names it.
    init(option: String) {
        switch option {
        case "recording": self = .recording
        case "clip": self = .clip
        default: self = .column(option)
        }
    }

    var name: String {
        switch self {
        case .recording: "recording"
        case .clip: "clip"
        case .column(let name): name
        }
    }
}
