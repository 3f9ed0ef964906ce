/// What a manifest holds, known after one reading of it: the file is valid, and its clips can be read in order.
///
/// The clips themselves stay in the file; memory grows with the labels, not with the clips.
package struct Manifest: Sendable {
    /// A name in the column `split`, with the number of its clips.
    package struct Split: Hashable, Sendable {
        /// The name; never empty.
        package let name: String
        /// Clips that have it.
        package let clipCount: Int
    }

    /// The greatest lengths of values, in bytes of UTF-8.
    package struct Widths: Hashable, Sendable {
        /// Of an id.
        package let id: Int
        /// Of a path.
        package let path: Int
        /// Of a label.
        package let label: Int
        /// Of a split.
        package let split: Int
        /// Of each other column.
        package let extra: [Int]
    }

    /// The file's path, as it was given.
    package let path: String
    /// How it is written.
    package let format: ManifestFormat
    /// Number of clips; at least 1.
    package let clipCount: Int
    /// Names of the columns that mean nothing to the tool, in their order.
    package let extraColumns: [String]
    /// Whether there is a column `label`.
    package let hasLabelColumn: Bool
    /// Whether there is a column `split`.
    package let hasSplitColumn: Bool
    /// Whether there is a column `channel`.
    package let hasChannelColumn: Bool
    /// The labels but the empty one, without repetition, in the order of their UTF-8 bytes, which is Python's `sorted`.
    package let labels: [String]
    /// The splits but the empty one, in the order in which they appear.
    package let splits: [Split]
    /// The greatest lengths of values.
    package let widths: Widths
    /// SHA-256 of the file, in hexadecimal.
    package let sha256: String
    /// Length of the file in bytes.
    package let byteCount: Int
    /// What is allowed but probably not meant, in words; for standard error.
    package let warnings: [String]

    /// Reads and checks the whole file.
    ///
    /// - Throws: `ManifestError`; where rows are wrong, all their problems at once.
    package static func scan(path: String, format: ManifestFormat) throws(ManifestError) -> Manifest {
        var scanner = try ManifestScanner(path: path, format: format)
        return try scanner.scan()
    }

    /// Makes sure that a file is there and may be a manifest, by its first bytes.
    ///
    /// - Throws: `ManifestError`.
    package static func requireText(path: String) throws(ManifestError) { _ = try BlockReader(path: path) }

    /// The position of a label in `labels`; nil for one that is not there. Labels are equal if their bytes are.
    ///
    /// A dictionary of strings would not do: to Swift, `é` in one and in two code points are the same key.
    package func labelIndex(of label: String) -> Int? {
        var lower = 0
        var upper = labels.count
        while lower < upper {
            let middle = (lower + upper) / 2
            if labels[middle].utf8.lexicographicallyPrecedes(label.utf8) { lower = middle + 1 } else { upper = middle }
        }
        guard lower < labels.count, labels[lower].utf8.elementsEqual(label.utf8) else { return nil }
        return lower
    }

    /// Reads the clips, from the first.
    package func reader() throws(ManifestError) -> ManifestReader {
        try ManifestReader(self)
    }
}
