import ClipSpool
import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import ClipSpool

struct SpoolTests {
    private let folder: TemporaryFolder
    private let spool: Spool

    init() throws {
        folder = try TemporaryFolder()
        spool = try Spool(folder: folder.path("out.spool"))
    }

    @Test func `clips of several writers, written by turns, come back each with its rows`() throws {
        let writers = try (0..<3).map { try spool.writer($0) }
        var positions: [SpoolPosition] = []
        for clip in 0..<30 {
            positions.append(try writers[clip % 3].write(clip: clip, randomRows(clip, seed: clip)))
        }
        let reader = spool.reader()
        for (clip, position) in positions.enumerated().reversed() {
            let found = try reader.whole(at: position)
            #expect(found.clip == finishedClip(rows: clip, seed: clip))
            #expect(found.values == randomRows(clip, seed: clip))
        }
    }

    @Test func `the problems of a recording are read back, and none where there were none`() throws {
        let writer = try spool.writer(0)
        let measurements =
            [
                (false, false, 0), (true, false, 0), (false, true, 0), (false, false, Int.max), (true, false, 1),
            ].map { isTruncated, liesBeforeCut, zeroedSamples in
                ClipMeasurement(
                    sampleRate: 8000, channels: 1, start: 0, duration: 1, isTruncated: isTruncated,
                    zeroedSamples: zeroedSamples, remarks: liesBeforeCut ? .recordingsCutLater : [])
            }
            + [[.endsCut], [.lengthsDiffer, .recordingsCutLater, .endsCut]].map {
                (remarks: RecordingRemarks) in
                ClipMeasurement(
                    sampleRate: 8000, channels: 1, start: 0, duration: 1, isTruncated: remarks == .endsCut,
                    remarks: remarks)
            }
        var lengths: [Int] = []
        let positions = try measurements.enumerated().map { clip, measurement in
            let begin = writer.length
            writer.start(clip: clip)
            try writer.append(randomRows(2, seed: clip))
            let position = try writer.finish(finishedClip(rows: 2, seed: clip, measurement: measurement))
            lengths.append(writer.length - begin)
            return position
        }
        #expect(Set(lengths[1...]) == [lengths[0] + 12])
        for (position, measurement) in zip(positions, measurements) {
            #expect(try spool.reader().whole(at: position).clip.measurement == measurement)
        }
    }

    @Test func `a clip larger than a piece spans records, also after one that fills part of a piece`() throws {
        let writer = try spool.writer(0)
        let sizes = [1000, 800_000, 5, 262_144, 262_143, 300_000]
        let clips = sizes.enumerated().map { randomRows($1, bins: 1, seed: $0) }
        let positions = try clips.enumerated().map { try writer.write(clip: $0, $1, bins: 1, piece: 4000) }
        let reader = spool.reader()
        for (clip, position) in positions.enumerated() {
            let found = try reader.whole(at: position)
            #expect(found.values == clips[clip])
            #expect(found.clip.statistics.count == sizes[clip])
        }
        #expect(try reader.whole(at: positions[1]).records == 4)
        #expect(try reader.whole(at: positions[2]).records == 1)
    }

    @Test func `rows larger than a whole piece are one record`() throws {
        let writer = try spool.writer(0)
        let values = randomRows(700_000, bins: 1, seed: 9)
        let position = try writer.write(clip: 0, values, bins: 1, piece: .max)
        let found = try spool.reader().whole(at: position)
        #expect(found.records == 1 && found.values == values)
    }

    @Test func `a clip without rows comes back without rows`() throws {
        let writer = try spool.writer(0)
        let position = try writer.write(clip: 4, [])
        let found = try spool.reader().whole(at: position)
        #expect(found.records == 0 && found.values.isEmpty)
        #expect(found.clip == finishedClip(rows: 0, seed: 4))
    }

    @Test func `failures between clips keep stage and reason, and take no rows of their neighbours`() throws {
        let writer = try spool.writer(0)
        let before = try writer.write(clip: 0, randomRows(7, seed: 0))
        writer.start(clip: 1)
        try writer.append(randomRows(5, seed: 1))
        let failure = ClipFailure.damaged(frame: 3, .decoder("Muster 3 ist keine Zahl – Größe „∞“"))
        let failed = try writer.fail(failure)
        writer.start(clip: 2)
        let empty = try writer.fail(.cannotResample(input: 1, output: 2, words: ""))
        let after = try writer.write(clip: 3, randomRows(9, seed: 3))
        let reader = spool.reader()
        #expect(try reader.failure(at: failed) == FailureRecord(failure))
        #expect(try reader.failure(at: empty).kind == "cannot_resample")
        #expect(try reader.whole(at: before).values == randomRows(7, seed: 0))
        #expect(try reader.whole(at: after).values == randomRows(9, seed: 3))
    }

