import Essentials
import FeatureModel
import FeatureStorage
import FileIO

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
            software: try reader.decoded([String: String].self, reader.software, "software"),
            extraColumns: reader.extraColumns)
    }
}

extension FeatureReader {
    /// Calls a closure with each clip's index and figures, which are read in blocks.
    package func eachClip(_ body: (Int, ClipFigures) -> Void) throws(StorageError) {
        for start in stride(from: 0, to: clipCount, by: DatasetSummary.blockSize) {
            for (offset, clip) in try figures(start..<min(start + DatasetSummary.blockSize, clipCount)).enumerated() {
                body(start + offset, clip)
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
        // As many entries as the other figures have.
        func repeated<Value>(_ values: [Value]) -> [Value] {
            (0..<(reader.shape.channels ?? 1)).flatMap { _ in values }
        }
        let (frequency, coefficient): ([Double]?, [Int]?) =
            switch reader.axis {
            case .frequency(let values): (repeated(values.map(Double.init)), nil)
            // A damaged file may hold what is no whole number.
            case .coefficient(let values): (nil, repeated(values.map { Int(exactly: $0.rounded()) ?? -1 }))
            }
        self.init(
            fit: reader.fit, source: reader.statisticsSource, count: statistics.count, frequency: frequency,
            coefficient: coefficient,
            mean: statistics.mean, std: statistics.standardDeviation, min: statistics.minimum.map(Double.init),
            max: statistics.maximum.map(Double.init))
    }
}
