import FeatureModel

/// A manifest's rows as annotations: their times and labels, and frequencies in Hz from the columns `low` and `high`, or
/// `low_frequency` and `high_frequency`.
enum ManifestAnnotations {
    /// Reads the rows; one without times marks nothing, and is counted.
    static func read(
        path: String, format: ManifestFormat
    ) throws(ManifestError) -> (rows: [AnnotationTable.Row], withoutTimes: Int) {
        let manifest = try Manifest.scan(path: path, format: format)
        func column(_ names: [String]) -> Int? {
            names.lazy.compactMap { manifest.extraColumns.firstIndex(of: $0) }.first
        }
        let low = column(["low", "low_frequency"])
        let high = column(["high", "high_frequency"])
        let reader = try manifest.reader()
        var rows: [AnnotationTable.Row] = []
        var withoutTimes = 0
        while let clip = try reader.next() {
            guard let segment = clip.segment,
                let annotation = Annotation(
                    start: segment.start, end: segment.end ?? 1e9, low: low.flatMap { Double(clip.extra[$0]) },
                    high: high.flatMap { Double(clip.extra[$0]) }, label: clip.label)
            else {
                withoutTimes += 1
                continue
            }
            rows.append(AnnotationTable.Row(recording: clip.path, annotation: annotation))
        }
        return (rows, withoutTimes)
    }
}
