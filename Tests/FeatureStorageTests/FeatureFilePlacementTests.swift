import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import FeatureStorage

struct FeatureFilePlacementTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("features.h5")
    }

    @Test(arguments: [(1, 1), (1, 3), (12, 80), (204, 80), (205, 80), (820, 20), (4096, 4), (20_000, 80)])
    func `rows begin on a multiple of 4096 bytes, and lie there as they were written`(rows: Int, bins: Int) throws {
        let file = SampleFile(rowCounts: [rows], bins: bins)
        try file.write(to: path)
        let offset = try #require(try FeatureReader(path: path).featuresOffset())
        #expect(offset > 0 && offset % 4096 == 0)
        let bytes = try Data(contentsOf: URL(filePath: path))
        let raw = file.values.withUnsafeBytes { Data($0) }
        #expect(bytes[offset..<offset + raw.count] == raw)
    }

    @Test func `equal content is equal bytes, whatever was written in between`() throws {
        var file = SampleFile(rowCounts: [30, 0, 200])
        file.failures = [StoredFailure(id: "bad", path: "x.wav", failure: FailureRecord(.isFolder))]
        file.extraColumns = ["note", "a/b"]
        for clip in file.clips.indices { file.change(clip, extra: ["n\(clip)", ""]) }
        try file.write(to: path)
        let first = try Data(contentsOf: URL(filePath: path))
        try SampleFile(rowCounts: [9, 9, 9, 9], bins: 40, seed: 5).write(to: folder.path("between.h5"))
        // HDF5 counts time in whole seconds.
        Thread.sleep(forTimeInterval: 1.1)
        try file.write(to: folder.path("again.h5"))
        #expect(try Data(contentsOf: URL(filePath: folder.path("again.h5"))) == first)
    }

    @Test func `no file has the final name before the end, and there is no other after it`() throws {
        let writer = try SampleFile().begin(at: path)
        #expect(try folder.names() == ["features.h5.tmp"])
        try writer.finish()
        #expect(try folder.names() == ["features.h5"])
    }

    @Test func `an older file is intact until the end, and is replaced then`() throws {
        let older = SampleFile(seed: 7)
        try older.write(to: path)
        let newer = SampleFile(rowCounts: [2], seed: 8)
        let writer = try newer.begin(at: path)
        let reader = try FeatureReader(path: path)
        #expect(try reader.rows(0..<12).values == older.values)
        try writer.finish()
        #expect(try FeatureReader(path: path).rows(0..<2).values == newer.values)
        #expect(try reader.rows(0..<12).values == older.values, "a reader keeps the file that it has opened")
    }

    @Test func `a file that came, went or changed meanwhile is left as it is`() throws {
        for (before, meanwhile) in [(nil, "my thesis"), ("mine", "my thesis"), ("mine", nil)] as [(String?, String?)] {
            func put(_ text: String?) throws {
                try? FileManager.default.removeItem(atPath: path)
                if let text { try Data(text.utf8).write(to: URL(filePath: path)) }
            }
            try put(before)
            let existing = FileStamp(path: path)
            let writer = try SampleFile().begin(at: path)
            try put(meanwhile)
            do {
                try writer.finish(inPlaceOf: existing)
                Issue.record("\(meanwhile ?? "nothing") was replaced")
            } catch {
                #expect(error as? StorageError == .changedMeanwhile(path: path))
            }
            #expect((try? Data(contentsOf: URL(filePath: path))) == meanwhile.map { Data($0.utf8) })
            try put(before)
            try SampleFile().begin(at: path).finish(inPlaceOf: FileStamp(path: path))
            #expect(try FeatureReader(path: path).verify().isEmpty)
        }
    }

    @Test func `a file that lacks clips or failures is not finished`() throws {
        let older = SampleFile(seed: 7)
        try older.write(to: path)
        let file = SampleFile()
        var writer = try FeatureFileWriter.create(
            path: path, temporary: path + ".tmp", header: file.header, widths: file.widths)
        try writer.append(Array(file.clips.prefix(2)))
        do {
            try writer.finish()
            Issue.record("a file without its third clip was finished")
        } catch {
            #expect("\(error)".contains("2 clips and 0 failures instead of 3 and 0"))
        }
        #expect(try FeatureReader(path: path).rows(0..<12).values == older.values)
    }

    @Test func `a leftover of an interrupted run is overwritten, even where it is longer`() throws {
        let file = SampleFile()
        try file.write(to: path)
        let expected = try Data(contentsOf: URL(filePath: path))
        try FileManager.default.removeItem(atPath: path)
        try Data(repeating: 0xA5, count: 500_000).write(to: URL(filePath: path + ".tmp"))
        try file.write(to: path)
        #expect(try Data(contentsOf: URL(filePath: path)) == expected)
    }

    @Test func `a folder that is not there is named`() throws {
        let missing = folder.path("no/features.h5")
        let error = #expect(throws: StorageError.self) { try SampleFile().write(to: missing) }
        guard case .hdf5("creating the file", missing + ".tmp", _, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
