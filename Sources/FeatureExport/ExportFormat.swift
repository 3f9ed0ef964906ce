/// A format that features are exported to.
package enum ExportFormat: String, CaseIterable, Sendable {
    case npy, safetensors, kaldi, webdataset, lhotse, zarr
}

/// What is exported, and how.
package struct ExportOptions: Sendable {
    package var format: ExportFormat
    /// The folder to write.
    package var output: String
    /// Only clips of this split; nil: all; empty: those without a split.
    package var split: String?
    /// Only clips with this label; nil: all.
    package var label: String?
    /// Maximum bytes of a shard; one with a single clip may be larger.
    package var shardBytes: Int
    /// Whether an existing export is replaced.
    package var overwrite: Bool

    /// Bytes of a shard, unless given.
    package static let standardTarBytes = 1_000_000_000

    package init(
        format: ExportFormat, output: String, split: String? = nil, label: String? = nil,
        shardBytes: Int = standardTarBytes, overwrite: Bool = false
    ) {
        self.format = format
        self.output = output
        self.split = split
        self.label = label
        self.shardBytes = shardBytes
        self.overwrite = overwrite
    }
}

/// What was exported.
package struct ExportSummary: Hashable, Sendable {
    /// The folder.
    package let path: String
    /// Number of clips.
    package let clips: Int
    /// Number of their frames.
    package let frames: Int
    /// Names of the files, in the order in which they were made.
    package let files: [String]
    /// Bytes of all files.
    package let bytes: Int
    /// What the export lacks.
    package let notes: [ExportNote]
}
