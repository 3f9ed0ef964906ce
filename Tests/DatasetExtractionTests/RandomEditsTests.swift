import DatasetExtraction
import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import TestSupport
import Testing

/// `veery extract --sync` after random edits of a manifest and its recordings: each time, the file has the bytes of one made anew.
struct RandomEditsTests {
    private let fixture: ExtractionFixture

    init() throws { fixture = try ExtractionFixture() }

    /// What decides how rows are kept.
    enum Form: CaseIterable, Sendable {
        case plain, half, deflated, fixed, fixedDeflatedHalf, slopes, slopesHalf, belowPeak
        case eachClip, eachClipFixedDeflated, eachClipHalf, newStatistics, givenStatistics, policies

        var policy: RecordingPolicy {
            self == .policies ? RecordingPolicy(truncated: .keep, nonFinite: .zero) : RecordingPolicy()
        }
        /// Whether the file tells the statistics of each clip, so that rows can be kept.
        var keeps: Bool { ![.half, .fixedDeflatedHalf, .slopesHalf, .newStatistics].contains(self) }

        func configuration() throws -> FeatureConfiguration {
            let isFixed = [.fixed, .fixedDeflatedHalf, .eachClipFixedDeflated].contains(self)
            let isHalf = [.half, .fixedDeflatedHalf, .slopesHalf, .eachClipHalf].contains(self)
            let isDeflated = [.deflated, .fixedDeflatedHalf, .eachClipFixedDeflated].contains(self)
            let isOfClip = [.eachClip, .eachClipFixedDeflated, .eachClipHalf].contains(self)
            let deltas = try DeltaConfiguration(order: self == .slopes ? 2 : self == .slopesHalf ? 1 : 0)
            return try FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: 8000, duration: isFixed ? 0.6 : nil),
                frame: FrameConfiguration(length: .samples(256), hop: .samples(128), fftLength: 256),
                transform: .mel(MelConfiguration(bins: 12, high: 4000), deltas: deltas),
                scale: ScaleConfiguration(topDB: self == .belowPeak ? 30 : nil),
                normalize: NormalizeConfiguration(
                    scope: [.newStatistics, .givenStatistics].contains(self) ? .dataset : isOfClip ? .clip : .none),
                store: StoreConfiguration(
                    layout: isFixed ? .fixed : .packed, element: isHalf ? .float16 : .float32,
                    compression: isDeflated ? .deflate : .none))
        }
    }

    private struct Row {
        var id: String, path: String, start = "", end = "", label = "", split = "train", note = ""
    }

    /// What makes a clip what it is.
    private struct Key: Hashable { let path: String, version: Int?, start: String, end: String }

    /// A manifest and its recordings.
    private struct World {
        let fixture: ExtractionFixture
        var random: RandomSource
        var rows: [Row] = []
        /// A number for the content of each recording.
        var versions: [String: Int] = [:]
        var count = 0
        var hasNote = true

        init(_ fixture: ExtractionFixture, seed: Int) throws {
            (self.fixture, random) = (fixture, RandomSource(seed: UInt64(seed)))
            for number in 0..<6 { try record("\(number).wav") }
            for _ in 0..<14 { add() }
        }

        private mutating func one<Element>(of list: [Element]) -> Element {
            list[Int.random(in: list.indices, using: &random)]
        }

        /// Other sound under a name, at times of the same length; the time of change is always the same.
        mutating func record(_ name: String) throws {
            count += 1
            versions[name] = count
            try fixture.record(
                name, samples: one(of: [3000, 9000, 9000, 9000, 100]), seed: count, gain: one(of: [0.02, 0.3, 1]))
            try settle(name)
        }

        private mutating func damage(_ name: String) throws {
            count += 1
            versions[name] = count
            let path = fixture.folder.path(name)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: try RawFile.write(Data("no sound".utf8), to: path)
            case 1: try RawFile.write(Data(), to: path)
            case 2: try RawFile.write(Data(fixture.bytes(name).dropLast(2001)), to: path)
            default:
                var samples = random.samples(5000)
                samples[700] = .nan
                try fixture.folder.writeWave([samples], sampleRate: 8000, encoding: .float32, to: name)
            }
            try settle(name)
        }

        private func settle(_ name: String) throws {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
                ofItemAtPath: fixture.folder.path(name))
        }

        private mutating func add() {
            count += 1
            var row = Row(id: "clip \(count)", path: one(of: versions.keys.sorted() + ["gone.wav"]))
            row.label = one(of: ["", "a", "b", "é"])
            row.split = one(of: ["train", "test", "train"])
            row.note = one(of: ["", "x", "a longer note"])
            if Bool.random(using: &random) { row.start = "0.0\(Int.random(in: 10...99, using: &random))" }
            if !row.start.isEmpty, Bool.random(using: &random) {
                row.end = "0.\(Int.random(in: 2000...3500, using: &random))"
            }
            rows.insert(row, at: Int.random(in: 0...rows.count, using: &random))
        }

        /// Changes one thing; its name.
        mutating func edit() throws -> String {
            let place = Int.random(in: rows.indices, using: &random)
            let kind = one(of: [
                "add", "remove", "relabel", "resplit", "note", "shuffle", "rotate", "record", "damage", "segment",
                "column", "path", "rename", "nothing",
            ])
            switch kind {
            case "add": for _ in 0..<one(of: [1, 1, 5]) { add() }
            case "remove" where rows.count > 3: rows.remove(at: place)
            case "relabel": rows[place].label = one(of: ["", "a", "a new label", "ü"])
            case "resplit": rows[place].split = one(of: ["train", "test", ""])
            case "note": rows[place].note = "\(random.next())"
            case "shuffle": rows.shuffle(using: &random)
            case "rotate": rows.insert(rows.removeLast(), at: 0)
            case "record": try record(one(of: versions.keys.sorted()))
            case "damage": try damage(one(of: ["0.wav", "1.wav", "2.wav"]))
            case "segment": (rows[place].start, rows[place].end) = ("0.0\(random.next() % 90 + 10)", "")
            case "column": hasNote.toggle()
            case "path": rows[place].path = one(of: versions.keys.sorted())
            case "rename": rows[place].id += "'"
            default: break
            }
            return kind
        }

        var manifest: String {
            "id,path,start,end,label,split\(hasNote ? ",note" : "")\n"
                + rows.map {
                    [$0.id, $0.path, $0.start, $0.end, $0.label, $0.split].joined(separator: ",")
                        + (hasNote ? ",\($0.note)\n" : "\n")
                }.joined()
        }

        var keys: [String: Key] {
            Dictionary(
                uniqueKeysWithValues: rows.map {
                    ($0.id, Key(path: $0.path, version: versions[$0.path], start: $0.start, end: $0.end))
                })
        }
    }

    private static let rounds = 12

    @Test(arguments: Form.allCases)
    func `after each edit the file has the bytes of a fresh run, and what is unchanged is kept`(form: Form) throws {
        let configuration = try form.configuration()
        var world = try World(fixture, seed: Form.allCases.firstIndex(of: form) ?? 0)
        var given: ImportedStatistics?
        if form == .givenStatistics {
            _ = try fixture.extraction("path,split\n3.wav,train\n", configuration, output: "given.h5").run()
            given = try ImportedStatistics(path: fixture.folder.path("given.h5"))
        }
        func sync() throws -> Extraction {
            try fixture.extraction(
                world.manifest, configuration, sync: true, renewsStatistics: form == .newStatistics,
                policy: form.policy, statistics: given)
        }
        _ = try sync().run()
        var (kept, compared) = (0, 0)
        for round in 0..<Self.rounds {
            let stored = Set(try FeatureReader(path: fixture.folder.path("features.h5")).allClips().map(\.id))
            let (before, older) = (world.keys, try fixture.bytes("features.h5"))
            let edits = try (0..<[1, 1, 2, 4][round % 4]).map { _ in try world.edit() }
            try? FileManager.default.removeItem(atPath: fixture.folder.path("fresh.h5"))
            do {
                _ = try fixture.extraction(
                    world.manifest, configuration, output: "fresh.h5", policy: form.policy, statistics: given
                ).run()
            } catch {
                // None of the clips that give the statistics can be read: nor can a file follow.
                #expect(throws: (any Error).self) { try sync().run() }
                #expect(try fixture.bytes("features.h5") == older)
                continue
            }
            compared += 1
            let (plan, obstacle) = try sync().dryRun()
            #expect(obstacle == nil, "\(edits)")
            let summary = try sync().run()
            let newer = try fixture.bytes("features.h5")
            #expect(try newer == fixture.bytes("fresh.h5"), "\(round): \(edits)")
            #expect(summary.wasUpToDate == (newer == older), "\(round): \(edits)")
            #expect(try fixture.leftovers() == ["features.h5"])
            guard !summary.wasUpToDate, let changes = summary.changes else { continue }
            #expect(plan.changes == changes && plan.keptClips == summary.keptClips, "\(edits)")
            let now = world.keys
            #expect(changes.count(.added) == now.keys.count { before[$0] == nil }, "\(edits)")
            #expect(changes.count(.removed) == before.keys.count { now[$0] == nil }, "\(edits)")
            guard !changes.replacesStatistics else { continue }
            let same = now.count { stored.contains($0.key) && before[$0.key] == $0.value }
            #expect(summary.keptClips >= same, "\(edits)")
            #expect(changes.count(.recomputed) <= now.keys.count { stored.contains($0) } - same, "\(edits)")
            kept += summary.keptClips
        }
        #expect(compared > Self.rounds / 2 && (form.keeps ? kept > 2 * Self.rounds : kept == 0), "\(kept)")
    }
}
