import FileIO
import Foundation
import TestSupport
import Testing

@testable import Annotations

/// What crowsetta and praatIO read from the same files: see `make_annotation_goldens.py`.
struct GoldenTests {
    private struct Golden: Decodable {
        struct Checksum: Decodable {
            let count: Int
            let sha256: String
        }

        let files: [String: [[Cell]]]
        let real: [String: Checksum]
    }

    private enum Cell: Decodable, Equatable {
        case none
        case number(Double)
        case text(String)

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .none
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else {
                self = .text(try value.decode(String.self))
            }
        }
    }

    /// The samples of both XML files are at 32 kHz.
    private static let rate = 32_000

    private func rows(_ key: String, in folder: URL) throws -> [AnnotationRow] {
        var options = AnnotationOptions()
        let end = key.range(of: ".TextGrid")?.upperBound ?? key.endIndex
        if end < key.endIndex { options.tier = String(key[end...].dropFirst()) }
        let table = try AnnotationTable(path: folder.appending(path: String(key[..<end])).path, options: options)
        return table.content.rows
    }

    private func rounded(_ seconds: Double) -> Double { (seconds * 1e9).rounded() / 1e9 }

    @Test func `files of the project`() throws {
        let golden = try Fixtures.golden("annotation-goldens.json", as: Golden.self)
        #expect(golden.files.count == 14)
        for (name, expected) in golden.files {
            let found = try rows(name, in: Fixtures.folder.appending(path: "annotations")).map { row in
                let annotation = try #require(row.annotation(rate: Self.rate))
                let file = row.recording.map { Cell.text(URL(filePath: $0).lastPathComponent) } ?? .none
                let edges = [row.low, row.high].compactMap { $0.map { Cell.number($0) } }
                return [file, .number(rounded(annotation.start)), .number(rounded(annotation.end)), .text(row.label)]
                    + edges
            }
            #expect(found == expected, "\(name)")
        }
    }

    @Test(.needsCollection)
    func `real songs, calls and words`() throws {
        let golden = try Fixtures.golden("annotation-goldens.json", as: Golden.self)
        let folder = try Fixtures.collection()
        #expect(golden.real.count > 25)
        for (name, expected) in golden.real {
            let lines = try rows(name, in: folder).map { row in
                let annotation = try #require(row.annotation(rate: Self.rate))
                let file = row.recording.map { URL(filePath: $0).lastPathComponent } ?? ""
                return "\(file)\t\(String(format: "%.9f", rounded(annotation.start)))\t"
                    + "\(String(format: "%.9f", rounded(annotation.end)))\t\(row.label)\n"
            }.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
            var hash = SHA256Hash()
            Array(lines.joined().utf8).withUnsafeBytes { hash.update($0) }
            #expect(lines.count == expected.count, "\(name)")
            #expect(hash.finish() == expected.sha256, "\(name)")
        }
    }
}
