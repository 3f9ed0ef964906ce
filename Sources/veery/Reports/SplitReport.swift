import FeatureModel
import FeatureStorage
import Manifests
import Messages
import Presentation

/// The clips of each label in each split.
struct SplitReport: Encodable {
    let table: SplitTable
    let groups: Int
    let groupedBy: String
    let account: Account

    func encode(to encoder: any Encoder) throws {
        let splits = table.splits.indices.map { index in
            JSONObject(entries: [
                "name": table.splits[index], "clips": table.clips[index], "groups": table.groups[index],
            ])
        }
        let labels = table.labels.map { row in
            JSONObject(entries: [
                "label": row.name, "clips": Dictionary(uniqueKeysWithValues: zip(table.splits, row.clips)),
            ])
        }
        try JSONObject(entries: [
            "groupedBy": groupedBy, "groups": groups, "splits": splits, "labels": labels,
            "remarks": account.inWords.report,
        ]).encode(to: encoder)
    }

    var text: String {
        func cells(_ name: String, _ counts: [Int]) -> TextTable.Row {
            .cells([name] + counts.map { Wording.count($0) } + [Wording.count(counts.reduce(0, +))])
        }
        var rows = table.labels.map { cells($0.name.isEmpty ? "(no label)" : $0.name, $0.clips) }
        if rows.count > 1 { rows.append(cells(table.hasSeveralLabels ? "all clips" : "all labels", table.clips)) }
        rows.append(cells(groupedBy == "recording" ? "recordings" : "groups by \(groupedBy)", table.groups))
        return TextTable(header: ["label"] + table.splits + ["all"], rows: rows, style: Console.reportStyle).text
    }
}
