import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import TestSupport
import Testing

@testable import DatasetInspection

struct DatasetSummaryTests {
    private let fixture: ExtractionFixture

    init() throws {
        fixture = try ExtractionFixture()
        for (name, samples) in [("1", 800), ("2", 1600), ("3", 4000), ("4", 8000)] {
            try fixture.record("\(name).wav", samples: samples, channels: name == "4" ? 2 : 1, seed: samples)
        }
    }

    private func summary(_ manifest: String) throws -> DatasetSummary {
        try DatasetSummary(of: fixture.extract(manifest))
    }

    @Test func `lengths have their median, of an odd and of an even number of clips`() throws {
        let odd = try summary("path\n4.wav\n1.wav\n2.wav\n").durations
        #expect(odd.min == 0.1 && odd.median == 0.2 && odd.max == 1 && abs(odd.total - 1.3) < 1e-12)
        #expect(odd.histogram?.counts.reduce(0, +) == 3 && odd.histogram?.edges.last == 1)
        try FileManager.default.removeItem(atPath: fixture.folder.path("features.h5"))
        let even = try summary("path\n4.wav\n1.wav\n2.wav\n3.wav\n").durations
        #expect(even.min == 0.1 && abs(even.median - 0.35) < 1e-12 && even.max == 1)
    }

    @Test func `clips are counted by label, split, rate and channels`() throws {
        try fixture.record("fast.wav", samples: 2400, rate: 16_000)
        let summary = try summary(
            """
            path,label,split,note
            4.wav,wren,train,x
            fast.wav,,test,
            1.wav,owl,,
            2.wav,wren,train,
            gone.wav,tit,train,
            """)
        #expect(summary.labels.map(\.name) == ["owl", "tit", "wren"] && summary.labels.map(\.clips) == [1, 0, 2])
        #expect(summary.labels.map(\.frames) == [5, 0, 61 + 11] && abs(summary.labels[2].seconds - 1.2) < 1e-12)
        let (unlabelled, unsplit) = (summary.withoutLabel, summary.withoutSplit)
        #expect(
            summary.unlabelled == 1 && unlabelled.clips == 1 && unlabelled.frames == 8 && unlabelled.seconds == 0.15)
        #expect(unsplit.clips == 1 && unsplit.frames == 5 && unsplit.seconds == summary.labels[0].seconds)
        #expect(summary.splits.map(\.name) == ["test", "train"] && summary.splits.map(\.clips) == [1, 2])
        #expect(summary.sampleRates.map(\.value) == [8000, 16_000] && summary.sampleRates.map(\.clips) == [3, 1])
        #expect(summary.channels.map(\.value) == [1, 2] && summary.channels.map(\.clips) == [3, 1])
        #expect(summary.clips == 4 && summary.failures == 1 && summary.bins == 12 && summary.extraColumns == ["note"])
        #expect(summary.rows == summary.labels.reduce(0) { $0 + $1.frames } + 8)
        #expect(try summary.bytes == fixture.bytes("features.h5").count)
        #expect(summary.statistics.count == 61 + 11 && summary.statistics.frequency?.count == 12)
        #expect(try summary.configuration == ExtractionFixture.configuration())
        var software = summary.software
        #expect(software.removeValue(forKey: "transform")?.hasPrefix("lanes ") == true)
        #expect(Set(software.keys) == ["veery", "libsndfile", "hdf5", "libdeflate", "soxr"])
        #expect(software.values.allSatisfy { $0.first?.isNumber == true })
    }

    @Test func `failures are grouped by kind, and by reason except for its numbers, the most frequent first`() throws {
        for clip in 0..<7 { try fixture.record("short-\(clip).wav", samples: 10 + clip * 13) }
        var manifest = "id,path,channel\ngone,gone.wav,\n"
        for clip in 0..<7 { manifest += "s\(clip),short-\(clip).wav,\n" }
        manifest += "c5,1.wav,5\nc17,1.wav,17\n"
        manifest += "text,text.csv,\n"
        _ = try fixture.folder.write("text", to: "text.csv")
        let summary = try summary(manifest)
        let kinds = summary.failuresByKind
        #expect(kinds.map(\.kind) == ["too_short", "no_such_channel", "cannot_open", "not_decodable"])
        #expect(kinds.map(\.stage) == [.transform, .condition, .open, .open] && kinds.map(\.clips) == [7, 2, 1, 1])
        let groups = summary.failuresByReason
        #expect(groups.map(\.kind) == kinds.map(\.kind))
        #expect(groups.map(\.clips) == [7, 2, 1, 1])
        #expect(groups[0].examples == ["s0", "s1", "s2", "s3", "s4"] && groups[0].reason.contains("found 10"))
        #expect(groups[0].pattern.contains("found 10 to 88"))
        #expect(groups[1].examples == ["c5", "c17"])
        #expect(groups[1].reason.contains("5") && groups[1].pattern.contains("5 to 17"))
        #expect(groups[2].pattern == groups[2].reason)
    }

    @Test func `clips of another than the common length are counted`() throws {
        #expect(try summary("path\n4.wav\n").commonLength == nil)
        for layout in StoreConfiguration.Layout.allCases {
            let base = try ExtractionFixture.configuration()
            let configuration = try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: 8000, duration: 0.5), frame: base.frame,
                transform: base.transform,
                scale: base.scale, normalize: base.normalize, store: StoreConfiguration(layout: layout))
            let file = try fixture.extract(
                "path\n1.wav\n2.wav\n3.wav\n4.wav\n", configuration, output: "\(layout).h5")
            let common = try #require(DatasetSummary(of: file).commonLength)
            #expect(common.seconds == 0.5 && common.shorter == 2 && common.longer == 1)
        }
    }

    @Test func `a file without clips has statistics of zero`() throws {
        _ = try fixture.folder.write("noise", to: "noise.wav")
        let summary = try summary("path\nnoise.wav\n")
        #expect(
            summary.durations.median == 0 && summary.durations.max == 0 && summary.clips == 0 && summary.failures == 1)
        #expect(summary.splits.isEmpty && summary.sampleRates.isEmpty)
    }

    @Test func `a recording alone has the features that extraction gives it`() throws {
        for scope in [NormalizeConfiguration.Scope.none, .clip] {
            let configuration = try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: scope))
            let file = try fixture.extract(
                "id,path,start,end,channel\nc,4.wav,0.2,0.9,1\n", configuration, output: "\(scope).h5")
            let alone = try RecordingFeatures(
                path: fixture.folder.path("4.wav"), segment: Segment(start: 0.2, end: 0.9), channel: 1,
                configuration: configuration)
            #expect(try alone.matrix == file.rows(0..<file.rows))
            #expect(alone.recording.duration == 0.7 && alone.recording.channels == 2)
        }
        let failure = #expect(throws: ClipFailure.self) {
            try RecordingFeatures(
                path: fixture.folder.path("1.wav"), segment: Segment(start: 0.09, end: nil),
                configuration: ExtractionFixture.configuration())
        }
        #expect(failure?.stage == .transform)
    }
}
