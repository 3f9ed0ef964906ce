import Essentials
import FeatureModel
import FeatureStorage
import FileIO

/// The contents of a feature file in numbers: the report of `veery inspect`, and its JSON (`Schemas/inspect.schema.json`).
package struct DatasetSummary: Sendable, Encodable {
    /// Clips that have something in common.
    package struct Group: Sendable, Encodable {
        package let name: String
        package internal(set) var clips = 0
        package internal(set) var frames = 0
        /// Their length in seconds.
        package internal(set) var seconds = 0.0
    }

    /// Lengths of clips in seconds; all 0 without clips.
    package struct Durations: Sendable, Encodable {
        package let min: Double
        /// Half are shorter, half longer.
        package let median: Double
        package let max: Double
        /// All together.
        package let total: Double
        /// Nil if no clip has a length.
        package let histogram: DurationHistogram?
    }

    /// Clips whose recordings have the same rate, or the same number of channels.
    package struct Count: Sendable, Encodable {
        /// The rate in Hz, or the number of channels.
        package let value: Int
        package let clips: Int

        package static func list(_ counts: [Int: Int]) -> [Count] {
            counts.sorted { $0.key < $1.key }.map { Count(value: $0.key, clips: $0.value) }
        }
    }

    /// Statistics of each bin before normalisation; as stored where `configuration` normalises a clip before its rows are resized.
    package struct Statistics: Sendable, Encodable {
        /// The split they were taken from; empty: all clips.
        package let fit: String
        /// `metadata_xxh3` of the file whose statistics they are; empty: this file's own.
        package let source: String
        package let count: Int
        /// Centre frequency of each bin in Hz; nil where columns are cepstral coefficients.
        package let frequency: [Double]?
        /// Order of each column's cepstral coefficient; nil where columns are bins.
        package let coefficient: [Int]?
        package let mean: [Double]
        package let std: [Double]
        package let min: [Double]
        package let max: [Double]

        /// Whether frequencies fall from bin to bin of a channel, so that figures show bins in reverse.
        package func isFalling(bins: Int) -> Bool {
            FeatureAxis.frequency((frequency ?? []).prefix(bins).map { Float($0) }).isFalling
        }
    }

    package struct FailureKind: Sendable, Encodable {
        package let stage: ClipFailure.Stage
        /// The failure's kind; nil: files of format 1.0 do not have it.
        package let kind: String?
        package internal(set) var clips: Int
    }

    /// Failures of one kind whose reasons differ in numbers only.
    package struct FailureGroup: Sendable, Encodable {
        package let stage: ClipFailure.Stage
        /// The failures' kind; nil: files of format 1.0 do not have it.
        package let kind: String?
        package let reason: String
        /// The reason of all: numbers in which they differ read "minimum to maximum".
        package internal(set) var pattern: String
        package internal(set) var clips: Int
        package internal(set) var examples: [String]
    }

    package let file: String
    /// Number of the files of a set; nil: it is one file.
    package internal(set) var files: Int?
    /// The size of all files.
    package let bytes: Int
    package let generator: String
    package let formatVersion: String
    package let layout: String
    /// The stored number: `float32` or `float16`.
    package let type: String
    package let compression: String
    /// Frames of every clip's block in the fixed layout; nil in the packed one.
    package let frames: Int?
    /// Rows of the tensor, padding included.
    package let rows: Int
    package let bins: Int
    /// Channels of a row, where the tensor has an axis for them; statistics of columns are then channel after channel.
    package let featureChannels: Int?
    package let units: String
    package let longName: String
    /// Seconds from a frame to the next.
    package let framePeriod: Double
    /// Time of the middle of a clip's first frame in seconds.
    package let firstFrameTime: Double
    package let clips: Int
    /// Clips of each label, in the order of the file's labels.
    package let labels: [Group]
    package let unlabelled: Int
    /// The same clips with their rows and length; not in the JSON.
    package let withoutLabel: Group
    /// All labels of the clips; nil if the file has no label matrix.
    package internal(set) var labelMatrix: LabelMatrixSummary?
    /// Frames by label; nil if frames have none.
    package internal(set) var frameLabels: FrameLabelSummary?
    /// Clips of each split, sorted by name; empty where no clip has one.
    package let splits: [Group]
    /// Clips without a split; not in the JSON.
    package let withoutSplit: Group
    package let durations: Durations
    /// The length that all clips are cropped or padded to; nil: they have their own.
    package let commonLength: CommonLength?
    package let sampleRates: [Count]
    package let channels: [Count]
    /// Clips that end early because their recording is truncated; nil if the file does not say.
    package internal(set) var truncatedClips: Int?
    /// Clips with infinite or NaN samples that were set to 0; nil if the file does not say.
    package internal(set) var zeroedClips: Int?
    /// The number of those samples, in all channels.
    package internal(set) var zeroedSamples: Int?
    package let statistics: Statistics
    package let failures: Int
    package let failuresByKind: [FailureKind]
    /// Failures by reason: those of a kind together, the most frequent first.
    package let failuresByReason: [FailureGroup]
    /// What was read from the manifest and the recordings, but not used.
    package internal(set) var remarks: [RemarkEntry] = []
    /// The remarks and counts of the file; not in the JSON.
    package internal(set) var account = Account()
    package let configuration: FeatureConfiguration
    package let manifestSHA256: String
    /// Nil: the manifest was not corrected.
    package internal(set) var correctionsSHA256: String?
    /// The folder that relative paths of recordings start from, relative to the file's own; nil: the file names none.
    package let root: String?
    /// The files that values of the configuration were read from; nil: none.
    package let configurationFiles: [ConfigurationInput]?
    package let software: [String: String]
    package let extraColumns: [String]

    /// Extents of `/features`.
    package var extents: [Int] {
        let patch = configuration.patches.shape
        let rows = frames ?? self.rows
        if let featureChannels {
            return frames.map { [clips, featureChannels, $0, bins] } ?? [rows, featureChannels, bins]
        }
        let grouped = patch.map {
            $0.isStacked ? [rows / $0.length, $0.length * bins] : [rows / $0.length, $0.length, bins]
        }
        return (frames == nil ? [] : [clips]) + (grouped ?? [rows, bins])
    }

    /// In the JSON these names are in snake case: see `JSONEncoder.reports` of the program.
    private enum CodingKeys: CodingKey {
        case file, files, bytes, generator, formatVersion, layout, type, compression, frames, rows, bins,
            featureChannels,
            units,
            longName
        case framePeriod, firstFrameTime, clips, labels, unlabelled, labelMatrix, frameLabels, splits, durations
        case commonLength, sampleRates, channels, truncatedClips, zeroedClips, zeroedSamples, statistics, failures,
            failuresByKind
        case failuresByReason, remarks, configuration, manifestSHA256, correctionsSHA256, root, configurationFiles,
            software,
            extraColumns
    }
}