    @Test func `every failure comes back with stage, kind and reason`() throws {
        let writer = try spool.writer(0)
        for (failure, stage, kind, reason) in ClipFailureTable.rows {
            writer.start(clip: 0)
            let found = try spool.reader().failure(at: try writer.fail(failure))
            #expect(found == FailureRecord(stage: stage, kind: kind, reason: reason))
        }
    }

    @Test func `rows of a failed clip that were written already do not spoil the next clip`() throws {
        let writer = try spool.writer(0)
        let before = try writer.write(clip: 0, randomRows(100, seed: 0))
        writer.start(clip: 1)
        for piece in 0..<11 { try writer.append(randomRows(30_000, seed: piece)) }
        let size = try FileManager.default.attributesOfItem(atPath: SpoolFolder.filePath(spool.folder, number: 0))[
            .size]
        #expect(try #require(size as? Int) > 1 << 20, "the test means to fail after a piece was written")
        let failed = try writer.fail(.nonFiniteFeatures)
        let after = try writer.write(clip: 2, randomRows(50, seed: 2))
        let reader = spool.reader()
        #expect(try reader.whole(at: before).values == randomRows(100, seed: 0))
        #expect(try reader.failure(at: failed) == FailureRecord(.nonFiniteFeatures))
        #expect(try reader.whole(at: after).values == randomRows(50, seed: 2))
        #expect(try reader.whole(at: after).clip == finishedClip(rows: 50, seed: 2))
    }

    @Test func `records announced to the reader are read as others are, and damage in them is found`() throws {
        let writers = try (0..<2).map { try spool.writer($0) }
        let sizes = (0..<40).map { [3, 500, 9, 70_000, 300_000, 1][$0 % 6] }
        let positions = try sizes.enumerated().map { clip, size in
            try writers[clip / 4 % 2].write(clip: clip, randomRows(size, bins: 1, seed: clip), bins: 1)
        }
        let orders = [Array(0..<40), [5, 4, 6, 39, 0, 1, 2, 3], [7]]
        for order in orders {
            let reader = spool.reader()
            // The bytes before the first record may be more than there are, or fewer than its rows.
            for bytes in [{ 4 * sizes[$0] }, { _ in 0 }, { _ in 1 << 18 }] as [(Int) -> Int] {
                reader.expect(order.map { (positions[$0], bytes($0)) })
                for clip in order {
                    let found = try reader.whole(at: positions[clip])
                    #expect(found.values == randomRows(sizes[clip], bins: 1, seed: clip))
                    #expect(found.clip == finishedClip(rows: sizes[clip], bins: 1, seed: clip))
                }
            }
        }
        let path = SpoolFolder.filePath(spool.folder, number: 0)
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[positions[1].offset - 8] ^= 1
        try bytes.write(to: URL(filePath: path))
        let reader = spool.reader()
        reader.expect((0..<4).map { (positions[$0], 4 * sizes[$0]) })
        #expect(throws: StorageError.self) { try reader.whole(at: positions[1]) }
        #expect(try reader.whole(at: positions[2]).values == randomRows(sizes[2], bins: 1, seed: 2))
    }

    @Test func `every value of Float comes back bit for bit`() throws {
        let writer = try spool.writer(0)
        let values: [Float] = [.nan, -.infinity, .infinity, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude]
        let position = try writer.write(clip: 0, values)
        #expect(try spool.reader().whole(at: position).values.map(\.bitPattern) == values.map(\.bitPattern))
    }

    @Test func `a finished clip is not read as a failure, nor a failure as a clip`() throws {
        let writer = try spool.writer(0)
        let finished = try writer.write(clip: 0, randomRows(2, seed: 0))
        writer.start(clip: 1)
        let failed = try writer.fail(.isFolder)
        let reader = spool.reader()
        #expect(throws: StorageError.self) { try reader.failure(at: finished) }
        #expect(throws: StorageError.self) { try reader.finished(at: failed) }
    }
}
