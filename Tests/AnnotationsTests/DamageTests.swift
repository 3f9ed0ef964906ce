import FeatureModel
import Foundation
import Manifests
import TestSupport
import Testing

@testable import Annotations

struct DamageTests {
    /// The folder's files, with the tier of TextGrids.
    private static func files() throws -> [(name: String, bytes: [UInt8])] {
        let folder = Fixtures.folder.appending(path: "annotations")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            (name, Array(try Data(contentsOf: folder.appending(path: name))))
        }
    }

    @Test func `a file with any damage is read or refused, and its rows have finite times in order`() throws {
        var random = RandomSource(seed: 16)
        let files = try Self.files()
        #expect(files.count > 10)
        var options = AnnotationOptions()
        options.tier = "#1"
        var (readable, problems) = (0, 0)
        for (name, bytes) in files {
            for _ in 0..<150 {
                var damaged = bytes
                for _ in 0..<Int.random(in: 1...4, using: &random) where !damaged.isEmpty {
                    let index = Int.random(in: damaged.indices, using: &random)
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0: damaged[index] = UInt8.random(in: 0...255, using: &random)
                    case 1: damaged.remove(at: index)
                    case 2: damaged.insert(Array("\t\n,;\"-.9e<>&".utf8).randomElement(using: &random) ?? 0, at: index)
                    case 3: damaged.removeLast(min(damaged.count, Int.random(in: 1...40, using: &random)))
                    default: damaged.insert(contentsOf: damaged[index...].prefix(30), at: index)
                    }
                }
                let document = AnnotationDocument(path: "/d/" + name, bytes: damaged)
                guard let table = try? AnnotationTable(document: document, options: options) else { continue }
                readable += 1
                problems += table.content.problemCount
                for row in table.content.rows {
                    let annotation = try #require(row.annotation(rate: 8000), "\(name): \(row)")
                    #expect(annotation.end >= annotation.start && row.extra.count == table.content.columns.count)
                }
            }
        }
        #expect(readable > 500 && problems > 200, "\(readable) \(problems)")
    }

    @Test func `a file that is given by its first part has the format of the whole`() throws {
        let folder = try TemporaryFolder()
        for (name, bytes) in try Self.files() {
            let path = folder.path(name)
            // So long that a character may be cut.
            try Data(bytes + Array(String(repeating: "é", count: name.hasSuffix("txt") ? 0 : 40_001).utf8)).write(
                to: URL(filePath: path))
            let whole = AnnotationDocument(path: path, bytes: bytes)
            let start = try #require(AnnotationDocument(startOf: path))
            #expect(
                AnnotationTable.kind(of: start, options: AnnotationOptions())
                    == AnnotationTable.kind(of: whole, options: AnnotationOptions()), "\(name)")
        }
        #expect(AnnotationDocument(startOf: folder.path("none.txt")) == nil)
    }

    @Test func `files that are not annotations have no format`() throws {
        let texts = [
            "a.csv": "", "b.csv": "filename,fold,target\na.wav,1,dog\n", "c.txt": "The quick brown fox.\n",
            "d.txt": "Selection View Begin\n1 2 3\n", "e.xml": "<annotation/>", "f.txt": "1\n2\n",
        ]
        for (name, text) in texts {
            let document = AnnotationDocument(path: name, bytes: Array(text.utf8))
            #expect(AnnotationTable.kind(of: document, options: AnnotationOptions()) == nil, "\(name)")
        }
        let binary = AnnotationDocument(path: "a.txt", bytes: [0x89, 0x48, 0x44, 0x46, 0, 1, 2, 3])
        #expect(AnnotationTable.kind(of: binary, options: AnnotationOptions()) == nil)
    }
}
