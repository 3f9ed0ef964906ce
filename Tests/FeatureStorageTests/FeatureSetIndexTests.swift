import FileIO
import Foundation
import TestSupport
import Testing

@testable import FeatureStorage

struct FeatureSetIndexTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func member(_ name: String, clips: Int = 3, failures: Int = 1, rows: Int = 20)
        -> FeatureSetIndex.File
    {
        FeatureSetIndex.File(
            name: name, clips: clips, failures: failures, rows: rows, bytes: 5000,
            metadataChecksum: String(repeating: "a", count: 32), recordsChecksum: String(repeating: "b", count: 32))
    }

    private static let index = FeatureSetIndex(
        files: [member("x-00001-of-00002.h5"), member("x-00002-of-00002.h5", clips: 0, failures: 0, rows: 0)],
        manifestChecksum: "c", metadataChecksum: "d")

    private func read(_ text: String) throws -> FeatureSetIndex {
        try FeatureSetIndex(path: folder.write(text, to: "x.index.json"))
    }

    /// The index as JSON after a change of it.
    private func changed(_ change: (inout [String: Any]) -> Void) throws -> String {
        var object = try #require(try JSONSerialization.jsonObject(with: Data(Self.index.json)) as? [String: Any])
        change(&object)
        return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }

    private func text(ofFile change: (inout [String: Any]) -> Void) throws -> String {
        try changed { object in
            var files = object["files"] as? [[String: Any]] ?? []
            change(&files[0])
            object["files"] = files
        }
    }

    @Test func `an index comes back from its bytes`() throws {
        let path = folder.path("x.index.json")
        try Self.index.write(to: path, temporary: path + ".tmp")
        #expect(try FeatureSetIndex(path: path) == Self.index)
        #expect(Self.index.clips == 3 && Self.index.failures == 1 && Self.index.rows == 20)
        #expect(FeatureSetIndex.begins(path))
        #expect(try !FeatureSetIndex.begins(folder.write("path,label\n", to: "m.csv")))
        #expect(!FeatureSetIndex.begins(folder.path("nothing")) && !FeatureSetIndex.begins(folder.url.path))
        // What later versions add is ignored.
        #expect(try read(changed { $0["new"] = 1 }) == Self.index)
    }

    @Test func `a file that is not an index is refused with a reason`() throws {
        let cases: [(String, String)] = [
            ("", "not JSON"), ("{", "not JSON"), ("[1]", "another value than expected"), ("{}", "without \"format\""),
            (try changed { $0["format"] = "other" }, "another JSON file"),
            (try changed { $0["format_version"] = "2.0" }, "format_version 2.0"),
            (try changed { $0["files"] = [] }, "0 files"), (try changed { $0["clips"] = 4 }, "totals"),
            (try changed { $0["rows"] = 19 }, "totals"), (try changed { $0["failures"] = 0 }, "totals"),
            (try changed { $0["clips"] = "3" }, "another value than expected at clips"),
            (try changed { $0["files"] = [["name": "x"]] }, "without \"clips\" in files.0"),
            (try text(ofFile: { $0["name"] = "../x.h5" }), "not that of a file beside the index"),
            (try text(ofFile: { $0["name"] = "/etc/passwd" }), "not that of a file beside the index"),
            (try text(ofFile: { $0["name"] = ".." }), "not that of a file beside the index"),
            (try text(ofFile: { $0["name"] = "" }), "not that of a file beside the index"),
            (try text(ofFile: { $0["name"] = "x\0y" }), "not that of a file beside the index"),
            (try text(ofFile: { $0["name"] = "x-00002-of-00002.h5" }), "twice"),
            (try text(ofFile: { $0["clips"] = -1 }), "impossible counts"),
            (try text(ofFile: { $0["rows"] = Int.max }), "impossible counts"),
        ]
        for (text, reason) in cases {
            do {
                _ = try read(text)
                Issue.record("\(text) was read")
            } catch let error as StorageError {
                guard case .notFeatureSet(_, let found) = error else {
                    Issue.record("\(error)")
                    continue
                }
                #expect(found.contains(reason), "\(text): \(found)")
            }
        }
        #expect(throws: StorageError.self) { try FeatureSetIndex(path: folder.url.path) }
        #expect(throws: StorageError.self) { try FeatureSetIndex(path: folder.path("nothing")) }
    }

    @Test(arguments: [
        ("a/speech.h5", "a/speech-00002-of-00008.h5", "a/speech.index.json"),
        ("speech", "speech-00002-of-00008", "speech.index.json"),
        ("/x.y/speech.v1.hdf5", "/x.y/speech.v1-00002-of-00008.hdf5", "/x.y/speech.v1.index.json"),
        ("/x.y/speech", "/x.y/speech-00002-of-00008", "/x.y/speech.index.json"),
        ("a/.h5", "a/.h5-00002-of-00008", "a/.h5.index.json"),
    ])
    func `files are named after the output`(output: String, file: String, index: String) {
        let paths = FeatureSetPaths(output: output)
        #expect(paths.file(2, of: 8) == file && paths.index == index)
    }
}