/// The length that all clips of a file were cropped or padded to, and how many had another one.
package struct CommonLength: Sendable, Encodable {
    package let seconds: Double
    /// Clips that were longer, and are cropped.
    package internal(set) var longer = 0
    /// Clips that were shorter: in the packed layout they are padded with zeros, in the fixed one they have fewer frames.
    package internal(set) var shorter = 0

    init(seconds: Double) { self.seconds = seconds }

    /// Counts a clip of this many seconds; a difference of less than half a sample is ignored.
    mutating func add(duration: Double, sampleRate: Int) {
        let difference = (duration - seconds) * Double(sampleRate)
        if difference >= 0.5 { longer += 1 } else if difference <= -0.5 { shorter += 1 }
    }
}

extension DatasetSummary {
    static let blockSize = 16_384

    /// Reads a feature file.
    ///
    /// Memory: eight bytes a clip, for the median.
    /// - Throws: `StorageError`, also `.damaged` where the file's configuration cannot be read.
    package init(of reader: FeatureReader) throws {
        try reader.checkMembers()
        var labels = reader.labels.map { Group(name: $0) }
        var splits: [String: Group] = [:]
        var durations: [Double] = []
        var (rates, channels): ([Int: Int], [Int: Int]) = ([:], [:])
        var (truncated, zeroed, zeroedSamples) = (0, 0, 0)
        var (withoutLabel, withoutSplit) = (Group(name: ""), Group(name: ""))
        let path = reader.path
        let configuration = try reader.decodedConfiguration()
        var commonLength = configuration.audio.duration.map(CommonLength.init(seconds:))
        try reader.eachClip { _, clip in
            durations.append(clip.duration)
            if clip.isTruncated { truncated += 1 }
            if clip.zeroedSamples > 0 { zeroed += 1 }
            // A damaged file may hold any number.
            zeroedSamples &+= clip.zeroedSamples
            commonLength?.add(duration: clip.duration, sampleRate: clip.sampleRate)
            rates[clip.sampleRate, default: 0] += 1
            channels[clip.channels, default: 0] += 1
            if labels.indices.contains(clip.labelIndex) {
                labels[clip.labelIndex].add(clip)
            } else {
                withoutLabel.add(clip)
            }
            if clip.split.isEmpty {
                withoutSplit.add(clip)
            } else {
                splits[clip.split, default: Group(name: clip.split)].add(clip)
            }
        }
        let failures = try FailureGrouping(of: reader)
        var account = try reader.accountOfRecordings()
        for remark in reader.remarks where remark.source != RecordingRemarks.source { account.add(remark) }
        self.init(
            file: path, files: reader.set?.files.count,
            bytes: reader.set?.bytes ?? Int(max(FileStamp(path: path).byteCount, 0)),
            generator: reader.generator, formatVersion: reader.formatVersion, layout: reader.shape.layout.rawValue,
            type: reader.shape.element.rawValue, compression: reader.shape.compression.rawValue,
            frames: reader.shape.layout == .fixed ? reader.shape.frames : nil, rows: reader.rows,
            bins: reader.shape.channelBins, featureChannels: reader.shape.channels, units: reader.units,
            longName: reader.longName, framePeriod: reader.framePeriod,
            firstFrameTime: reader.firstFrameTime, clips: reader.clipCount, labels: labels,
            unlabelled: withoutLabel.clips, withoutLabel: withoutLabel, labelMatrix: try LabelMatrixSummary(reader),
            frameLabels: try FrameLabelSummary(reader),
            splits: splits.values.sorted { $0.name < $1.name }, withoutSplit: withoutSplit,
            durations: Durations(durations),
            commonLength: commonLength, sampleRates: Count.list(rates), channels: Count.list(channels),
            truncatedClips: reader.storesTruncated ? truncated : nil,
            zeroedClips: reader.storesZeroedSamples ? zeroed : nil,
            zeroedSamples: reader.storesZeroedSamples ? zeroedSamples : nil, statistics: Statistics(reader),
            failures: reader.failureCount, failuresByKind: failures.kinds, failuresByReason: failures.groups,
            remarks: account.report, account: account,
            configuration: configuration, manifestSHA256: reader.manifestChecksum,
            correctionsSHA256: reader.correctionsChecksum.isEmpty ? nil : reader.correctionsChecksum, root: reader.root,
            configurationFiles: reader.header.inputs.isEmpty ? nil : reader.header.inputs,
            software: try reader.decoded([String: String].self, reader.software, "software"),
            extraColumns: reader.extraColumns)
    }
}

