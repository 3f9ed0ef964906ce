import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import TestSupport
import Testing

@testable import DatasetExtraction

/// `veery extract --sync`: what is copied and what is computed make the bytes of a fresh run.
struct SyncTests {
    private let fixture: ExtractionFixture
    private static let header = "id,path,label,split,note\n"
    private static let before =
        header
        + (0..<20).map { number in
            let (name, split) = (number == 7 ? "late" : "\(number % 6)", number % 4 == 3 ? "test" : "train")
            return "c\(number),\(name).wav,label \(number % 3),\(split),n\n"
        }.joined()
    /// Without some clips, with others, in another order, with other labels.
    private static let after =
        header
        + [
            "new-0,5.wav,label 9,train,x", "c12,0.wav,label 0,test,a longer note", "c3,3.wav,label 0,test,n",
            "gone,gone.wav,label 1,test,x", "c7,late.wav,label 1,train,n", "c2,2.wav,another,train,n",
            "c19,1.wav,label 1,test,n", "c18,0.wav,label 0,train,n", "c1,1.wav,label 1,train,n", "new-1,0.wav,,,",
        ].map { $0 + "\n" }.joined()

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<6 { try fixture.record("\(number).wav", samples: 4000 + 700 * number, seed: number) }
    }

    private static let stores: [StoreConfiguration] = [.packed, .fixed].flatMap { layout in
        [.float32, .float16].flatMap { element in
            [.none, .deflate].map { StoreConfiguration(layout: layout, element: element, compression: $0) }
        }
    }

    private func configuration(
        _ scope: NormalizeConfiguration.Scope, _ store: StoreConfiguration = StoreConfiguration()
    ) throws -> FeatureConfiguration {
        try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 8000, duration: store.layout == .fixed ? 0.7 : nil),
            frame: FrameConfiguration(length: .samples(256), hop: .samples(128), fftLength: 256),
            transform: .mel(MelConfiguration(bins: 12, high: 4000)), scale: ScaleConfiguration(),
            normalize: NormalizeConfiguration(scope: scope), store: store)
    }

    @Test(arguments: stores)
    func `a sync there and back gives the bytes of fresh runs, in every layout`(store: StoreConfiguration) throws {
        for scope in [NormalizeConfiguration.Scope.none, .clip] {
            let configuration = try configuration(scope, store)
            try? FileManager.default.removeItem(atPath: fixture.folder.path("late.wav"))
            _ = try fixture.extraction(Self.before, configuration, overwrite: true).run()
            let first = try fixture.bytes("features.h5")
            try fixture.record("late.wav", samples: 9000, seed: 40)
            try fixture.record("3.wav", samples: 6100, seed: 41)
            let there = try fixture.extraction(Self.after, configuration, sync: true).run()
            let changes = try #require(there.changes)
            if scope == .none, store.element == .float16 {
                // Rounded rows do not tell the statistics of a clip.
                #expect(there.keptClips == 0 && changes.replacesStatistics && changes.count(.added) == 3)
                _ = try fixture.extraction(Self.after, configuration, output: "whole.h5", overwrite: true).run()
                #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
                #expect(try fixture.extraction(Self.after, configuration, sync: true).run().wasUpToDate)
                try FileManager.default.removeItem(atPath: fixture.folder.path("late.wav"))
                #expect(throws: ExtractionError.self) {
                    try fixture.extraction(Self.before, configuration, sync: true).run()
                }
                #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
                try fixture.record("3.wav", samples: 4000 + 700 * 3, seed: 3)
                continue
            }
            #expect(there.keptClips == 5 && there.clips == 9 && there.failures == 1)
            #expect(changes.count(.added) == 3 && changes.count(.removed) == 13 && changes.count(.retried) == 1)
            #expect(changes.ids(.recomputed) == ["c3"] && changes.ids(.relabelled) == ["c2"])
            #expect(changes.ids(.resplit) == ["c12"] && changes.ids(.edited) == ["c12"])
            _ = try fixture.extraction(Self.after, configuration, output: "whole.h5", overwrite: true).run()
            #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))

            try FileManager.default.removeItem(atPath: fixture.folder.path("late.wav"))
            try fixture.record("3.wav", samples: 4000 + 700 * 3, seed: 3)
            // A stored clip whose recording is missing is kept, and not compared.
            let kept = try fixture.extraction(Self.before, configuration, sync: true).run()
            var missing = ClipsOfRecordings()
            missing.add("late.wav")
            #expect(kept.warnings == [missing.warningOfMissing] && kept.failures == 0)
            try RawFile.write(Data(), to: fixture.folder.path("late.wav"))
            _ = try fixture.extraction(Self.before, configuration, sync: true).run()
            try FileManager.default.removeItem(atPath: fixture.folder.path("late.wav"))
            _ = try fixture.extraction(Self.before, configuration, sync: true).run()
            #expect(try fixture.bytes("features.h5") == first)
            #expect(try fixture.extraction(Self.before, configuration, sync: true).run().wasUpToDate)
            #expect(try fixture.leftovers() == ["features.h5"])
        }
    }

    @Test func `an interrupted sync leaves the older file, continues, and makes the same bytes`() throws {
        for scope in [NormalizeConfiguration.Scope.none, .dataset] {
            let configuration = try configuration(scope)
            _ = try fixture.extraction(Self.before, configuration, overwrite: true).run()
            let older = try fixture.bytes("features.h5")
            try fixture.record("3.wav", samples: 6100, seed: 41)
            let many = Self.after + (0..<400).map { "m\($0),\($0 % 6).wav,label 1,train,x\n" }.joined()
            _ = try fixture.extraction(many, configuration, jobs: 3, sync: true).run()
            let expected = try fixture.bytes("features.h5")
            try older.write(to: URL(filePath: fixture.folder.path("features.h5")))
            var stops = 0
            for after in [50, 150, 300] {
                let extraction = try fixture.extraction(many, configuration, jobs: 1, sync: true)
                guard try fixture.interrupt(extraction, after: after) < 405 else { break }
                stops += 1
                #expect(try fixture.bytes("features.h5") == older)
            }
            #expect(stops > 0)
            let summary = try fixture.extraction(many, configuration, sync: true).run()
            #expect(summary.resumedClips > 0 || summary.wasUpToDate)
            #expect(try fixture.bytes("features.h5") == expected)
            #expect(try fixture.leftovers() == ["features.h5"])
            try fixture.record("3.wav", samples: 4000 + 700 * 3, seed: 3)
        }
    }

    @Test func `a part of a recording is another clip if it differs by a sample`() throws {
        let header = "id,path,start,end\n"
        _ = try fixture.extraction(header + "a,1.wav,0.1,0.4\nb,2.wav,0.1,\nc,0.wav,,0.5\n").run()
        let rows = header + "a,1.wav,0.1,0.400125\nb,2.wav,0.1001,\nc,0.wav,,\n"
        let summary = try fixture.extraction(rows, sync: true).run()
        // 4000 samples at 8 kHz are half a second: the clip is the recording, with or without an end.
        #expect(summary.keptClips == 1 && summary.changes?.ids(.recomputed) == ["a", "b"])
        _ = try fixture.extraction(rows, output: "whole.h5").run()
        #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
    }
}
