import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import ClipSpool

struct SpoolSummaryTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("part") }

    init() throws { folder = try TemporaryFolder() }

    /// A spool of two files with 12 clips, of which some have failed; some were withdrawn and written again.
    private func makeSpool() throws -> [Int: [Float]] {
        let spool = try Spool(folder: path)
        try spool.start(identity: "{}")
        let writers = try [0, 3].map { try spool.writer($0) }
        let index = SpoolIndex(clips: 12)
        var rows: [Int: [Float]] = [:]
        for clip in 0..<12 {
            let writer = writers[clip % 2]
            if clip % 5 == 4 {
                writer.start(clip: clip, recording: FileStamp(byteCount: 5, modified: 6))
                index[clip] = .failed(try writer.fail(.noSamples))
            } else {
                let own = randomRows(clip * 4_000, seed: clip)
                index[clip] = .spooled(try writer.write(clip: clip, own), rows: own.count / 3)
                rows[clip] = own
            }
        }
        try spool.synchronize()
        try spool.writeSummaries(of: index)
        spool.unlock()
        return rows
    }

    /// What the folder says of each clip: its rows; nil: it has failed.
    private func read() throws -> [Int: [Float]?] {
        let contents = try ShardContents([path], in: folder.url.path)
        #expect(contents.fileCount == 2)
        var found: [Int: [Float]?] = [:]
        let reader = contents.reader()
        for file in 0..<contents.fileCount {
            try contents.scan(file: file) { entry in
                switch entry {
                case .finished(let clip, let position, let rows, let seconds):
                    let whole = try? reader.whole(at: position)
                    #expect(whole?.clip.statistics.count == rows && whole?.clip.duration == seconds)
                    found[clip] = whole?.values ?? []
                case .failed(let clip, let position):
                    #expect((try? reader.failed(at: position))?.recording == FileStamp(byteCount: 5, modified: 6))
                    found.updateValue(nil, forKey: clip)
                }
            }
        }
        return found
    }

    private func summary(_ number: Int = 0) -> String { SpoolFolder.summaryPath(path, number: number) }

    private func check(_ found: [Int: [Float]?], _ rows: [Int: [Float]]) {
        #expect(found.count == 12)
        for clip in 0..<12 { #expect(found[clip] == .some(rows[clip])) }
    }

    @Test func `a summary says where the rows of each clip are`() throws {
        let rows = try makeSpool()
        check(try read(), rows)
        // Less than what it is of, and a small file of few clips.
        #expect(
            FileStamp(path: summary()).byteCount < FileStamp(path: SpoolFolder.filePath(path, number: 0)).byteCount / 50
        )
    }

    @Test func `rows are not read for it`() throws {
        _ = try makeSpool()
        let file = SpoolFolder.filePath(path, number: 0)
        var bytes = try [UInt8](Data(contentsOf: URL(filePath: file)))
        bytes[100_000] ^= 1
        try Data(bytes).write(to: URL(filePath: file))
        let contents = try ShardContents([path], in: folder.url.path)
        var count = 0
        for file in 0..<2 { try contents.scan(file: file) { _ in count += 1 } }
        #expect(count == 12)
        // Nor is the damage overlooked where they are.
        unlink(summary())
        let again = try ShardContents([path], in: folder.url.path)
        #expect(throws: StorageError.self) { try again.scan(file: 0) { _ in } }
    }

    @Test(arguments: ["missing", "cut off", "empty", "longer", "another's", "changed"])
    func `without an intact summary the file itself is read`(damage: String) throws {
        let rows = try makeSpool()
        let url = URL(filePath: summary())
        var data = try Data(contentsOf: url)
        switch damage {
        case "missing": unlink(summary())
        case "cut off": try data.dropLast(40).write(to: url)
        case "empty": try Data().write(to: url)
        case "longer": try (data + data).write(to: url)
        case "another's": try Data(contentsOf: URL(filePath: summary(3))).write(to: url)
        default:
            data[data.count / 2] ^= 1
            try data.write(to: url)
        }
        check(try read(), rows)
    }

    @Test func `a summary is one of the files that a run deletes`() throws {
        _ = try makeSpool()
        for name in ["clips-0.summary", "clips-3.summary"] { #expect(SpoolFolder.isOwn(name)) }
        for name in ["clips-00.summary", "clips-.summary", "clips--1.summary", "notes.summary"] {
            #expect(!SpoolFolder.isOwn(name))
        }
        Spool.removeUnlocked(folder: path)
        #expect(FileStatus(path: path) == nil)
    }
}
