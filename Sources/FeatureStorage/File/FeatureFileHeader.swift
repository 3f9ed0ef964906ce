import FeatureModel

/// Everything in a feature file except rows, clips and failures.
public struct FeatureFileHeader: Sendable {
    /// The configuration as JSON.
    public let configuration: String
    /// How the tensor lies in the file, and the number of its clips.
    public internal(set) var shape: TensorShape
    /// Number of failed clips.
    public internal(set) var failureCount: Int
    /// What the columns mean.
    public let axis: FeatureAxis
    /// Unit of the stored values.
    public let units: String
    /// What the stored values are, in words.
    public let longName: String
    /// Seconds from a row to the next.
    public let framePeriod: Double
    /// Time of the middle of a clip's first frame, in seconds.
    public let firstFrameTime: Double
    /// The distinct labels, sorted.
    public let labels: [String]
    /// Statistics of the values before normalisation.
    public let statistics: BinStatistics
    /// The split that the statistics were taken from; empty: all clips.
    public let fit: String
    /// How the values were normalised. Where that is clip by clip, every clip's statistics are stored.
    public let normalize: NormalizeConfiguration
    /// `metadata_xxh3` of the file that the statistics were taken over from; empty: they are those of this file's clips.
    public let statisticsSource: String
    /// SHA-256 of the manifest, hexadecimal.
    public let manifestChecksum: String
    /// SHA-256 of the corrections of the manifest, hexadecimal; empty: there are none.
    public let correctionsChecksum: String
    /// Versions of the software, as JSON.
    public let software: String
    /// The distinct labels of frames, by their index; nil: frames have none.
    public let frameLabelNames: [String]?
    /// SHA-256 of the annotations that the labels of frames come from, hexadecimal; empty: frames have none.
    public let annotationsChecksum: String
    /// The folder that relative paths of recordings start from, relative to the file's own; nil: there is none, or the file is older.
    public let root: String?
    /// What was read of the manifest and of the recordings and not used. In a file that is being made, that of the manifest
    /// alone: the writer adds that of the clips.
    package var remarks: [Remark]
    /// The files that values of the configuration were read from.
    public let inputs: [ConfigurationInput]
    /// The columns of `/clips`.
    let table: ClipTable

    /// Keeps the values.
    package init(
        configuration: String, shape: TensorShape, failures: Int, axis: FeatureAxis, units: String,
        longName: String, framePeriod: Double, firstFrameTime: Double, labels: [String], statistics: BinStatistics,
        fit: String, normalize: NormalizeConfiguration, statisticsSource: String = "", manifestChecksum: String,
        correctionsChecksum: String = "",
        software: String, table: ClipTable, frameLabelNames: [String]? = nil, annotationsChecksum: String = "",
        root: String? = nil, remarks: [Remark] = [], inputs: [ConfigurationInput] = []
    ) {
        self.configuration = configuration
        self.shape = shape
        failureCount = failures
        self.axis = axis
        self.units = units
        self.longName = longName
        self.framePeriod = framePeriod
        self.firstFrameTime = firstFrameTime
        self.labels = labels
        self.statistics = statistics
        self.fit = fit
        self.normalize = normalize
        self.statisticsSource = statisticsSource
        self.manifestChecksum = manifestChecksum
        self.correctionsChecksum = correctionsChecksum
        self.software = software
        self.table = table
        self.frameLabelNames = frameLabelNames
        self.annotationsChecksum = annotationsChecksum
        self.root = root
        self.remarks = remarks
        self.inputs = inputs
    }

    /// The dataset with `correctionsChecksum`, in a file with corrections.
    static let corrections = "/provenance/corrections_sha256"

    /// The manifest's other columns, as names of datasets; in a file that was read, sorted.
    public var extraColumns: [String] { table.extra }
    /// Whether the file holds the channels that the manifest named.
    public var storesChannel: Bool { table.has(.channel) }
    /// Whether the file says which clips are truncated: it does if truncated clips were kept.
    public var storesTruncated: Bool { table.has(.truncated) }
    /// Whether the file says how many samples of each clip became 0, since they were not finite.
    public var storesZeroedSamples: Bool { table.has(.zeroedSamples) }
    /// Whether a clip has remarks.
    package var storesRemarks: Bool { table.has(.remarks) }
    /// Whether the file holds all labels of each clip, since its manifest had a column `labels`.
    public var storesLabelMatrix: Bool { table.hasLabelMatrix }
    /// How truncated recordings and samples that are not finite were treated.
    package var policy: RecordingPolicy {
        RecordingPolicy(truncated: storesTruncated ? .keep : .fail, nonFinite: storesZeroedSamples ? .zero : .fail)
    }

    /// The time of the middle of each frame of a block of the fixed layout, in s; of the first of each patch where there are such.
    var times: [Double] {
        let hop = shape.patch?.hop ?? 1
        return (0..<shape.frames / shape.patchRows).map { firstFrameTime + Double($0 * hop) * framePeriod }
    }

    /// The time of each row of a patch from its first one, in s; empty without patches.
    var patchTimes: [Double] { shape.patch.map { PatchTime.values($0, framePeriod: framePeriod) } ?? [] }
}

extension NormalizeConfiguration {
    /// Whether a file has every clip's statistics: without them its normalisation could not be undone.
    package var storesClipStatistics: Bool { scope == .clip }
}
