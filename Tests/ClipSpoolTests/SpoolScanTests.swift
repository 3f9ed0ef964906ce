import ClipSpool
import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import ClipSpool

/// What a run finds when it continues an interrupted one.
struct SpoolScanTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("out.spool") }

    init() throws { folder = try TemporaryFolder() }

    private func file(_ number: Int = 0) -> String { SpoolFolder.filePath(path, number: number) }

    /// The clips that a spool has, as the last record of each says: its rows, or −1 where it has failed.
    private func clips(_ spool: Spool) throws -> [Int: (position: SpoolPosition, rows: Int)] {
        var clips: [Int: (position: SpoolPosition, rows: Int)] = [:]
        try spool.scan { entry in
            switch entry {
            case .finished(let clip, let position, let rows, _): clips[clip] = (position, rows)
            case .failed(let clip, let position): clips[clip] = (position, -1)
            }
        }
        return clips
    }

    @Test func `clips of several files are found with their rows and failures`() throws {
        var positions: [SpoolPosition] = []
        do {
            let spool = try Spool(folder: path)
            let writers = try [0, 3].map { try spool.writer($0) }
            for clip in 0..<12 {
                let writer = writers[clip % 2]
                if clip % 5 == 4 {
                    writer.start(clip: clip, recording: FileStamp(byteCount: 5, modified: 6))
                    try writer.append(randomRows(200_000, seed: clip))
                    positions.append(try writer.fail(.noSamples))
                } else {
                    positions.append(try writer.write(clip: clip, randomRows(clip * 40_000, seed: clip)))
                }
            }
        }
        let spool = try Spool(folder: path)
        let found = try clips(spool)
        #expect(found.count == 12)
        for clip in 0..<12 {
            #expect(found[clip]?.position == positions[clip])
            #expect(found[clip]?.rows == (clip % 5 == 4 ? -1 : clip * 40_000), "clip \(clip)")
        }
        let reader = spool.reader()
        #expect(try reader.failed(at: positions[4]).recording == FileStamp(byteCount: 5, modified: 6))
        #expect(try reader.whole(at: positions[11]).values == randomRows(440_000, seed: 11))
    }

    @Test(arguments: [(1 << 62, 3), (1 << 40, 1 << 22), (.max, 1), (1, 3)])
    func `a record that says of more rows than its file has ends what counts, however many`(rows: Int, bins: Int) throws
    {
        do {
            let writer = try Spool(folder: path).writer(0)
            _ = try writer.write(clip: 0, randomRows(2, seed: 0))
            writer.start(clip: 1)
            let few = finishedClip(rows: 1, bins: min(bins, 1000))
            let statistics = few.statistics
            _ = try writer.finish(
                FinishedClip(
                    measurement: few.measurement, audioChecksum: few.audioChecksum,
                    statistics: BinStatistics(
                        count: rows, mean: statistics.mean, squaredDistance: statistics.squaredDistance,
                        minimum: statistics.minimum, maximum: statistics.maximum)))
        }
        let found = try clips(Spool(folder: path))
        #expect(found.keys.sorted() == [0])
    }

    @Test(arguments: ["clips--1.spool", "clips-65534.spool", "clips-70000.spool", "clips-007.spool", "clips-.spool"])
    func `a file whose name no run gives is not taken for one of clips`(name: String) throws {
        do { _ = try Spool(folder: path).writer(1).write(clip: 4, randomRows(2, seed: 4)) }
        try RawFile.write(Data(contentsOf: URL(filePath: file(1))), to: path + "/" + name)
        let found = try clips(Spool(folder: path))
        #expect(found.keys.sorted() == [4])
        #expect(found[4]?.position.file == 1)
    }

    /// A file with clips of 3, 0 and 5 rows, one that failed, one of 2 rows; and the end of each record that completes one.
    private func makeFile() throws -> (bytes: Data, ends: [Int]) {
        let spool = try Spool(folder: path)
        let writer = try spool.writer(0)
        var ends: [Int] = []
        for (clip, rows) in [3, 0, 5, -1, 2].enumerated() {
            if rows < 0 {
                writer.start(clip: clip)
                _ = try writer.fail(.isFolder)
            } else {
                _ = try writer.write(clip: clip, randomRows(rows, seed: clip))
            }
            ends.append(writer.length)
        }
        return (try Data(contentsOf: URL(filePath: file())), ends)
    }

    @Test func `cut off at any byte, the clips that are complete count, and the next writer goes on behind them`()
        throws
    {
        let (bytes, ends) = try makeFile()
        #expect(ends.last == bytes.count)
        for length in 0...bytes.count {
            try RawFile.write(bytes.prefix(length), to: file())
            let spool = try Spool(folder: path)
            let complete = ends.count { $0 <= length }
            #expect(try clips(spool).keys.sorted() == Array(0..<complete), "cut after \(length) bytes")
            let writer = try spool.writer(0)
            #expect(writer.length == (complete > 0 ? ends[complete - 1] : 0))
            let position = try writer.write(clip: 9, randomRows(4, seed: 9))
            #expect(try spool.reader().whole(at: position).values == randomRows(4, seed: 9))
        }
    }

    @Test func `a changed byte costs its clip and those behind it, never one before it, and never a wrong value`()
        throws
    {
        let (bytes, ends) = try makeFile()
        for offset in bytes.indices {
            for change: UInt8 in [0x01, 0x80] {
                var damaged = bytes
                damaged[offset] ^= change
                try RawFile.write(damaged, to: file())
                let before = ends.count { $0 <= offset }
                let spool = try Spool(folder: path)
                #expect(try clips(spool).keys.sorted() == Array(0..<before), "byte \(offset) xor \(change)")
            }
        }
    }

    @Test func `rows without the record that completes them do not count, and are cut off`() throws {
        do {
            let spool = try Spool(folder: path)
            let writer = try spool.writer(0)
            _ = try writer.write(clip: 0, randomRows(3, seed: 0))
            writer.start(clip: 1)
            for piece in 0..<11 { try writer.append(randomRows(30_000, seed: piece)) }
        }
        let whole = try Data(contentsOf: URL(filePath: file())).count
        let spool = try Spool(folder: path)
        #expect(try clips(spool).keys.sorted() == [0])
        #expect(try spool.writer(0).length < whole)
        #expect(try Data(contentsOf: URL(filePath: file())).count < 1000)
    }

    @Test func `a clip that is withdrawn does not count, however often it is read again`() throws {
        var positions: [SpoolPosition] = []
        do {
            let spool = try Spool(folder: path)
            let writers = try [0, 1].map { try spool.writer($0) }
            for clip in 0..<6 { positions.append(try writers[clip % 2].write(clip: clip, randomRows(2, seed: clip))) }
        }
        do {
            let spool = try Spool(folder: path)
            _ = try clips(spool)
            try spool.withdraw([positions[1], positions[2], positions[4]])
            // By another writer than the first time.
            _ = try spool.writer(0).write(clip: 1, randomRows(7, seed: 1))
            _ = try spool.writer(1).write(clip: 2, randomRows(9, seed: 2))
        }
        let spool = try Spool(folder: path)
        let found = try clips(spool)
        #expect(found.mapValues(\.rows) == [0: 2, 1: 7, 2: 9, 3: 2, 5: 2])
        #expect(try spool.reader().whole(at: #require(found[2]).position).values == randomRows(9, seed: 2))
    }

    @Test func `a stamp tells a file that is missing, longer, or changed`() throws {
        let path = folder.path("a.wav")
        #expect(FileStamp(path: path) == .absent)
        try Data([1, 2, 3]).write(to: URL(filePath: path))
        let first = FileStamp(path: path)
        #expect(first.byteCount == 3 && first != .absent && first == FileStamp(path: path))
        try Data([1, 2]).write(to: URL(filePath: path))
        #expect(FileStamp(path: path) != first)
        let (now, later) = (FileStamp(path: path), Date(timeIntervalSinceNow: 5))
        try FileManager.default.setAttributes([.modificationDate: later], ofItemAtPath: path)
        #expect(FileStamp(path: path) != now && FileStamp(path: path).byteCount == 2)
    }
}
