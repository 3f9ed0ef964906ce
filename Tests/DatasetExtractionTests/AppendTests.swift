import ExtractionSupport
import FeatureModel
import FeatureStorage
import FileIO
import Foundation
import Messages
import TestSupport
import Testing

@testable import DatasetExtraction

/// `veery extract --append`: a file grows by the clips that it has not.
struct AppendTests {
    private let fixture: ExtractionFixture
    private let header = "id,path,label,split,note\n"
    private let small: String
    /// The small one with clips before, between and behind, another label, and a recording that had been missing.
    private let grown: String

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<6 { try fixture.record("\(number).wav", samples: 4000 + 700 * number, seed: number) }
        let rows = (0..<20).map {
            "c\($0),\($0 == 7 ? "late" : "\($0 % 6)").wav,label \($0 % 3),\($0 % 4 == 3 ? "test" : "train"),n"
        }
        small = header + rows.joined(separator: "\n") + "\n"
        var more = rows
        more[4] = "c4,4.wav,another label,train,a longer note"
        more.insert("new-0,5.wav,label 9,train,x", at: 0)
        more.insert("new-1,0.wav,label 1,test,x", at: 11)
        more.insert("gone,gone.wav,label 1,test,x", at: 15)
        grown = header + (more + ["new-2,3.wav,label 2,train,x"]).joined(separator: "\n") + "\n"
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

    /// The small file, and the bytes that it has.
    private func begin(_ configuration: FeatureConfiguration) throws -> Data {
        try? FileManager.default.removeItem(atPath: fixture.folder.path("late.wav"))
        _ = try fixture.extraction(small, configuration, overwrite: true).run()
        try fixture.record("late.wav", samples: 9000, seed: 40)
        return try fixture.bytes("features.h5")
    }

    private static let stores: [StoreConfiguration] = [.packed, .fixed].flatMap { layout in
        [.float32, .float16].flatMap { element in
            [.none, .deflate].map { StoreConfiguration(layout: layout, element: element, compression: $0) }
        }
    }

