import Annotations
import DatasetExtraction
import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import Manifests
import TestSupport
import Testing

/// A finished output that was made otherwise: the whole run and each of its tasks refuse it, or replace it with `--overwrite`. None
/// says that its work is done already.
struct FinishedOutputTests {
    private let fixture: ExtractionFixture

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<6 { try fixture.record("\(number).wav", samples: 5000 + 500 * number, seed: number) }
        for number in 4..<6 {
            _ = try fixture.extraction(
                "path,split\n\(number).wav,train\n", Self.configuration(), output: "stats-\(number).h5"
            ).run()
        }
        // A field in quotation marks means two things in a TSV.
        let rows = (0..<8).map { "\($0)\t\($0 % 4).wav\ttrain\t\"label \($0 % 3)\"\n" }.joined()
        _ = try fixture.folder.write("id\tpath\tsplit\tlabel\n" + rows, to: "clips.tsv")
    }

    private static func configuration(fit: String = "train") throws -> FeatureConfiguration {
        try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: .dataset, fit: fit))
    }

    /// What is not as it was when the output was made.
    enum Difference: CaseIterable, Sendable {
        case configuration, manifest
        case otherStatistics, givenStatistics, ownStatistics
        case truncated, nonFinite
        case otherLabels, labelsOfFrames, noLabelsOfFrames
        case quoting
    }

    /// The run as a whole, or a task of it.
    enum Task: CaseIterable, Sendable {
        case run, shard, set, file
        var files: Int? { self == .set || self == .file ? 2 : nil }
    }

    /// What is run before or after something became different.
    private func extraction(
        _ difference: Difference, isChanged: Bool, _ task: Task, output: String = "features.h5", overwrite: Bool = false
    ) throws -> Extraction {
        func statistics(_ number: Int) throws -> ImportedStatistics {
            try ImportedStatistics(path: fixture.folder.path("stats-\(number).h5"))
        }
        func annotations(_ label: String) -> FrameAnnotations {
            let times = AnnotationTimes(seconds: AnnotationTimes.Range(start: 0.1, end: 0.4))
            return FrameAnnotations([("0.wav", [FrameAnnotations.Mark(times: times, label: label)])])
        }
        let configuration = try Self.configuration(fit: difference == .configuration && isChanged ? "" : "train")
        if difference == .manifest, isChanged {
            let path = fixture.folder.path("clips.tsv")
            let text = try String(contentsOfFile: path, encoding: .utf8)
            _ = try fixture.folder.write(text.replacing("label 2", with: "label 4"), to: "clips.tsv")
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        var options = ExtractionOptions(
            output: fixture.folder.path(output), files: task.files, root: fixture.folder.url.path, jobs: 2,
            overwrite: overwrite)
        switch (difference, isChanged) {
        case (.otherStatistics, _): options.statistics = try statistics(isChanged ? 5 : 4)
        case (.givenStatistics, true), (.ownStatistics, false): options.statistics = try statistics(4)
        case (.truncated, true): options.policy = RecordingPolicy(truncated: .keep)
        case (.nonFinite, true): options.policy = RecordingPolicy(nonFinite: .zero)
        case (.otherLabels, _): options.frameAnnotations = annotations(isChanged ? "song" : "call")
        case (.labelsOfFrames, true), (.noLabelsOfFrames, false): options.frameAnnotations = annotations("call")
        default: break
        }
        return try Extraction(
            configuration, json: String(decoding: encoder.encode(configuration), as: UTF8.self),
            source: Manifest.scan(
                path: fixture.folder.path("clips.tsv"),
                format: difference == .quoting && isChanged ? .quotedTSV : .tsv),
            options: options)
    }

    /// Whether the task finds its work done.
    private func findsDone(_ task: Task, _ extraction: Extraction) throws -> Bool {
        switch task {
        case .run, .set: return try extraction.run().wasUpToDate
        case .shard:
            let summary = try extraction.run(try #require(Shard(number: 1, count: 2)))
            return summary.wasDone || summary.isInOutput
        case .file: return try extraction.run(try #require(SetFile(number: 1, count: 2))).wasDone
        }
    }

    @Test(arguments: Difference.allCases, Task.allCases)
    func `is refused or replaced by the run and by each task`(difference: Difference, task: Task) throws {
        _ = try extraction(difference, isChanged: false, task).run()
        let before = try fixture.outputs()
        #expect(try findsDone(task, extraction(difference, isChanged: false, task)))
        #expect(try fixture.outputs() == before)

        let changed = try extraction(difference, isChanged: true, task)
        #expect(thrownCase { try findsDone(task, changed) } == "outputExists")
        #expect(try fixture.outputs() == before)

        let replacing = try extraction(difference, isChanged: true, task, overwrite: true)
        if task == .file { try fixture.computeShards(2, of: replacing) }
        #expect(try !findsDone(task, replacing))
        guard task != .shard else { return }
        if task == .file { _ = try replacing.run(try #require(SetFile(number: 2, count: 2))) }
        let whole = try extraction(difference, isChanged: true, task, output: "whole.h5")
        _ = try whole.run()
        for ending in task.files == nil ? [".h5"] : ["-00001-of-00002.h5", "-00002-of-00002.h5"] {
            #expect(try fixture.bytes("features" + ending) == fixture.bytes("whole" + ending))
        }
        #expect(try !fixture.outputs().keys.contains { $0.contains(".shards") || $0.contains(".spool") })
    }

    @Test(arguments: Difference.allCases)
    func `a file of a set that has no index yet is refused, too`(difference: Difference) throws {
        _ = try extraction(difference, isChanged: false, .set).run()
        try FileManager.default.removeItem(atPath: fixture.folder.path("features.index.json"))
        let changed = try extraction(difference, isChanged: true, .file)
        try fixture.computeShards(2, of: changed)
        let before = try fixture.bytes("features-00001-of-00002.h5")
        #expect(thrownCase { try findsDone(.file, changed) } == "outputExists")
        #expect(thrownCase { try changed.run() } == "outputExists")
        #expect(try fixture.bytes("features-00001-of-00002.h5") == before)
    }

    @Test func `another file of equal length and counts in a set is found by the run as a whole`() throws {
        // Clips of equal lengths, so that the files of the set differ in nothing but bytes.
        for number in 0..<4 { try fixture.record("\(number).wav", samples: 5000, seed: number) }
        let manifest = "id,path\n" + (0..<8).map { "\($0),\($0 / 2).wav\n" }.joined()
        let set = try fixture.extraction(manifest).with { $0.files = 2 }
        _ = try set.run()
        let paths = ["features-00001-of-00002.h5", "features-00002-of-00002.h5"]
        let (first, second) = (try fixture.bytes(paths[0]), try fixture.bytes(paths[1]))
        try #require(first.count == second.count && first != second)
        try RawFile.write(first, to: fixture.folder.path(paths[1]))
        #expect(thrownCase { try set.run() } == "outputExists")
        _ = try set.with { $0.overwrite = true }.run()
        #expect(try fixture.bytes(paths[0]) == first && fixture.bytes(paths[1]) == second)
    }
}
