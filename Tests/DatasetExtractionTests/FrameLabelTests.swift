import Annotations
import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import Manifests
import SignalProcessing
import TestSupport
import Testing

@testable import DatasetExtraction

struct FrameLabelTests {
    private static func mark(_ start: Double, _ end: Double, _ label: String) -> FrameAnnotations.Mark {
        FrameAnnotations.Mark(
            times: AnnotationTimes(seconds: AnnotationTimes.Range(start: start, end: end)), label: label)
    }

    /// The label at a time in nanoseconds, found by looking at every annotation.
    private static func label(_ marks: [FrameAnnotations.Mark], at time: Int) -> String? {
        var best: (start: Int, label: String)?
        for mark in marks {
            guard let range = mark.times.seconds else { continue }
            let (start, end) = (Nanoseconds.of(range.start), Nanoseconds.of(range.end))
            if start <= time, time < end, start >= best?.start ?? .min { best = (start, mark.label) }
        }
        return best?.label
    }

    @Test(arguments: 0..<60)
    func `pieces are what looking at every annotation gives, however they overlap`(seed: Int) {
        var random = RandomSource(seed: UInt64(seed))
        // Few distinct times, so that many are equal.
        func time() -> Double { Double(random.next() % 25) / 8 }
        let marks = (0..<Int(random.next() % 30)).map { index in
            let (one, other) = (time(), time())
            return Self.mark(min(one, other), max(one, other), ["a", "b", "c", ""][index % 4])
        }
        let annotations = FrameAnnotations([("r", marks)])
        let track = FrameTrack(annotations.recording("r").map { annotations.entries(of: $0) } ?? [], rate: 8000)
        #expect(zip(track.starts, track.ends).allSatisfy { $0 < $1 })
        #expect(zip(track.ends, track.starts.dropFirst()).allSatisfy { $0 <= $1 })
        for step in 0..<60 {
            let now = step * 62_500_000
            let piece = track.firstPiece(after: now)
            let found =
                piece < track.starts.count && track.starts[piece] <= now
                ? annotations.names[Int(track.names[piece])] : nil
            #expect(found == Self.label(marks, at: now), "at \(now)")
        }
    }

    @Test func `names are sorted by their bytes, and recordings told apart by theirs`() {
        let annotations = FrameAnnotations([
            ("e\u{301}.wav", [Self.mark(0, 1, "z"), Self.mark(1, 2, "")]), ("é.wav", [Self.mark(0, 1, "Z")]),
            ("none.wav", []),
        ])
        #expect(annotations.names == ["", "Z", "z"] && annotations.count == 3)
        #expect(annotations.recording("e\u{301}.wav") == 0 && annotations.recording("é.wav") == 1)
        #expect(annotations.recording("none.wav") == nil)
    }

    @Test func `another time, label, path or order is another checksum`() {
        let base = [Self.mark(0, 1, "a"), Self.mark(0.5, 2, "b")]
        let sums = [
            [("r", base)], [("s", base)], [("r", [base[1], base[0]])], [("r", [base[0]])], [],
            [("r", [Self.mark(0, 1, "b"), base[1]])], [("r", [Self.mark(0, 1.000001, "a"), base[1]])],
            [
                (
                    "r",
                    [
                        FrameAnnotations.Mark(
                            times: AnnotationTimes(
                                seconds: base[0].times.seconds,
                                samples: AnnotationTimes.Range(start: 0, end: 8000)), label: "a"), base[1],
                    ]
                )
            ],
        ].map { FrameAnnotations($0).sha256 }
        #expect(Set(sums).count == sums.count && sums.allSatisfy { $0.count == 64 })
        #expect(FrameAnnotations([("r", base), ("x", [])]).sha256 == sums[0])
    }

    /// The labels of a clip's frames.
    private func labels(
        _ annotations: FrameAnnotations, _ plan: FeaturePlan, _ measurement: ClipMeasurement, frames: Int
    ) -> [Int32] {
        var found: [Int32] = []
        _ = FrameLabeler(annotations, plan).label("r", channel: nil, measurement, frames: frames) {
            (labels: UnsafeBufferPointer<Int32>) throws(Never) in found += labels
        }
        return found
    }

