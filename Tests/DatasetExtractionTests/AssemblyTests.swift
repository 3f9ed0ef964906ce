import ExtractionSupport
import FeatureModel
import FeatureStorage
import FileIO
import Foundation
import Manifests
import Testing

@testable import ClipSpool
@testable import Concurrency
@testable import DatasetExtraction

/// The file that is put together depends on the clips alone, not on how many of them are in memory.
struct AssemblyTests {
    private let fixture: ExtractionFixture
    private let rows = (0..<40).map { "c\($0),\($0 % 5).wav,label \($0 % 3),\($0 % 9 == 4 ? "gone.wav" : "")\n" }

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<5 { try fixture.record("\(number).wav", samples: 1500 + 900 * number, seed: number) }
    }

    /// Extracts and assembles a manifest's clips with so many bytes of statistics in memory at a time; `older` is a file to
    /// append to.
    private func assemble(_ extraction: Extraction, statisticsBytes: Int, older: FeatureReader? = nil) throws -> Data {
        let (source, plan) = (extraction.source, extraction.plan)
        let spool = try Spool(folder: fixture.folder.path("spool"))
        defer { try? spool.remove() }
        let index = SpoolIndex(clips: source.clipCount)
        let cancellation = Cancellation()
        let kept = try older.map {
            AppendBase(
                $0, keeping: try SyncPass(extraction, $0, recordings: .ignored, cancellation).run(into: index),
                hasEqualSource: false, frameLabelNames: [])
        }
        let writer = try spool.writer(0)
        let extractor = try ClipExtractor(
            plan: plan, root: fixture.folder.url.path, writer: writer, cancellation: cancellation)
        let clips = try source.reader()
        while let clip = try clips.next() {
            guard index[clip.index] == .pending else { continue }
            try extractor.extract(clip)
        }
        try extractor.flush()
        for written in extractor.takeWritten() { index[written.clip] = written.entry }
        var assembler = Assembler(
            extraction: extraction, spool: spool, index: index, kept: kept,
            existing: FileStamp(path: fixture.folder.path("assembled.h5")), cancellation: cancellation)
        assembler.maximumStatisticsBytes = statisticsBytes
        _ = try assembler.write(to: fixture.folder.path("assembled.h5"), temporary: fixture.folder.path("part.h5"))
        return try fixture.bytes("assembled.h5")
    }

    @Test(arguments: [NormalizeConfiguration.Scope.clip, .dataset])
    func `the memory for statistics changes no byte`(scope: NormalizeConfiguration.Scope) throws {
        let configuration = try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: scope))
        let header = "id,path,label,note\n"
        let older = try fixture.extract(
            header + rows.enumerated().filter { $0.offset % 4 != 2 }.map(\.element).joined(), configuration,
            output: "older.h5")
        let extraction = try fixture.extraction(header + rows.joined(), configuration)
        _ = try extraction.run()
        let appended = try assemble(extraction, statisticsBytes: StatisticsBlock.maximumBytes, older: older)
        // 12 bins: 384 bytes of statistics a clip.
        for bytes in [0, 3 * 384, 17 * 384, StatisticsBlock.maximumBytes] {
            #expect(try assemble(extraction, statisticsBytes: bytes) == fixture.bytes("features.h5"))
            #expect(try assemble(extraction, statisticsBytes: bytes, older: older) == appended)
        }
        #expect(try FeatureReader(path: fixture.folder.path("assembled.h5")).verify() == [])
    }

    @Test func `runs of kept clips are those whose rows are read together`() {
        func placed(_ rows: Range<Int>?) -> TensorSlot {
            let kept = rows.map {
                StoredClip(
                    id: "", path: "", label: "", split: "", labelIndex: -1,
                    measurement: ClipMeasurement(sampleRate: 1, channels: 1, start: 0, duration: 0),
                    frameStart: $0.lowerBound, frameCount: $0.count, audioChecksum: "", tensorChecksum: "", extra: [])
            }
            return TensorSlot(
                clip: Clip(index: 0, id: "", path: ""),
                source: kept.map { .featureFile($0, index: 0) } ?? .spool(SpoolPosition(file: 0, offset: 0)), number: 0,
                firstRow: 0, rows: rows?.count ?? 1, computedRows: rows?.count ?? 1)
        }
        let clips = [
            nil, 0..<10, 10..<30, 32..<40,  // Rows of no clip may lie between.
            nil, nil, 40..<50, 45..<60,  // Only a damaged file has rows of two clips.
            60..<700, 700..<702, 702..<704,
        ].map(placed)
        // 128 bins: 512 rows are read at once.
        let runs = KeptRows.runs(of: clips, bins: 128, spooled: false)
        #expect(runs == [0..<1, 1..<4, 4..<5, 5..<6, 6..<7, 7..<8, 8..<9, 9..<11])
        #expect(
            KeptRows.runs(of: clips, bins: 128, spooled: true)
                == [0..<1, 1..<4, 4..<6, 6..<7, 7..<8, 8..<9, 9..<11])
        #expect(KeptRows.runs(of: [], bins: 1, spooled: true) == [])
    }

    @Test func `a kept clip that is read in several pieces is what it was`() throws {
        let configuration = try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 8000),
            frame: FrameConfiguration(length: .samples(64), hop: .samples(4), fftLength: 64),
            transform: .fft(bins: nil),
            scale: ScaleConfiguration(), normalize: NormalizeConfiguration(scope: .none))
        try fixture.record("long.wav", samples: 40_000, seed: 9)
        let header = "id,path\n"
        let older = try fixture.extract(header + "long,long.wav\n", configuration)
        #expect(older.rows * older.bins > 1 << 18)
        let rows = try older.features(id: "long")
        _ = try fixture.extraction(header + "new,1.wav\nlong,long.wav\n", configuration, append: true).run()
        let grown = try FeatureReader(path: fixture.folder.path("features.h5"))
        #expect(try grown.features(id: "long") == rows)
        #expect(try grown.verify() == [])
    }
}
