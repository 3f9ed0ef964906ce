import DatasetExtraction
import Presentation

/// The changes that bring a feature file up to date with its manifest, as JSON and in words.
struct SyncReport: Encodable {
    let plan: SyncChanges

    func encode(to encoder: any Encoder) throws {
        func key(_ change: SyncChanges.Change) -> String { change.rawValue }
        var clips: [String: [String]] = [:]
        for change in SyncChanges.Change.allCases where change != .unchanged && plan.count(change) > 0 {
            clips[key(change)] = plan.ids(change)
        }
        try JSONObject(entries: [
            "added": plan.count(.added), "removed": plan.count(.removed), "recomputed": plan.count(.recomputed),
            "retried": plan.count(.retried), "relabelled": plan.count(.relabelled), "resplit": plan.count(.resplit),
            "edited": plan.count(.edited), "reannotated": plan.count(.reannotated),
            "reordered": plan.count(.reordered), "unchanged": plan.count(.unchanged),
            "failing": plan.count(.failing), "replacesStatistics": plan.replacesStatistics, "firstClips": clips,
        ]).encode(to: encoder)
    }

    /// The lines of a dry run.
    var lines: [String] {
        let words: [(SyncChanges.Change, String, String)] = [
            (.added, "would add", ""), (.removed, "would remove", ""),
            (.recomputed, "compute anew", " whose recording, times or channel changed"),
            (.retried, "would retry", " that had failed"), (.relabelled, "would relabel", ""),
            (.resplit, "would move", " to another split"), (.edited, "would edit", " in further columns"),
            (.reannotated, "would label", " whose frames have other labels"), (.reordered, "would reorder", ""),
            (.unchanged, "unchanged", ""), (.failing, "still failing", ""),
        ]
        var lines = words.compactMap { change, verb, what -> String? in
            let (count, ids) = (plan.count(change), plan.ids(change))
            guard count > 0 else { return nil }
            let title = verb.padding(toWidth: 15)
            guard change != .unchanged else { return "\(title)\(Wording.count(count, "clip"))" }
            return "\(title)\(Wording.count(count, "clip"))\(what): "
                + ids.joined(separator: ", ").printable + (count > ids.count ? ", …" : "")
        }
        if plan.replacesStatistics { lines.append("compute anew   all clips, for new statistics") }
        return lines
    }

    /// The changes of a run that is done, in one line.
    var text: String {
        let parts: [(SyncChanges.Change, String)] = [
            (.added, "added"), (.removed, "removed"), (.recomputed, "computed anew"), (.retried, "tried again"),
            (.relabelled, "relabelled"), (.resplit, "moved to another split"), (.edited, "edited in further columns"),
            (.reannotated, "with other labels of frames"), (.reordered, "reordered"), (.failing, "still failing"),
        ]
        let words = parts.filter { plan.count($0.0) > 0 }.map { "\(Wording.count(plan.count($0.0))) \($0.1)" }
        return words.joined(separator: ", ")
    }
}

extension String {
    /// The text with spaces after it, up to a width.
    fileprivate func padding(toWidth width: Int) -> String {
        self + String(repeating: " ", count: max(width - count, 1))
    }
}
