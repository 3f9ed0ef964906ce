import FeatureModel

/// Everything in a feature file besides rows, clips and failures.
public struct FeatureFileHeader: Sendable {
    /// The configuration as JSON.
    public var configuration: String
    /// Number of rows of `/features`.
    public var rows: Int
    /// Number of stored clips.
    public var clips: Int
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
    /// SHA-256 of the manifest, hexadecimal.
    public var manifestChecksum: String
    /// Versions of the software, as JSON.
    public var software: String
    /// The manifest's other columns.
    public var extraColumns: [String]
    /// How wide the columns of text are.
    public var widths: ColumnWidths

    /// Keeps the values.
    public init(
        configuration: String, rows: Int, clips: Int, failures: Int, axis: FeatureAxis, units: String,
        longName: String, framePeriod: Double, firstFrameTime: Double, labels: [String], statistics: BinStatistics,
        fit: String, manifestChecksum: String, software: String, extraColumns: [String], widths: ColumnWidths
    ) {
        self.configuration = configuration
        self.rows = rows
        self.clips = clips
        self.failures = failures
        self.axis = axis
        self.units = units
        self.longName = longName
        self.framePeriod = framePeriod
        self.firstFrameTime = firstFrameTime
        self.labels = labels
        self.statistics = statistics
        self.fit = fit
        self.manifestChecksum = manifestChecksum
        self.software = software
        self.extraColumns = extraColumns
        self.widths = widths
    }
}
