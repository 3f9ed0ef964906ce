import FeatureModel

/// What a browser shows: clips with or without stored features. Used by several threads at a time.
protocol BrowsedDataset: Sendable {
    /// What is true of all clips.
    var facts: DatasetFacts { get }

    /// Clips by their numbers, in their order.
    ///
    /// - Throws: `StorageError` or `ManifestError`.
    func clips(_ numbers: Range<Int>) throws -> [BrowsedClip]

    /// The number of the clip with an id; nil: there is none.
    func number(ofID id: String) throws -> Int?

    /// The numbers of the clips of the recording with a path, rising.
    func numbers(ofRecording path: String) throws -> [Int]

    /// Labels of the frames of a clip, in seconds from its start; empty: frames have none.
    func frameLabels(of clip: BrowsedClip) throws -> [Annotation]

    /// Stored values of a clip; nil: it has none.
    ///
    /// - Parameters:
    ///   - times: Seconds from the clip's start; nil: all of it.
    ///   - maximumRows: Of more frames, a row is the mean of several.
    ///   - isUndone: Whether normalisation is undone.
    func values(
        of clip: BrowsedClip, times: ClosedRange<Double>?, maximumRows: Int, isUndone: Bool
    ) throws -> ClipPicture?
}

/// What is true of all clips of a dataset.
struct DatasetFacts: Sendable {
    /// The path that was given.
    let path: String
    /// The files of a set; empty: there is no set.
    let members: [String]
    /// Tells datasets of other clips apart, and the same clips in another order.
    let fingerprint: String
    /// The folder that relative paths of recordings start from.
    let root: String
    /// The number of clips without a failure, and of failures.
    let clipCount, failureCount: Int
    let labels, splits: [String]
    /// Names of the manifest's other columns.
    let columns: [String]
    /// Whether a clip may have several labels.
    let hasSeveralLabels: Bool
    /// Which channels of a recording a clip without a channel of its own is made of.
    let channels: ChannelSelection
    /// How recordings that are cut off, and samples that are not finite, are read.
    let policy: RecordingPolicy
    /// What is stored; nil: nothing.
    var features: FeatureFacts?

    var count: Int { clipCount + failureCount }
    /// The name of the file.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}

/// What is true of stored features.
struct FeatureFacts: Sendable {
    /// What the values are, in words.
    let longName: String
    let units: String
    let bins: Int
    /// Seconds.
    let framePeriod, firstFrameTime: Double
    /// Hz of each bin, rising; nil: bins are no frequencies, or several values belong to each.
    let frequencies: [Float]?
    let scale: FrequencySpacing?
    /// SHA-256 of the corrections that they were made with; nil: none.
    let correctionsChecksum: String?
    /// The values that the least and the greatest colour show.
    let range: ClosedRange<Float>
}

/// How frequencies of bins follow one another.
enum FrequencySpacing: String, Sendable {
    case linear, mel, log
}

/// Values over time: rows of bins.
struct ClipPicture: Sendable {
    let matrix: FeatureMatrix
    /// Seconds from a row to the next, and from the clip's start to the middle of the first row.
    let rowPeriod, firstTime: Double
}