    @Test(arguments: [8000, 11_025, 44_100, 128_000, 256_000])
    func `an annotation has its start and not its end, to the sample, at rates whose samples are not whole nanoseconds`(
        rate: Int
    ) throws {
        let configuration = try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: rate),
            frame: FrameConfiguration(
                length: .samples(64), hop: .samples(1), fftLength: 64, align: .center),
            transform: .mel(MelConfiguration(bins: 4, high: Double(rate) / 2)), scale: ScaleConfiguration())
        let plan = try FeaturePlan(configuration, sampleRate: Double(rate))
        let clip = ClipMeasurement(sampleRate: rate, channels: 1, start: 0, duration: 1200 / Double(rate))
        for onset in [3, 7, 1001] {
            let (start, end) = (Double(onset), Double(onset + 5))
            let samples = AnnotationTimes.Range(start: start, end: end)
            let seconds = AnnotationTimes.Range(start: start / Double(rate), end: end / Double(rate))
            for times in [AnnotationTimes(seconds: nil, samples: samples), AnnotationTimes(seconds: seconds)] {
                let marks = [FrameAnnotations.Mark(times: times, label: "a")]
                let found = labels(FrameAnnotations([("r", marks)]), plan, clip, frames: 1300)
                let labelled = found.indices.filter { found[$0] == 0 }
                #expect(labelled == Array(onset..<onset + 5), "\(rate) Hz, \(onset)")
            }
        }
        // What follows the clip is not in it.
        let whole = labels(FrameAnnotations([("r", [Self.mark(0, 1e6, "a")])]), plan, clip, frames: 1300)
        #expect(whole.filter { $0 == 0 }.count == 1200 && whole[1200] == -1)
    }

    @Test func `known names keep their indices, new ones follow`() throws {
        let plan = try FeaturePlan(ExtractionFixture.configuration(), sampleRate: 8000)
        let annotations = FrameAnnotations([("r", [Self.mark(0, 0.5, "b"), Self.mark(0.5, 1, "a")])])
        let labeler = FrameLabeler(annotations, plan, known: ["z", "b"])
        #expect(labeler.names == ["z", "b", "a"])
    }

    @Test(arguments: [1, 3])
    func `the file is the same for any number of workers, and after an interruption`(jobs: Int) throws {
        let fixture = try ExtractionFixture()
        for index in 0..<6 { try fixture.record("\(index).wav", samples: 9000 + 100 * index, seed: index) }
        let lists = ["a|b", "b", "", "c", "a|b", "b"]
        let manifest = "path,labels\n" + lists.indices.map { "\($0).wav,\(lists[$0])\n" }.joined()
        let marks = [Self.mark(0.1, 0.6, "x"), Self.mark(0.3, 0.4, "y")]
        let annotations = FrameAnnotations(lists.indices.map { (path: "\($0).wav", marks: marks) })
        func extraction(_ output: String, _ jobs: Int) throws -> Extraction {
            let base = try fixture.extraction(manifest, output: output, jobs: jobs)
            var options = base.options
            options.frameAnnotations = annotations
            return Extraction(base.plan, json: base.configuration, source: base.source, options: options)
        }
        _ = try extraction("one.h5", 1).run()
        let again = try extraction("again.h5", jobs)
        _ = try fixture.interrupt(again, after: 3)
        _ = try extraction("again.h5", jobs).run()
        #expect(try fixture.bytes("one.h5") == fixture.bytes("again.h5"))
        let file = try FeatureReader(path: fixture.folder.path("again.h5"))
        #expect(try file.verify().isEmpty)
        #expect(file.frameLabelNames == ["x", "y"] && file.labels == ["a", "b", "c"] && file.storesLabelMatrix)
        #expect(try file.allClips().map(\.labelIndices) == [[0, 1], [1], [], [2], [0, 1], [1]])
        #expect(try file.indices(withLabel: "b") == [0, 1, 4, 5])
        let clip = try file.clip(at: 2)
        let labels = try #require(try file.frameLabels(of: clip))
        #expect(labels.count == clip.frameCount && Set(labels) == [-1, 0, 1])
    }
}
