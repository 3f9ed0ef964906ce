import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import ClipSpool

/// Rows that are written to where they will lie in the feature file.
struct InPlaceRowsTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("out.spool") }
    private let bins = 3

    init() throws { folder = try TemporaryFolder() }

    /// Writes a clip whose rows were announced as `most` and begin at `start`.
    private func write(
        _ clip: Int, _ values: [Float], most: Int? = nil, at start: Int?, to writer: SpoolWriter, piece: Int = 30_000
    ) throws -> SpoolPosition {
        writer.start(clip: clip)
        writer.reserve { start.map { $0..<$0 + (most ?? values.count / bins) } }
        for first in stride(from: 0, to: values.count, by: piece) {
            try writer.append(Array(values[first..<min(first + piece, values.count)]))
        }
        return try writer.finish(finishedClip(rows: values.count / bins, seed: clip))
    }

    private func found(_ spool: Spool) throws -> [Int] {
        var clips: [Int] = []
        let damaged = try spool.scan { if case .finished(let clip, _, _, _) = $0 { clips.append(clip) } }
        #expect(damaged.isEmpty)
        return clips
    }

    private func overwrite(_ byte: Int) throws {
        let file = path + "/rows"
        var bytes = try Data(contentsOf: URL(filePath: file))
        bytes[byte] ^= 4
        try RawFile.write(bytes, to: file)
    }

    @Test func `rows lie one clip behind the other, whichever writer and however many pieces, and are read back`()
        throws
    {
        let clips = [randomRows(5, seed: 1), randomRows(500_000, seed: 2), randomRows(1, seed: 3)]
        do {
            let spool = try Spool(folder: path)
            let rows = try spool.inPlaceRows(bins: bins)
            let writers = try (0..<2).map { try spool.writer($0, rows: rows) }
            let last = try write(2, clips[2], at: 500_005, to: writers[0])
            let long = try write(1, clips[1], at: 5, to: writers[1], piece: 29_999)
            let first = try write(0, clips[0], at: 0, to: writers[0])
            let reader = spool.reader()
            for (position, values) in zip([first, long, last], clips) {
                #expect(try reader.whole(at: position).values == values)
            }
            #expect(try reader.finished(at: long).inPlace?.row == 5)
            try rows.synchronize()
            try spool.synchronize()
        }
        let bytes = try Data(contentsOf: URL(filePath: path + "/rows"))
        #expect(bytes.count == InPlaceRows.offset + clips.reduce(0) { $0 + $1.count } * 4)
        #expect(
            bytes.dropFirst(InPlaceRows.offset)
                == clips.reduce(into: Data()) { data, clip in
                    clip.withUnsafeBytes { data.append(contentsOf: $0) }
                })
        #expect(try found(Spool(folder: path)).sorted() == [0, 1, 2])
        for number in 0..<2 {
            let size = try Data(contentsOf: URL(filePath: SpoolFolder.filePath(path, number: number))).count
            #expect(size < 1000, "no rows among the records")
        }
    }

    @Test func `space reserved ahead of rows is released with the bytes around them`() throws {
        let spool = try Spool(folder: path)
        let rows = try spool.inPlaceRows(bins: bins)
        let values = randomRows(100_000, seed: 1)
        _ = try write(0, values, at: 0, to: spool.writer(0, rows: rows))
        let size = InPlaceRows.offset + values.count * 4
        #expect(FileStatus(path: path + "/rows")?.byteCount == size, "no byte longer")
        try RawFile.write(Data(count: size + 100), to: folder.path("frame"))
        try rows.complete(with: folder.path("frame"), rows: 100_000)
        var status = stat()
        #expect(stat(path + "/rows", &status) == 0 && Int(status.st_size) == size + 100)
        #expect(Int(status.st_blocks) * 512 < size + 1 << 20, "reserved space was not given back")
    }

    @Test(arguments: [700_000, 100])
    func `more rows than were announced, and rows without an offset, go to the spool file`(rows: Int) throws {
        let spool = try Spool(folder: path)
        let placed = try spool.inPlaceRows(bins: bins)
        let writer = try spool.writer(0, rows: placed)
        let (long, behind) = (randomRows(rows, seed: 1), randomRows(9, seed: 2))
        let next = try write(1, behind, at: rows - 1, to: writer)
        let position = try write(0, long, most: rows - 1, at: 0, to: writer)
        let nowhere = try write(2, behind, at: nil, to: writer)
        let reader = spool.reader()
        #expect(try reader.finished(at: position).inPlace == nil && reader.finished(at: nowhere).inPlace == nil)
        #expect(try reader.whole(at: position).values == long && reader.whole(at: nowhere).values == behind)
        #expect(try reader.whole(at: next).values == behind, "another's rows are not written over")
        #expect(try found(spool) == [1, 0, 2])
        // A clip that failed, and then one without an offset, leave nothing behind in the writer.
        writer.start(clip: 3)
        writer.reserve { 50_000_000..<50_000_005 }
        try writer.append(randomRows(2, seed: 3))
        _ = try writer.fail(.noSamples)
        #expect(try reader.whole(at: writer.write(clip: 4, behind)).values == behind)
    }

    @Test func `rows that are not what they were do not count, those of other clips do`() throws {
        let values = (0..<4).map { randomRows(100, seed: $0) }
        var positions: [SpoolPosition] = []
        do {
            let spool = try Spool(folder: path)
            let rows = try spool.inPlaceRows(bins: bins)
            let writer = try spool.writer(0, rows: rows)
            for clip in 0..<4 { positions.append(try write(clip, values[clip], at: 100 * clip, to: writer)) }
        }
        try overwrite(InPlaceRows.offset + 199 * 12 + 11)
        let spool = try Spool(folder: path)
        #expect(try found(spool) == [0, 2, 3])
        #expect(throws: StorageError.self) { try spool.reader().whole(at: positions[1]) }
        #expect(try spool.reader().whole(at: positions[3]).values == values[3])
        // As after a power cut: what was written last is not there.
        try RawFile.write(
            Data(contentsOf: URL(filePath: path + "/rows")).prefix(InPlaceRows.offset + 250 * 12), to: path + "/rows")
        #expect(try found(spool) == [0])
    }

    @Test func `rows that another has written over are not taken back as if they were right`() throws {
        let spool = try Spool(folder: path)
        let placed = try spool.inPlaceRows(bins: bins)
        let writers = try (0..<2).map { try spool.writer($0, rows: placed) }
        let long = randomRows(400_000, seed: 1)
        writers[0].start(clip: 0)
        writers[0].reserve { 0..<200_000 }
        try writers[0].append(Array(long[..<400_000]))
        // No two clips are given the same rows; if they were, it would not go unseen.
        _ = try write(1, randomRows(10, seed: 2), at: 50_000, to: writers[1])
        let error = #expect(throws: StorageError.self) { try writers[0].append(Array(long[400_000...])) }
        guard case .damaged(path + "/rows", _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a file of rows that is there is not begun anew`() throws {
        let spool = try Spool(folder: path)
        let writer = try spool.writer(0, rows: spool.inPlaceRows(bins: bins))
        let position = try write(0, randomRows(10, seed: 1), at: 0, to: writer)
        #expect(throws: StorageError.self) { try spool.inPlaceRows(bins: bins) }
        #expect(try spool.reader().whole(at: position).values == randomRows(10, seed: 1))
        try spool.start(identity: "another run")
        _ = try spool.inPlaceRows(bins: bins)
    }

    @Test(arguments: [(Int.max - 5, 10, 3), (.max / 12, 1, 3), (0, 10, 0), (0, 0, 3), (-1, 10, 3)])
    func `rows that no file can have are refused`(row: Int, count: Int, bins: Int) throws {
        var buffer = ByteBuffer(capacity: 100)
        buffer.append(Checksum128(high: 1, low: 2))
        var cursor = ByteCursor(buffer.bytes)
        let zeros = [Double](repeating: 0, count: bins)
        let statistics = BinStatistics(
            count: count, mean: zeros, squaredDistance: zeros, minimum: zeros.map { Float($0) },
            maximum: zeros.map { Float($0) })
        #expect(InPlaceClip(row: row, statistics, &cursor) == nil)
    }

    @Test func `without the file of rows, clips are known, but not their rows`() throws {
        let spool = try Spool(folder: path)
        let writer = try spool.writer(0, rows: spool.inPlaceRows(bins: bins))
        let position = try write(0, randomRows(10, seed: 1), at: 0, to: writer)
        #expect(try spool.contents()?.hasRows == true)
        try FileManager.default.removeItem(atPath: path + "/rows")
        #expect(try spool.contents()?.hasRows == false && found(spool) == [0])
        #expect(try spool.reader().finished(at: position).clip == finishedClip(rows: 10, seed: 0))
        #expect(throws: StorageError.self) { try spool.reader().whole(at: position) }
    }

    @Test func `every byte of a record that says where rows are is checked`() throws {
        do {
            let spool = try Spool(folder: path)
            let writer = try spool.writer(0, rows: spool.inPlaceRows(bins: bins))
            _ = try write(0, randomRows(10, seed: 1), at: 0, to: writer)
        }
        let file = SpoolFolder.filePath(path, number: 0)
        let bytes = try Data(contentsOf: URL(filePath: file))
        for offset in bytes.indices {
            var damaged = bytes
            damaged[offset] ^= 0x20
            try RawFile.write(damaged, to: file)
            var count = 0
            _ = try Spool(folder: path).scan { _ in count += 1 }
            #expect(count == 0, "byte \(offset)")
        }
    }
}
