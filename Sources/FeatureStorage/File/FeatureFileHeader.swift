import FeatureModel

/// Everything in a feature file besides rows, clips and failures.
public struct FeatureFileHeader: Sendable {
    /// The configuration as JSON.
    public var configuration: String
    /// How the tensor lies in the file, and the number of its clips.
    public var shape: TensorShape
    /// Number of failed clips.
    public var failures: Int
    /// What the columns stand for.
    public var axis: FeatureAxis
    /// Unit of the stored values.
    public var units: String
    /// What the stored values are, in words.
    public var longName: String
    /// Seconds from a row to the next.
    public var framePeriod: Double
    /// Time of the middle of a clip's first frame, in seconds.
    public var firstFrameTime: Double
    /// The distinct labels, sorted.
    public var labels: [String]
    /// Statistics of the values before normalisation.
    public var statistics: BinStatistics
    /// The split that the statistics were taken from; empty: all clips.
    public var fit: String
    /// How the values were normalised. Where that is clip by clip, every clip's statistics are stored.
    public var normalize: NormalizeConfiguration
    /// `metadata_xxh3` of the file that the statistics were taken over from; empty: they are those of this file's clips.
    public var statisticsSource: String
    /// SHA-256 of the manifest, hexadecimal.
    public var manifestChecksum: String
    /// Versions of the software, as JSON.
    public var software: String
    /// The manifest's other columns.
    public var extraColumns: [String]
    /// Whether the manifest names channels of clips.
    public var storesChannel: Bool
    /// Whether the file says which clips are truncated, since such were kept.
    public var storesTruncated: Bool
    /// Whether the file says how many samples became 0 that were no finite numbers.
    public var storesZeroedSamples: Bool
    /// How wide the columns of text are.
    public var widths: ColumnWidths

    /// Keeps the values.
    public init(
        configuration: String, shape: TensorShape, failures: Int, axis: FeatureAxis, units: String,
        longName: String, framePeriod: Double, firstFrameTime: Double, labels: [String], statistics: BinStatistics,
        fit: String, normalize: NormalizeConfiguration, statisticsSource: String = "", manifestChecksum: String,
        software: String, extraColumns: [String], storesChannel: Bool = false, storesTruncated: Bool = false,
        storesZeroedSamples: Bool = false, widths: ColumnWidths
    ) {
        self.configuration = configuration
        self.shape = shape
        self.failures = failures
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
        self.software = software
        self.extraColumns = extraColumns
        self.storesChannel = storesChannel
        self.storesTruncated = storesTruncated
        self.storesZeroedSamples = storesZeroedSamples
        self.widths = widths
    }

    /// Whether every clip's statistics are stored: without them its normalisation could not be undone.
    var storesClipStatistics: Bool { normalize.scope == .clip }

    /// The columns of `/clips`.
    var table: ClipTable {
        ClipTable(extra: FeatureFormat.datasetNames(ofColumns: extraColumns)) { column in
            switch column {
            case .channel: storesChannel
            case .truncated: storesTruncated
            case .zeroedSamples: storesZeroedSamples
            case .labelIndex, .sampleRate, .channels, .frameStart, .frameCount: true
            }
        }
    }

    /// The time of the middle of each frame of a block of the fixed layout, in s.
    var times: [Double] { (0..<shape.frames).map { firstFrameTime + Double($0) * framePeriod } }
}

/// The greatest lengths, in bytes of UTF-8, of the texts in a file's columns.
public struct ColumnWidths: Hashable, Sendable {
    /// Of the ids, of stored and failed clips alike.
    public var id: Int
    /// Of the paths, of stored and failed clips alike.
    public var path: Int
    /// Of the labels.
    public var label: Int
    /// Of the splits.
    public var split: Int
    /// Of the manifest's other columns, in its order.
    public var extra: [Int]
    /// Of the reasons of failures.
    public var reason: Int

    /// Keeps the values.
    public init(id: Int, path: Int, label: Int, split: Int, extra: [Int], reason: Int) {
        self.id = id
        self.path = path
        self.label = label
        self.split = split
        self.extra = extra
        self.reason = reason
    }
}