extension FeatureReader {
    /// Calls a closure with each clip's index and numbers, which are read in blocks.
    package func eachClip(_ body: (Int, ClipFigures) -> Void) throws(StorageError) {
        for range in (0..<clipCount).blocks(of: DatasetSummary.blockSize) {
            for (offset, clip) in try figures(range).enumerated() {
                body(range.lowerBound + offset, clip)
            }
        }
    }
}

extension DatasetSummary.Group {
    mutating func add(_ clip: ClipFigures) {
        clips += 1
        frames += clip.frameCount
        seconds += clip.duration
    }
}

extension DatasetSummary.Durations {
    init(_ durations: [Double]) {
        let sorted = durations.sorted()
        let middle = sorted.count / 2
        let median =
            sorted.isEmpty ? 0 : sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        self.init(
            min: sorted.first ?? 0, median: median, max: sorted.last ?? 0, total: durations.reduce(0, +),
            histogram: DurationHistogram(durations))
    }
}

extension DatasetSummary.Statistics {
    init(_ reader: FeatureReader) {
        let statistics = reader.statistics
        // As many entries as the other statistics have.
        func repeated<Value>(_ values: [Value]) -> [Value] {
            (0..<(reader.shape.channels ?? 1)).flatMap { _ in values }
        }
        let (frequency, coefficient): ([Double]?, [Int]?) =
            switch reader.axis {
            case .frequency(let values): (repeated(values.map(Double.init)), nil)
            // A damaged file may hold what is not a whole number.
            case .coefficient(let values): (nil, repeated(values.map { Int(exactly: $0.rounded()) ?? -1 }))
            }
        self.init(
            fit: reader.fit, source: reader.statisticsSource, count: statistics.count, frequency: frequency,
            coefficient: coefficient,
            mean: statistics.mean, std: statistics.standardDeviation, min: statistics.minimum.map(Double.init),
            max: statistics.maximum.map(Double.init))
    }
}
