import ClipSpool
import ExtractionSupport
import FeatureModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Concurrency
@testable import DatasetExtraction
@testable import FeatureStorage

/// Runs whose rows are written once, to where they will lie in the file. With a scratch folder they are not: both ways have to
/// make the same file.
struct RowsInPlaceTests {
    private let fixture: ExtractionFixture
    private let clips = 50
    private let manifest: String
    private var spool: String { fixture.folder.path("features.h5.spool") }

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<5 { try fixture.record("\(number).wav", samples: 15_000 + 1000 * number, seed: number) }
        try fixture.record("short.wav", samples: 9, seed: 9)
        // Neighbours of one recording, segments, a missing one, one that is too short.
        manifest =
            "id,path,start,end\n"
            + (0..<clips).map { clip in
                switch clip {
                case 7: "7,gone.wav,,\n"
                case 8: "8,short.wav,,\n"
                case 20..<28: "\(clip),3.wav,\(Double(clip - 20) * 0.21),\(Double(clip - 20) * 0.21 + 0.4)\n"
                default: "\(clip),\(clip / 2 % 5).wav,,\n"
                }
            }.joined()
    }

    private func copied(_ manifest: String, _ configuration: FeatureConfiguration? = nil) throws -> Data {
        try FileManager.default.createDirectory(
            atPath: fixture.folder.path("scratch"), withIntermediateDirectories: true)
        _ = try fixture.extraction(
            manifest, configuration, output: "copied.h5", scratch: fixture.folder.path("scratch"), overwrite: true
        ).run()
        return try fixture.bytes("copied.h5")
    }

    /// Runs an extraction; returns whether the file that rows were written to has become the output.
    private func isInPlace(_ extraction: Extraction) throws -> Bool {
        @Sendable func file(_ path: String) -> UInt64? {
            (try? FileManager.default.attributesOfItem(atPath: path))?[.systemFileNumber] as? UInt64
        }
        let path = spool + "/rows"
        let end = Atomic(false)
        let rows = Mutex<UInt64?>(nil)
        let watch = Thread {
            while !end.load(ordering: .acquiring) {
                if let number = file(path) { rows.withLock { $0 = number } }
                usleep(50)
            }
        }
        watch.start()
        defer { end.store(true, ordering: .releasing) }
        _ = try extraction.run()
        return rows.withLock { $0 } == file(extraction.options.output)
    }

    @Test(arguments: [1, 2, 5])
    func `the file is the same, whether rows are copied or not`(jobs: Int) throws {
        #expect(try isInPlace(fixture.extraction(manifest, jobs: jobs)))
        #expect(try fixture.bytes("features.h5") == copied(manifest))
        #expect(try fixture.leftovers() == ["features.h5"])
    }

    @Test(arguments: [1, 3])
    func `long clips, which are written in several pieces, are in place too`(jobs: Int) throws {
        for number in 0..<3 { try fixture.record("long-\(number).wav", samples: 4_000_000 + number, seed: number) }
        let manifest = "id,path\n" + (0..<7).map { "\($0),\($0 % 2 == 0 ? "long-\($0 / 2 % 3)" : "1").wav\n" }.joined()
        #expect(try isInPlace(fixture.extraction(manifest, jobs: jobs)))
        #expect(try fixture.bytes("features.h5") == copied(manifest))
    }

    @Test func `rows of resampled recordings are in place, too`() throws {
        for rate in [7000, 11_025, 16_000] {
            let configuration = try ExtractionFixture.configuration(rate: rate == 7000 ? 8000 : rate)
            try fixture.record("other.wav", samples: 12_345, rate: rate == 7000 ? 7000 : 8000, seed: rate)
            let manifest = "id,path\n" + (0..<12).map { "\($0),\($0 % 2 == 0 ? "other" : "0").wav\n" }.joined()
            _ = try fixture.extraction(manifest, configuration, overwrite: true).run()
            #expect(try fixture.bytes("features.h5") == copied(manifest, configuration), "\(rate) Hz")
        }
    }

    @Test func `while it works, rows lie at their final offsets, and nowhere else`() throws {
        try fixture.stopBeforeAssembly(fixture.extraction(manifest))
        let rows = try Data(contentsOf: URL(filePath: spool + "/rows"))
        let expected = try copied(manifest)
        let file = try FeatureReader(path: fixture.folder.path("copied.h5"))
        let bytes = file.rows * file.bins * 4
        #expect(rows.count == InPlaceRows.offset + bytes)
        #expect(rows.dropFirst(InPlaceRows.offset) == expected.dropFirst(InPlaceRows.offset).prefix(bytes))
        for name in try FileManager.default.contentsOfDirectory(atPath: spool) where name.hasPrefix("clips-") {
            #expect(try Data(contentsOf: URL(filePath: "\(spool)/\(name)")).count < bytes / 2)
        }
    }

    @Test func `a clip that fails halfway leaves no gap in the file`() throws {
        var samples = try fixture.record("nan.wav", samples: 30_000, encoding: .float32)[0]
        samples[29_000] = .nan
        try fixture.folder.writeWave([samples], sampleRate: 8000, encoding: .float32, to: "nan.wav")
        let manifest = "path\n0.wav\nnan.wav\n1.wav\n2.wav\n"
        let summary = try fixture.extraction(manifest, jobs: 1).run()
        #expect(summary.failures == 1 && summary.clips == 3)
        #expect(try fixture.bytes("features.h5") == copied(manifest))
    }

    @Test func `an append without an output is a fresh run, with rows in place`() throws {
        #expect(try isInPlace(fixture.extraction(manifest, append: true)))
        #expect(try fixture.bytes("features.h5") == copied(manifest))
    }

    @Test func `rows of a last clip that fails late are removed from the file`() throws {
        var samples = [Float](repeating: 0.25, count: 4_000_000)
        samples[3_999_000] = .nan
        try fixture.folder.writeWave([samples], sampleRate: 8000, encoding: .float32, to: "late.wav")
        let manifest = "path\n0.wav\nlate.wav\n"
        #expect(try isInPlace(fixture.extraction(manifest, jobs: 1)))
        #expect(try fixture.bytes("features.h5") == copied(manifest))
    }

    @Test func `a run that resumes another makes the same file`() throws {
        for after in [3, 12, 30] {
            let done = try fixture.interrupt(fixture.extraction(manifest, jobs: 2), after: after)
            let summary = try fixture.extraction(manifest, jobs: 2, overwrite: true).run()
            // The clip that is too short is still a failure, and counts.
            #expect(done == clips || (done...done + 1).contains(summary.resumedClips))
            #expect(try fixture.bytes("features.h5") == copied(manifest), "after \(after)")
            try FileManager.default.removeItem(atPath: fixture.folder.path("features.h5"))
        }
    }

    @Test func `rows that were lost with the power are computed again`() throws {
        try fixture.stopBeforeAssembly(fixture.extraction(manifest))
        let rows = try Data(contentsOf: URL(filePath: spool + "/rows"))
        try RawFile.write(rows.prefix(rows.count / 2), to: spool + "/rows")
        let summary = try fixture.extraction(manifest).run()
        #expect((5..<40).contains(summary.resumedClips), "\(summary.resumedClips)")
        #expect(try fixture.bytes("features.h5") == copied(manifest))
    }

    @Test func `killed between the file's name and the deletion of clips, the file is up to date`() throws {
        try fixture.stopBeforeAssembly(fixture.extraction(manifest))
        let expected = try copied(manifest)
        try FileManager.default.removeItem(atPath: spool + "/rows")
        try RawFile.write(expected, to: fixture.folder.path("features.h5"))
        let summary = try fixture.extraction(manifest).run()
        #expect(summary.wasUpToDate)
        #expect(try fixture.bytes("features.h5") == expected && fixture.leftovers() == ["features.h5"])
    }

    @Test func `if a resumed run has lost rows, the other clips are kept`() throws {
        let first = try fixture.interrupt(fixture.extraction(manifest, jobs: 1), after: 12)
        try #require(first < 40, "the run ended before it was stopped")
        try fixture.stopBeforeAssembly(fixture.extraction(manifest, jobs: 1))
        try FileManager.default.removeItem(atPath: spool + "/rows")
        var notice: ResumptionNotice?
        let summary = try fixture.extraction(manifest).run { notice = $0 }
        #expect(summary.resumedClips >= clips - first - 3 && summary.resumedClips < clips - 5)
        #expect(notice?.lost ?? 0 > 0)
        #expect(try fixture.bytes("features.h5") == copied(manifest))
    }

    @Test func `a recording that grows after its clips were announced affects no other clip`() throws {
        // The first block is of one recording; its second clip goes to the end, and finds more there than was announced.
        try fixture.record("grows.wav", samples: 8000, seed: 3)
        let manifest = "id,path,start,end\na,grows.wav,0,0.5\nb,grows.wav,0.5,\n" + "c,1.wav,,\nd,2.wav,,\n"
        let extraction = try fixture.extraction(manifest, jobs: 1)
        let spool = try Spool(folder: fixture.folder.path("own.spool"))
        let rows = try spool.inPlaceRows(bins: extraction.plan.bins)
        let allocator = RowAllocator()
        let extractor = try ClipExtractor(
            plan: extraction.plan, root: fixture.folder.url.path, writer: spool.writer(0, rows: rows),
            allocator: allocator,
            cancellation: Cancellation())
        let clips = try extraction.source.reader()
        var all: [Clip] = []
        while let clip = try clips.next() { all.append(clip) }
        extractor.announce(Array(all[..<2]))
        let other = try ClipExtractor(
            plan: extraction.plan, root: fixture.folder.url.path, writer: spool.writer(1, rows: rows),
            allocator: allocator,
            cancellation: Cancellation())
        var positions: [SpoolPosition] = []
        func write(_ clips: ArraySlice<Clip>, _ extractor: ClipExtractor) throws {
            for clip in clips { try extractor.extract(clip) }
            try extractor.flush()
            positions += extractor.takeWritten().compactMap(\.entry.position)
        }
        try write(all[2...], other)
        try fixture.record("grows.wav", samples: 16_000, seed: 4)
        try write(all[..<2], extractor)
        let reader = spool.reader()
        let placed = try positions.map { try reader.finished(at: $0).inPlace != nil }
        #expect(placed == [true, true, true, false])
        for position in positions { try reader.rows(of: reader.finished(at: position)) { _ in } }
    }

    @Test func `a block whose recording is missing leaves no gap in the file`() throws {
        let manifest = "id,path,start,end\n0,0.wav,,\n1,gone.wav,0,1\n2,gone.wav,1,2\n3,1.wav,,\n4,2.wav,,\n"
        #expect(try isInPlace(fixture.extraction(manifest, jobs: 2)))
        #expect(try fixture.bytes("features.h5") == copied(manifest))
    }

    @Test func `clips whose rows are gone, and whose file is, too, are computed again`() throws {
        try fixture.stopBeforeAssembly(fixture.extraction(manifest))
        try FileManager.default.removeItem(atPath: spool + "/rows")
        var notices = 0
        let summary = try fixture.extraction(manifest).run { _ in notices += 1 }
        #expect(summary.resumedClips == 0 && notices == 0)
        #expect(try fixture.bytes("features.h5") == copied(manifest))
        #expect(try fixture.leftovers() == ["features.h5"])
    }
}
