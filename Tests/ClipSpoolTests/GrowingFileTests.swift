import ClipSpool
import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import ClipSpool

struct GrowingFileTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("file") }

    init() throws { folder = try TemporaryFolder() }

    private func write(_ text: String, to file: GrowingFile, at offset: Int) throws {
        try Array(text.utf8).withUnsafeBytes { try file.write($0, at: offset) }
    }

    @Test func `only bytes of that age are waited for, and after one failure every call fails`()
        throws
    {
        let file = try GrowingFile(path: path, length: 0)
        try write("abc", to: file, at: 0)
        try FileManager.default.removeItem(atPath: path)
        // So far nothing has found that it is gone.
        try file.synchronize(ifOlderThan: .seconds(3600))
        for age in [Duration.zero, .seconds(3600), .zero] {
            let error = #expect(throws: StorageError.self) { try file.synchronize(ifOlderThan: age) }
            #expect(
                error == .system(operation: "writing to a file that is not there any more", path: path, code: ENOENT))
        }
    }

    @Test func `without a change there is nothing to do, not even where the file is gone`() throws {
        let file = try GrowingFile(path: path, length: 0)
        try write("abc", to: file, at: 0)
        try file.synchronize()
        try FileManager.default.removeItem(atPath: path)
        try file.synchronize()
        try file.truncate(to: 1)
        #expect(throws: StorageError.self) { try file.synchronize() }
    }

    @Test func `a file is cut to the length that it is opened with, and not opened where it has to be new`() throws {
        try write("abcdef", to: GrowingFile(path: path, length: 0), at: 2)
        #expect(throws: StorageError.self) { try GrowingFile(path: path, length: 0, isNew: true) }
        let file = try GrowingFile(path: path, length: 4)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data([0, 0, 97, 98]))
        var bytes = [UInt8](repeating: 0, count: 2)
        try bytes.withUnsafeMutableBytes { try file.file.read(into: $0, at: 2) }
        #expect(bytes == [97, 98])
    }

    @Test func `bytes past the greatest possible offset are not written`() throws {
        let file = try GrowingFile(path: path, length: 0)
        let error = #expect(throws: StorageError.self) {
            try write("abc", to: file, at: SpoolPosition.maximumOffset - 2)
        }
        guard case .system("writing the spool file", path, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try Data(contentsOf: URL(filePath: path)).isEmpty)
    }
}
