import ClipSpool
import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import ClipSpool

struct SpoolDamageTests {
    private let folder: TemporaryFolder
    private let spool: Spool
    private let finished: SpoolPosition
    private let failed: SpoolPosition
    private let intact: Data

    private var file: URL { URL(filePath: SpoolFolder.filePath(spool.folder, number: 0)) }

    init() throws {
        folder = try TemporaryFolder()
        spool = try Spool(folder: folder.path("out.spool"))
        let writer = try spool.writer(0)
        finished = try writer.write(clip: 0, randomRows(2, seed: 1))
        writer.start(clip: 1)
        failed = try writer.fail(.noSamples)
        intact = try Data(contentsOf: URL(filePath: SpoolFolder.filePath(spool.folder, number: 0)))
    }

    /// Whether everything reads as it was written; false: it was found to be damaged.
    private func isIntact() throws -> Bool {
        let reader = spool.reader()
        do {
            let found = try reader.whole(at: finished)
            let failure = try reader.failure(at: failed)
            #expect(found.values == randomRows(2, seed: 1))
            #expect(found.clip == finishedClip(rows: 2, seed: 0))
            #expect(failure == FailureRecord(.noSamples))
            return true
        } catch StorageError.damaged(let path, _) {
            #expect(path == file.path)
            return false
        }
    }

    @Test func `a changed byte anywhere in a record is found`() throws {
        #expect(try isIntact())
        for offset in intact.indices {
            for change: UInt8 in [0x01, 0x80, 0xFF] {
                var damaged = intact
                damaged[offset] ^= change
                try RawFile.write(damaged, to: file.path)
                #expect(try !isIntact(), "byte \(offset) xor \(change)")
            }
        }
    }

    @Test func `a file cut off anywhere is found`() throws {
        for length in 0..<intact.count {
            try RawFile.write(intact.prefix(length), to: file.path)
            #expect(try !isIntact(), "cut after \(length) bytes")
        }
    }

    @Test func `swapped records are found by their kind, and a position within a record is refused`() throws {
        let reader = spool.reader()
        for offset in 1..<intact.count where offset != finished.offset && offset != failed.offset {
            #expect(throws: StorageError.self) { try reader.finished(at: SpoolPosition(file: 0, offset: offset)) }
            #expect(throws: StorageError.self) { try reader.failure(at: SpoolPosition(file: 0, offset: offset)) }
        }
        #expect(throws: StorageError.self) { try reader.finished(at: SpoolPosition(file: 0, offset: 0)) }
    }

    @Test func `a spool file that is gone is named`() throws {
        try FileManager.default.removeItem(at: file)
        let error = #expect(throws: StorageError.self) { try spool.reader().finished(at: finished) }
        #expect(error == .system(operation: "opening the spool file", path: file.path, code: ENOENT))
    }
}
