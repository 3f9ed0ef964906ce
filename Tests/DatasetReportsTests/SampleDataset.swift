import Concurrency
import DatasetExtraction
import DatasetInspection
import FeatureModel
import FeatureStorage
import Foundation
import Manifests
import TestSupport

@testable import DatasetReports

/// A small feature file with what a report has to find, and the report of it.
struct SampleDataset {
    let folder: TemporaryFolder
    let reader: FeatureReader

    /// Names that a page must not take for anything but names.
    static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "quote\"\u{301} onmouseover=alert(1) x='",
        "{{style}} {{{script}}}", "emoji 🐦‍⬛ 鳥", String(repeating: "long ", count: 1000), "line\nbreak\u{202E}turned",
    ]

    /// - Parameter labels: A label for each of a dozen clips or more.
    init(
        labels: [String] = ["owl", "wren"], normalize: NormalizeConfiguration = NormalizeConfiguration(fit: ""),
        topDB: Double? = nil
    ) throws {
        folder = try TemporaryFolder()
        var random = RandomSource(seed: 4)
        var rows: [[String: String]] = []
        for clip in 0..<max(12, labels.count) {
            let samples = random.samples(1200 + 100 * (clip % 5)).map { $0 * 0.4 }
            try folder.writeWave([clip == 2 ? samples.map { _ in 0 } : samples], sampleRate: 8000, to: "\(clip).wav")
            rows.append([
                "path": "\(clip).wav", "label": labels[clip % labels.count], "split": clip % 3 == 0 ? "test" : "train",
            ])
        }
        rows.append(["path": "4.wav", "id": "leak", "label": labels[0], "split": "test"])
        rows.append(["path": "gone.wav", "label": labels[0], "split": "test"])
        let lines = try rows.map {
            String(decoding: try JSONSerialization.data(withJSONObject: $0, options: .sortedKeys), as: UTF8.self)
        }
        let manifest = try folder.write(lines.joined(separator: "\n") + "\n", to: "m.jsonl")
        let configuration = try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 8000),
            frame: FrameConfiguration(length: .samples(256), hop: .samples(128), fftLength: 256),
            transform: .mel(MelConfiguration(bins: 12, high: 4000)), scale: ScaleConfiguration(topDB: topDB),
            normalize: normalize)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let json = String(decoding: try encoder.encode(configuration), as: UTF8.self)
        let options = ExtractionOptions(
            output: folder.path("f.h5"), root: folder.url.path, jobs: 2)
        _ = try Extraction(
            configuration, json: json, source: Manifest.scan(path: manifest, format: .jsonLines), options: options
        ).run(
            progress: ExtractionProgress(), cancellation: Cancellation())
        reader = try FeatureReader(path: folder.path("f.h5"))
    }

    func report(root: String? = nil, jobs: Int = 2, blocks: RowBlocks = .standard) throws -> DatasetReport {
        try DatasetReport.take(
            reader, configurationText: { _ in "version: 1\nframe: {hop: <128>}\n" }, root: root ?? folder.url.path,
            jobs: jobs, blocks: blocks)
    }
}
