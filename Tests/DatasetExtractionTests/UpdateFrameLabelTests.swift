import Annotations
import DatasetExtraction
import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import TestSupport
import Testing

/// The names of frame labels in a file that grows or follows its manifest.
struct UpdateFrameLabelTests {
    private let fixture: ExtractionFixture

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<4 { try fixture.record("\(number).wav", samples: 8000, seed: number) }
    }

    /// The manifest and the annotations of recordings, each with one label from 0.2 to 0.7 s.
    private func extraction(
        _ labels: [(Int, String)], output: String = "features.h5", update: Update = .none
    ) throws -> Extraction {
        let marks = labels.map { number, label in
            let times = AnnotationTimes(seconds: AnnotationTimes.Range(start: 0.2, end: 0.7))
            return (path: "\(number).wav", marks: [FrameAnnotations.Mark(times: times, label: label)])
        }
        return try fixture.extraction("path\n" + labels.map { "\($0.0).wav\n" }.joined(), output: output).with {
            $0.update = update
            $0.frameAnnotations = FrameAnnotations(marks)
        }
    }

    /// The names of the labels that frames of each clip have, by the clip's id.
    private func labels(_ file: FeatureReader) throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for clip in try file.allClips() {
            let indices = Set(try #require(try file.frameLabels(of: clip))).subtracting([-1])
            found[clip.id] = indices.map { file.frameLabelNames?[Int($0)] ?? "none" }
        }
        return found
    }

    private static let older = [(0, "b"), (1, "z")]
    private static let grown = [(2, "a"), (0, "b"), (3, "y"), (1, "z")]

    @Test(arguments: [false, true])
    func `names of a file that grows come first in their order, and indices of its frames do not change`(
        isInterrupted: Bool
    ) throws {
        _ = try extraction(Self.older).run()
        let older = try FeatureReader(path: fixture.folder.path("features.h5"))
        let before = try older.frameLabels(of: older.clip(id: "1"))
        let append = try extraction(Self.grown, update: .append)
        if isInterrupted { try fixture.stopBeforeAssembly(append) }
        #expect(try append.run().keptClips == 2)
        let file = try FeatureReader(path: fixture.folder.path("features.h5"))
        #expect(file.frameLabelNames == ["b", "z", "a", "y"])
        #expect(try file.frameLabels(of: file.clip(id: "1")) == before)
        #expect(try labels(file) == ["0": ["b"], "1": ["z"], "2": ["a"], "3": ["y"]])
        #expect(try file.verify().isEmpty)
    }

    @Test(arguments: [false, true])
    func `a file that follows its manifest has the names of a fresh run, without those that are gone`(
        isInterrupted: Bool
    ) throws {
        _ = try extraction(Self.older).run()
        let now = [(2, "a"), (3, "y"), (0, "q")]
        let sync = try extraction(now, update: .sync)
        if isInterrupted { try fixture.stopBeforeAssembly(sync) }
        #expect(try sync.run().keptClips == 1)
        let file = try FeatureReader(path: fixture.folder.path("features.h5"))
        #expect(file.frameLabelNames == ["a", "q", "y"])
        #expect(try labels(file) == ["2": ["a"], "3": ["y"], "0": ["q"]])
        _ = try extraction(now, output: "whole.h5").run()
        #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
    }
}
