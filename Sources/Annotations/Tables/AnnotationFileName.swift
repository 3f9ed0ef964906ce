/// Names of annotation files, and the recordings that lie beside them.
package enum AnnotationFileName {
    /// Endings in lower case; an ending of another comes after it.
    private static let endings = [
        ".birdnet.selection.table.txt", ".birdnet.results.kaleidoscope.csv", ".birdnet.results.r.csv",
        ".birdnet.results.csv", ".birdnet.results.txt", ".selection.table.txt", ".selections.txt", ".selections.tsv",
        ".audacity.txt", ".labels.txt", ".label.txt", "_labels.txt", "_label.txt", ".annotations.csv",
        "_annotations.csv", ".annotations.txt", "_annotations.txt", ".annot.csv", ".annotations.jsonl", ".textgrid",
        ".txt", ".csv", ".tsv", ".tab", ".jsonl",
    ]

    /// Whether a file may hold annotations.
    package static func isPossible(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix(".xml") || endings.contains { name.hasSuffix($0) && name.utf8.count > $0.utf8.count }
    }

    /// What the name of its recording may be, with or without an extension, likelier ones first.
    package static func stems(of name: String) -> [String] {
        let lower = name.lowercased()
        var stems: [String] = []
        for ending in endings where lower.hasSuffix(ending) {
            var stem = String(name.dropLast(ending.count))
            // Raven numbers its tables: day.Table.1.selections.txt.
            if let table = stem.firstRange(of: /\.[Tt]able\.\d+$/) { stem = String(stem[..<table.lowerBound]) }
            if !stem.isEmpty, !stems.contains(stem) { stems.append(stem) }
        }
        return stems
    }
}
