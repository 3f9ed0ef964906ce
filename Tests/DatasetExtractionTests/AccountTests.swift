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

/// Remarks of clips on their way from the spool to the file.
struct AccountTests {
    private let fixture: ExtractionFixture
    private let manifest = "id,path\n" + (0..<6).map { "c\($0),\($0 % 3).wav\n" }.joined()

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<3 { try fixture.record("\(number).wav", samples: 1500 + 900 * number, seed: number) }
    }

    /// Extracts all clips into a spool, in which some have remarks, and assembles the file.
    private func assemble(
        _ extraction: Extraction, _ remarks: [Int: RecordingRemarks], output: String
    ) throws -> Assembler.Outcome {
        let spool = try Spool(folder: fixture.folder.path("\(output).own"))
        let index = SpoolIndex(clips: extraction.source.clipCount)
        let writer = try spool.writer(0)
        let extractor = try ClipExtractor(
            plan: extraction.plan, root: fixture.folder.url.path, writer: writer, cancellation: Cancellation())
        let clips = try extraction.source.reader()
        while let clip = try clips.next() { try extractor.extract(clip) }
        try extractor.flush()
        for written in extractor.takeWritten() { index[written.clip] = written.entry }
        // As a decoder that finds them would have it.
        let again = try spool.writer(1)
        let reader = spool.reader()
        for (clip, remarks) in remarks.sorted(by: { $0.key < $1.key }) {
            guard case .spooled(let position, let rows) = index[clip] else { continue }
            let spooled = try reader.finished(at: position)
            again.start(clip: clip, recording: spooled.recording)
            try reader.rows(of: spooled) { rows throws(StorageError) in try again.append(UnsafeBufferPointer(rows)) }
            var measurement = spooled.clip.measurement
            measurement.remarks = remarks
            let finished = FinishedClip(
                measurement: measurement, audioChecksum: spooled.clip.audioChecksum,
                statistics: spooled.clip.statistics)
            index[clip] = .spooled(try again.finish(finished), rows: rows)
        }
        return try Assembler(
            extraction: extraction, spool: spool, index: index, existing: FileStamp(path: fixture.folder.path(output))
        ).write(to: fixture.folder.path(output), temporary: fixture.folder.path("part.h5"))
    }

    @Test func `the file has the remarks of its clips, and the outcome too`() throws {
        let extraction = try fixture.extraction(manifest, output: "f.h5")
        let outcome = try assemble(extraction, [1: .endsCut, 4: [.endsCut, .lengthsDiffer]], output: "f.h5")
        let expected = [
            Remark(kind: .lengthsDiffer, source: "recordings", count: 1, first: ["c4"]),
            Remark(kind: .endsCut, source: "recordings", count: 2, first: ["c1", "c4"]),
        ]
        #expect(outcome.account.remarks == expected)
        let file = try FeatureReader(path: fixture.folder.path("f.h5"))
        #expect(file.remarks == expected)
        #expect(try file.verify().isEmpty)
    }

    @Test func `clips without remarks have the bytes of a plain run`() throws {
        let extraction = try fixture.extraction(manifest, output: "f.h5")
        _ = try extraction.run()
        _ = try assemble(extraction, [:], output: "g.h5")
        #expect(try fixture.bytes("f.h5") == fixture.bytes("g.h5"))
    }

    @Test func `without losses allowed no file is written, and without that option it is`() throws {
        var extraction = try fixture.extraction(manifest, output: "f.h5")
        extraction.options.isStrict = true
        #expect(throws: ExtractionError.self) {
            _ = try assemble(extraction, [2: .lengthsDiffer], output: "f.h5")
        }
        #expect(FileStamp(path: fixture.folder.path("f.h5")) == .absent)
        // What the format or an option allows is not a loss.
        #expect(try assemble(extraction, [2: .endsCut], output: "g.h5").account.count(of: .endsCut) == 1)
        extraction.options.isStrict = false
        #expect(try assemble(extraction, [2: .lengthsDiffer], output: "h.h5").account.hasLoss)
    }

    @Test func `an up-to-date file has its account`() throws {
        let extraction = try fixture.extraction(manifest, output: "f.h5")
        _ = try assemble(extraction, [0: .lengthsDiffer], output: "f.h5")
        let summary = try ExistingOutput.upToDate(
            try FeatureReader(path: fixture.folder.path("f.h5")), since: ContinuousClock.now)
        #expect(summary.account.count(of: .lengthsDiffer) == 1)
    }
}