    @Test(arguments: stores)
    func `the file that grows has what one made at once has, in every layout`(store: StoreConfiguration) throws {
        for scope in [NormalizeConfiguration.Scope.none, .clip] {
            let configuration = try configuration(scope, store)
            _ = try begin(configuration)
            let summary = try fixture.extraction(grown, configuration, append: true).run()
            #expect(
                summary.keptClips == 19 && summary.clips == 23 && summary.failures == 1 && summary.resumedClips == 0)
            let found = try FeatureReader(path: fixture.folder.path("features.h5"))
            let whole = try fixture.extract(grown, configuration, output: "whole.h5")
            #expect(try found.verify().isEmpty)
            if scope == .clip || store.element == .float32 {
                #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
            }
            #expect(try found.allClips() == whole.allClips())
            #expect(try found.allFailures() == whole.allFailures())
            #expect(found.labels == whole.labels && found.extraColumns == whole.extraColumns)
            for clip in try found.allClips() {
                #expect(try found.features(of: clip).values == whole.features(of: clip).values, "\(clip.id)")
            }
            #expect(found.statistics.count == whole.statistics.count && found.fit == whole.fit)
            for bin in 0..<12 {
                let (mean, std) = (whole.statistics.mean[bin], whole.statistics.standardDeviation[bin])
                #expect(abs(found.statistics.mean[bin] - mean) <= 1e-12 * abs(mean))
                #expect(abs(found.statistics.standardDeviation[bin] - std) <= 1e-12 * std)
            }
            try FileManager.default.removeItem(atPath: fixture.folder.path("whole.h5"))
        }
    }

    @Test func `normalised rows are not changed, and new ones are normalised by the same statistics`() throws {
        let configuration = try configuration(.dataset)
        _ = try begin(configuration)
        let older = try FeatureReader(path: fixture.folder.path("features.h5"))
        let (statistics, rows) = (older.statistics, try older.features(id: "c12"))
        _ = try fixture.extraction(grown, configuration, append: true).run()
        let found = try FeatureReader(path: fixture.folder.path("features.h5"))
        #expect(found.statistics.mean == statistics.mean && found.statistics.count == statistics.count)
        #expect(found.fit == "train")
        #expect(try found.features(id: "c12") == rows)
        let raw = try fixture.extract(grown, self.configuration(.none), output: "raw.h5")
        for id in ["new-0", "c7"] {
            let clip = try found.clip(id: id)
            let undone = try found.undoNormalization(of: found.features(of: clip), clip: clip).values
            let isSame = zip(undone, try raw.features(id: id)).allSatisfy { abs($0 - $1) <= 1e-5 * max(1, abs($1)) }
            #expect(isSame, "\(id)")
        }
        #expect(try found.clip(id: "c4").label == "another label")
    }

    @Test func `an interrupted append leaves the older file, is resumed, and makes the same bytes`() throws {
        let configuration = try configuration(.dataset)
        let older = try begin(configuration)
        let many = grown + (0..<400).map { "m\($0),\($0 % 6).wav,label 1,train,x\n" }.joined()
        _ = try fixture.extraction(many, configuration, jobs: 3, append: true).run()
        let expected = try fixture.bytes("features.h5")
        try older.write(to: URL(filePath: fixture.folder.path("features.h5")))

        var stops = 0
        for after in [50, 150, 300] {
            let extraction = try fixture.extraction(many, configuration, jobs: 1, append: true)
            guard try fixture.interrupt(extraction, after: after) < 405 else { break }
            stops += 1
            #expect(try fixture.bytes("features.h5") == older)
        }
        #expect(stops > 0)
        let summary = try fixture.extraction(many, configuration, append: true).run()
        #expect(summary.resumedClips > 0 || summary.wasUpToDate)
        #expect(try fixture.bytes("features.h5") == expected)
        #expect(try fixture.leftovers() == ["features.h5"])
        // Once more: the clip that fails is tried again, and fails.
        #expect(try fixture.extraction(many, configuration, append: true).run().failures == 1)
        #expect(try fixture.bytes("features.h5") == expected)
    }

    @Test func `without a file there is nothing to append to, and one is made`() throws {
        let configuration = try configuration(.none)
        _ = try fixture.extraction(small, configuration, append: true).run()
        let appended = try fixture.bytes("features.h5")
        _ = try fixture.extraction(small, configuration, output: "whole.h5").run()
        #expect(try appended == fixture.bytes("whole.h5"))
    }

    @Test func `another configuration, a clip too few, another order or recording is refused, and nothing is lost`()
        throws
    {
        let none = try configuration(.none)
        let older = try begin(none)
        func refusal(_ manifest: String, _ configuration: FeatureConfiguration) throws -> UpdateObstacle? {
            let error = #expect(throws: ExtractionError.self) {
                try fixture.extraction(manifest, configuration, append: true).run()
            }
            #expect(try fixture.bytes("features.h5") == older)
            #expect(try fixture.leftovers() == ["features.h5"])
            return error?.obstacle
        }
        #expect(
            try refusal(grown, configuration(.clip))
                == .differences([.setting("normalize.scope", before: "none", now: "clip")]))
        let lines = small.split(separator: "\n").map(String.init)
        let without = (lines.filter { !$0.hasPrefix("c9,") } + ["n,1.wav,,,"]).joined(separator: "\n")
        let gone = try refusal(without, none)?.missingClips
        #expect(gone?.count == 1 && gone?.examples.map(\.clip.id) == ["c9"])
        // The first clip that is missing is named before one that is another.
        let both = try refusal(without.replacing("c12,0.wav", with: "c12,1.wav"), none)?.missingClips
        #expect(both?.examples.map(\.clip.id) == ["c9"])
        var swapped = lines
        swapped.swapAt(3, 4)
        let order = try refusal(swapped.joined(separator: "\n"), none)?.missingClips
        #expect(order?.examples.isEmpty == true && order?.firstOutOfOrder.id == "c3")
        let moved = grown.replacing("c2,2.wav", with: "c2,3.wav")
        let stored = try FeatureReader(path: fixture.folder.path("features.h5")).clip(id: "c2")
        #expect(try refusal(moved, none) == .otherPart(stored))
        let shortened =
            "id,path,label,split,note,end\n"
            + lines.dropFirst().map { $0 + ($0.hasPrefix("c2,") ? ",0.3" : ",") }
            .joined(separator: "\n") + "\nn,1.wav,,,,\n"
        #expect(try refusal(shortened, none) == .otherPart(stored))
    }

    @Test func `clips that the manifest lacks are named with what became of them`() throws {
        for name in ["a.wav", "b.wav", "c.wav", "d.wav", "new/c.wav"] {
            try FileManager.default.createDirectory(
                atPath: fixture.folder.path("new"), withIntermediateDirectories: true)
            try fixture.record(name, samples: 16_000)
        }
        let none = try configuration(.none)
        _ = try fixture.extract("path,start,end\na.wav,,\nb.wav,0,1\nc.wav,,\nd.wav,,\n", none)
        func missing(_ manifest: String) -> MissingClips? {
            let error = #expect(throws: ExtractionError.self) {
                try fixture.extraction(manifest, none, append: true).run()
            }
            return error?.obstacle?.missingClips
        }
        let all = missing("path,start,end,id\na.wav,,,other\nb.wav,0.5,1.5,\nnew/c.wav,,,\n")
        #expect(all?.count == 4 && all?.total == 4)
        #expect(all?.examples.map(\.clip.id) == ["a", "b#0-1", "c"])
        #expect(
            all?.examples.map(\.cause) == [
                .renamed(id: "other"), .changedSegment(id: "b#0.5-1.5"), .moved(path: "new/c.wav"),
            ])
        let one = missing("path,start,end\na.wav,,\nb.wav,0,1\nc.wav,,\n")
        #expect(
            one?.count == 1 && one?.examples.map(\.clip.path) == ["d.wav"] && one?.examples.first?.cause == .removed)
    }

    @Test func `shards whose clips are in the file are deleted where there is nothing to append`() throws {
        let rows = "id,path\n" + (0..<9).map { "\($0),\($0 % 6).wav\n" }.joined()
        try fixture.computeShards(2, of: fixture.extraction(rows))
        let (shards, aside) = (fixture.folder.path("features.h5.shards"), fixture.folder.path("aside"))
        try FileManager.default.copyItem(atPath: shards, toPath: aside)
        _ = try fixture.extraction(rows).run()
        let older = try fixture.bytes("features.h5")
        try FileManager.default.moveItem(atPath: aside, toPath: shards)
        #expect(try fixture.extraction(rows, append: true).dryRun().plan.output == .upToDate)
        #expect(try fixture.extraction(rows, append: true).run().wasUpToDate)
        #expect(try fixture.bytes("features.h5") == older)
        #expect(try fixture.leftovers() == ["features.h5"])
    }

    @Test func `another channel of a recording is another clip`() throws {
        try fixture.record("stereo.wav", samples: 6000, channels: 2, seed: 70)
        let none = try configuration(.none)
        let base = "id,path,channel\na,stereo.wav,1\nb,stereo.wav,\n"
        let file = try fixture.extract(base, none)
        #expect(file.storesChannel)
        #expect(try file.allClips().map(\.channel) == [1, nil])
        #expect(try file.verify().isEmpty)
        let older = try fixture.bytes("features.h5")
        let others: [(rows: String, id: String, before: Int?, now: Int?)] = [
            ("id,path,channel\na,stereo.wav,0\nb,stereo.wav,\nc,1.wav,\n", "a", 1, 0),
            ("id,path,channel\na,stereo.wav,1\nb,stereo.wav,0\nc,1.wav,\n", "b", nil, 0),
            ("id,path\na,stereo.wav\nb,stereo.wav\nc,1.wav\n", "a", 1, nil),
        ]
        for (rows, id, before, now) in others {
            let error = #expect(throws: ExtractionError.self) {
                try fixture.extraction(rows, none, append: true).run()
            }
            #expect(error?.obstacle == .otherChannel(id: id, before: before, now: now))
            #expect(try fixture.bytes("features.h5") == older)
        }
        let grown = base + "c,stereo.wav,0\n"
        #expect(try fixture.extraction(grown, none, append: true).run().keptClips == 2)
        let appended = try FeatureReader(path: fixture.folder.path("features.h5"))
        #expect(try appended.allClips() == fixture.extract(grown, none, output: "whole.h5").allClips())
        #expect(try appended.verify().isEmpty)
        #expect(try !fixture.extract("id,path\nd,1.wav\n", none, output: "none.h5").storesChannel)
    }

    @Test func `the clips of another interrupted run are not deleted`() throws {
        let (none, clip) = (try configuration(.none), try configuration(.clip))
        _ = try begin(clip)
        try FileManager.default.removeItem(atPath: fixture.folder.path("features.h5"))
        let many = grown + (0..<400).map { "m\($0),\($0 % 6).wav,label 1,train,x\n" }.joined()
        let done = try fixture.interrupt(fixture.extraction(many, none, jobs: 1), after: 20)
        try #require(done < 400)
        try FileManager.default.moveItem(
            atPath: fixture.folder.path("features.h5.spool"), toPath: fixture.folder.path("aside"))
        _ = try fixture.extraction(small, none).run()
        try FileManager.default.moveItem(
            atPath: fixture.folder.path("aside"), toPath: fixture.folder.path("features.h5.spool"))
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(small, none, append: true).run() }
        #expect(error?.differences?.isEmpty == false)
        try FileManager.default.removeItem(atPath: fixture.folder.path("features.h5"))
        #expect(try fixture.extraction(many, none).run().resumedClips == done)
    }

    @Test func `failed clips are tried again with the same manifest, too`() throws {
        let configuration = try configuration(.none)
        _ = try begin(configuration)
        let summary = try fixture.extraction(small, configuration, append: true).run()
        #expect(!summary.wasUpToDate && summary.keptClips == 19 && summary.failures == 0)
        #expect(try fixture.extraction(small, configuration, append: true).run().wasUpToDate)
    }

    @Test func `a file with the statistics of another says whose, and is not what a plain run would make`() throws {
        let configuration = try configuration(.dataset)
        _ = try begin(configuration)
        let base = try FeatureReader(path: fixture.folder.path("features.h5")).metadataChecksum
        _ = try fixture.extraction(grown, configuration, append: true).run()
        #expect(try FeatureReader(path: fixture.folder.path("features.h5")).statisticsSource == base)
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(grown, configuration).run() }
        #expect(error?.outputDifference == .made([.statistics(given: nil)], follows: true))

        _ = try fixture.extraction(small, configuration, output: "other.h5").run()
        let given = try ImportedStatistics(path: fixture.folder.path("other.h5"))
        let refused = #expect(throws: ExtractionError.self) {
            try fixture.extraction(grown + "z,1.wav,,,\n", configuration, append: true, statistics: given).run()
        }
        #expect(refused?.obstacle == .differences([.statistics(given: given.path)]))
    }

    @Test func `recordings of another rate are not mixed in`() throws {
        let ownRate = try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: nil),
            frame: FrameConfiguration(length: .samples(256), hop: .samples(128), fftLength: 256),
            transform: .mel(MelConfiguration(bins: 12, high: 4000)), scale: ScaleConfiguration(),
            normalize: NormalizeConfiguration(scope: .dataset))
        _ = try fixture.extraction("path,split\n1.wav,train\n", ownRate).run()
        try fixture.record("fast.wav", samples: 40_000, rate: 44_100, seed: 60)
        let error = #expect(throws: ExtractionError.self) {
            try fixture.extraction("path,split\nfast.wav,train\n1.wav,train\n", ownRate, append: true).run()
        }
        #expect(error?.obstacle == .differences([.signals(rate: 44_100, channels: nil)]))
        let given = try ImportedStatistics(path: fixture.folder.path("features.h5"))
        let refused = #expect(throws: ExtractionError.self) {
            try fixture.extraction("path,split\nfast.wav,train\n", ownRate, output: "f.h5", statistics: given)
        }
        #expect(
            refused
                == .unusableStatistics(
                    path: given.path, difference: "its recordings have another sample rate (8000 Hz, not 44100 Hz)"))
    }

    @Test func `damaged numbers are found before anything is computed with them`() throws {
        let configuration = try configuration(.dataset)
        let older = try begin(configuration)
        let reader = try FeatureReader(path: fixture.folder.path("features.h5"))
        let clip = try reader.clip(id: "c5")
        // The bytes of each of these numbers are in the file only once.
        for (bits, name) in [
            (reader.statistics.mean[3].bitPattern, "metadata_xxh3"), (clip.duration.bitPattern, "record_xxh3"),
        ] {
            let pattern = withUnsafeBytes(of: bits.littleEndian) { Data($0) }
            let offset = try #require(older.range(of: pattern)?.lowerBound)
            var damaged = older
            damaged[offset + 6] ^= 1
            try RawFile.write(damaged, to: fixture.folder.path("features.h5"))
            let error = #expect(throws: StorageError.self) {
                try fixture.extraction(grown, configuration, append: true).run()
            }
            #expect(error?.description.contains(name) == true, "\(error?.description ?? "")")
            if name == "metadata_xxh3" {
                #expect(throws: StorageError.self) { try ImportedStatistics(path: fixture.folder.path("features.h5")) }
            }
            #expect(try fixture.bytes("features.h5") == damaged)
        }
    }

    @Test func `a damaged row of the older file is found, and the clip is named`() throws {
        let configuration = try configuration(.none)
        var older = try begin(configuration)
        let offset = try #require(try FeatureReader(path: fixture.folder.path("features.h5")).featuresOffset())
        older[offset + 70] ^= 1
        try RawFile.write(older, to: fixture.folder.path("features.h5"))
        let error = #expect(throws: StoppedExtraction.self) {
            try fixture.extraction(grown, configuration, append: true).run()
        }
        guard case StorageError.damaged(_, let found)? = error?.cause else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(found.contains("'c0'"), "\(found)")
        // Of the new clips: the recording of one is missing.
        #expect(error?.failed == 1)
        #expect(try fixture.bytes("features.h5") == older)
    }
}
