import FeatureModel

/// A column of `/clips`: its name, its type, and its value of a clip.
package enum ClipColumn: Hashable, Sendable {
    case text(Text)
    case integer(Integer)
    case seconds(Seconds)

    /// Texts of fixed width.
    package enum Text: String, CaseIterable, Sendable {
        case id, path, label, split
        case audioChecksum = "audio_xxh3"
        case tensorChecksum = "tensor_xxh3"
        /// Only where frames have labels.
        case frameLabelChecksum = "frame_label_xxh3"
    }

    /// Integers.
    package enum Integer: String, CaseIterable, Sendable {
        case labelIndex = "label_index"
        case sampleRate = "sample_rate"
        case channels
        case frameStart = "frame_start"
        case frameCount = "frame_count"
        /// Only where the source of clips names channels.
        case channel
        /// Only if clips were kept that are cut off.
        case truncated
        /// Only where samples that were not finite became 0.
        case zeroedSamples = "zeroed_samples"
        /// Only where it may differ from the number of rows in the file.
        case computedRows = "computed_frames"
        /// `RecordingRemarks`; only where a clip has some.
        case remarks
    }

    /// Times in seconds.
    package enum Seconds: String, CaseIterable, Sendable { case start, duration }

    /// The name in the group.
    var name: String {
        switch self {
        case .text(let column): column.rawValue
        case .integer(let column): column.rawValue
        case .seconds(let column): column.rawValue
        }
    }
}

/// The columns of `/clips` in a file, in the order in which `record_xxh3` hashes them. Nothing else lists them.
package struct ClipTable: Hashable, Sendable {
    /// The columns.
    let columns: [ClipColumn]
    /// Names of the datasets in `/clips/extra`, in the order of `StoredClip.extra`.
    package let extra: [String]
    /// Whether clips may have several labels, which are in `labelMatrix`.
    let hasLabelMatrix: Bool
    /// Rows of a patch, which `frame_start` and `frame_count` count; 1: rows are not grouped.
    let patchRows: Int

    private static let required: [ClipColumn] = [
        .text(.id), .text(.path), .text(.label), .text(.split), .integer(.labelIndex), .integer(.sampleRate),
        .integer(.channels), .integer(.frameStart), .integer(.frameCount),
    ]
    private static let optional: [ClipColumn.Integer] = [.channel, .truncated, .zeroedSamples, .computedRows, .remarks]
    private static let last: [ClipColumn] = [
        .seconds(.start), .seconds(.duration), .text(.audioChecksum), .text(.tensorChecksum),
    ]

    /// The group.
    static let group = "/clips"
    /// The checksums of the rows of this table.
    static let record = group + "/record_xxh3"
    /// The group of the statistics of each clip, where clips are normalised one by one.
    static let statistics = group + "/statistics"
    /// The group of the manifest's other columns.
    static let extraGroup = group + "/extra"
    /// A row of 0 and 1 for each clip: which of the file's labels it has.
    static let labelMatrix = group + "/label_matrix"
    private static let frameLabelChecksum = ClipColumn.text(.frameLabelChecksum)

    /// The names that `/clips` may hold.
    static var names: Set<String> {
        let columns = required + optional.map { .integer($0) } + last + [frameLabelChecksum]
        return Set(columns.map { "\(group)/\($0.name)" } + [record, statistics, extraGroup, labelMatrix])
    }

    /// - Parameters:
    ///   - stores: Whether the file has a column that not every file has.
    ///   - manifestColumns: The manifest's other columns.
    ///   - hasLabelMatrix: Whether clips may have several labels.
    ///   - hasFrameLabels: Whether frames have labels.
    ///   - patchRows: Rows of a patch; 1: rows are not grouped.
    package init(
        manifestColumns: [String], hasLabelMatrix: Bool = false, hasFrameLabels: Bool = false, patchRows: Int = 1,
        stores: (ClipColumn.Integer) -> Bool
    ) {
        self.init(
            datasets: FeatureFormat.datasetNames(ofColumns: manifestColumns), hasLabelMatrix: hasLabelMatrix,
            hasFrameLabels: hasFrameLabels, patchRows: patchRows, stores: stores)
    }

    /// The same with the names of the datasets in `/clips/extra`.
    init(
        datasets: [String], hasLabelMatrix: Bool, hasFrameLabels: Bool, patchRows: Int,
        stores: (ClipColumn.Integer) -> Bool
    ) {
        extra = datasets
        self.hasLabelMatrix = hasLabelMatrix
        self.patchRows = patchRows
        columns =
            Self.required + Self.optional.filter(stores).map { .integer($0) } + Self.last
            + (hasFrameLabels ? [Self.frameLabelChecksum] : [])
    }

    /// Whether frames have labels.
    var hasFrameLabels: Bool { columns.contains(Self.frameLabelChecksum) }

    /// Whether the file has a column.
    func has(_ column: ClipColumn.Integer) -> Bool { columns.contains(.integer(column)) }
}

extension ClipColumn.Text {
    var dataset: String { "\(ClipTable.group)/\(rawValue)" }

    func value(_ clip: StoredClip) -> String {
        switch self {
        case .id: clip.id
        case .path: clip.path
        case .label: clip.label
        case .split: clip.split
        case .audioChecksum: clip.audioChecksum
        case .tensorChecksum: clip.tensorChecksum
        case .frameLabelChecksum: clip.frameLabelChecksum
        }
    }

    /// Bytes of an entry.
    func width(_ widths: TextWidths) -> Int {
        switch self {
        case .id: widths.id
        case .path: widths.path
        case .label: widths.label
        case .split: widths.split
        case .audioChecksum, .tensorChecksum, .frameLabelChecksum: FeatureFormat.checksumWidth
        }
    }
}

extension ClipColumn.Integer {
    package var dataset: String { "\(ClipTable.group)/\(rawValue)" }

    /// How an entry is stored.
    var type: any (HDF5Number & FixedWidthInteger).Type {
        switch self {
        case .labelIndex, .sampleRate, .channels, .frameCount, .channel, .computedRows, .remarks: Int32.self
        case .frameStart, .zeroedSamples: Int64.self
        case .truncated: UInt8.self
        }
    }

    /// The value as it is stored: −1 means no label, or no channel; patches of `patchRows` rows are counted, not rows.
    func value(_ clip: StoredClip, patchRows: Int) -> Int {
        switch self {
        case .labelIndex: clip.labelIndex
        case .sampleRate: clip.sampleRate
        case .channels: clip.channels
        case .frameStart: clip.frameStart / patchRows
        case .frameCount: clip.frameCount / patchRows
        case .channel: clip.channel ?? -1
        case .truncated: clip.isTruncated ? 1 : 0
        case .zeroedSamples: clip.zeroedSamples
        case .computedRows: clip.computedRows
        case .remarks: Int(clip.measurement.remarks.rawValue)
        }
    }
}

extension ClipColumn.Seconds {
    var dataset: String { "\(ClipTable.group)/\(rawValue)" }

    func value(_ clip: StoredClip) -> Double {
        switch self {
        case .start: clip.start
        case .duration: clip.duration
        }
    }
}
