import DatasetInspection
import FeatureModel
import FeatureStorage
import Presentation

/// The clips that may be wrong, as a list and as JSON: the member `suspicion` of `Schemas/inspect.schema.json`.
struct SuspicionReport: Encodable {
    private struct Row {
        let suspect: Suspicion.Suspect
        let clip: StoredClip
        /// The reasons in words.
        let reasons: [String]
    }

    private let suspicion: Suspicion
    private let group: SuspicionGroup
    private let rows: [Row]
    private let pairs: [JSONObject]

    /// Clips of the list.
    static let listed = 20

    /// - Parameter maximum: Maximum number of clips; nil: all.
    init(_ suspicion: Suspicion, leavingOut group: SuspicionGroup, of reader: FeatureReader, maximum: Int?) throws {
        (self.suspicion, self.group) = (suspicion, group)
        pairs = try suspicion.pairs.map { pair in
            JSONObject(entries: [
                "clips": [pair.first, pair.second],
                "ids": try [pair.first, pair.second].map { try reader.clip(at: $0).id },
                "similarity": Double(pair.similarity), "equal": pair.areEqual,
                "splits": pair.areInDifferentSplits,
            ])
        }
        rows = try suspicion.suspects.prefix(maximum ?? .max).map { suspect in
            let reasons = try suspect.reasons.map { reason in
                try reason.words(labels: reader.labels) { clip in try reader.clip(at: clip).id }
            }
            return Row(suspect: suspect, clip: try reader.clip(at: suspect.clipIndex), reasons: reasons)
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
                    + "\(number)  \(row.clip.id.printable): \(row.reasons.joined(separator: "; ").printable)")
        }
        lines += suspicion.notes.map { "note: \($0.words.printable)" }
        return lines.joined(separator: "\n") + "\n"
    }

    func encode(to encoder: any Encoder) throws {
        let clips = rows.map { row in
            JSONObject(entries: [
                "clip": row.suspect.clipIndex, "id": row.clip.id, "label": row.clip.label,
                "score": suspicion.scores[row.suspect.clipIndex].map { Double($0) },
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
