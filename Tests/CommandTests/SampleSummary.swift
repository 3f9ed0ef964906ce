import FeatureModel

@testable import DatasetInspection

/// Summaries of files that need not exist.
enum SampleSummary {
    static func make(
        file: String = "speech.h5", labels: [(String, Int)] = [("owl", 3), ("wren", 1)], unlabelled: Int = 0,
        splits: [(String, Int)] = [("train", 4)], withoutSplit: Int = 0, durations: [Double] = [1, 2, 3, 4],
        frames: Int? = nil,
        commonLength: CommonLength? = nil, means: [Double] = (0..<80).map(Double.init),
        failures: [DatasetSummary.FailureGroup] = [], extraColumns: [String] = []
    ) throws -> DatasetSummary {
        func group(_ name: String, _ clips: Int) -> DatasetSummary.Group {
            DatasetSummary.Group(name: name, clips: clips, frames: 98 * clips, seconds: Double(clips))
        }
        let clips = labels.reduce(unlabelled) { $0 + $1.1 }
        var kinds: [DatasetSummary.FailureKind] = []
        for group in failures {
            if kinds.last?.kind != group.kind {
                kinds.append(.init(stage: group.stage, kind: group.kind, clips: 0))
            }
            kinds[kinds.count - 1].clips += group.clips
        }
        return DatasetSummary(
            file: file, bytes: 123_456_789, generator: "veery 0.1.0", formatVersion: "1.1", layout: "packed",
            type: "float32", compression: "none", frames: frames, rows: 98 * clips, bins: means.count,
            featureChannels: nil,
            units: "zscore of ln(power)", longName: "mel spectrogram", framePeriod: 0.01, firstFrameTime: 0.0125,
            clips: clips, labels: labels.map(group), unlabelled: unlabelled,
            withoutLabel: group("", unlabelled), splits: splits.map(group), withoutSplit: group("", withoutSplit),
            durations: DatasetSummary.Durations(durations), commonLength: commonLength,
            sampleRates: [.init(value: 16_000, clips: clips)], channels: [.init(value: 1, clips: clips)],
            statistics: DatasetSummary.Statistics(
                fit: "train", source: "", count: 98 * clips, frequency: means.indices.map { 100 * Double($0) },
                coefficient: nil, mean: means, std: means.map { _ in 1 }, min: means.map { $0 - 5 },
                max: means.map { $0 + 5 }),
            failures: failures.reduce(0) { $0 + $1.clips }, failuresByKind: kinds, failuresByReason: failures,
            configuration: try Preset.logMel.configuration(), manifestSHA256: String(repeating: "a1", count: 32),
            root: "../audio", configurationFiles: nil,
            software: [
                "fftw": "3.3.10", "hdf5": "1.14.4", "libdeflate": "1.22", "libsndfile": "1.2.2", "soxr": "0.1.3",
            ],
            extraColumns: extraColumns)
    }
}
