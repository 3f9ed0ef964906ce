import FeatureModel
import FeatureStorage

/// Which clips of a feature file are wanted.
package struct ClipChoice: Sendable {
    /// Only clips of this split; nil: all; empty: those without a split.
    package var split: String?
    /// Only clips with this label; nil: all.
    package var label: String?

    package init(split: String? = nil, label: String? = nil) { (self.split, self.label) = (split, label) }

    /// The indices of the clips, ascending; nil: all.
    ///
    /// - Throws: `ExportError.noSuch` where there is no clip of the split or with the label; `StorageError`.
    package func indices(_ reader: FeatureReader) throws -> [Int]? {
        var chosen: [Int]?
        if let split {
            let indices = try reader.indices(split: split)
            guard !indices.isEmpty else {
                throw ExportError.noSuch(
                    path: reader.path, what: "is in the split", name: split, known: try Self.splits(of: reader))
            }
            chosen = indices
        }
        guard let label else { return chosen }
        let indices = try reader.indices(withLabel: label)
        guard !indices.isEmpty else {
            let known = reader.labels
            throw ExportError.noSuch(
                path: reader.path, what: "has the label", name: label,
                known: known.count > 20 ? known.prefix(20) + ["…"] : known)
        }
        guard let before = chosen else { return indices }
        let own = Set(indices)
        let both = before.filter(own.contains)
        guard !both.isEmpty else {
            throw ExportError.noSuch(
                path: reader.path, what: "of the split '\(split ?? "")' has the label", name: label, known: [])
        }
        return both
    }

    private static func splits(of reader: FeatureReader) throws -> [String] {
        var names: Set<String> = []
        for range in (0..<reader.clipCount).blocks(of: 8192) {
            names.formUnion(try reader.texts(.split, ofClips: range))
        }
        return names.filter { !$0.isEmpty }.sorted()
    }
}
