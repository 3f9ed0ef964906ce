import ConfigurationFiles
import Foundation
import TestSupport
import Testing

/// The tests compare and never write: 'make schema' does.
@Suite("Documents of the keys")
struct ConfigurationDocumentTests {
    private func file(_ name: String) throws -> String {
        try String(contentsOf: Fixtures.repository.appending(path: "Schemas/\(name)"), encoding: .utf8)
    }

    @Test("the schema is that of the tables of keys; 'make schema' rewrites it")
    func schema() throws {
        #expect(try file("configuration.schema.json") == ConfigurationDocument.schema.text())
    }

    @Test("the table of conventions.md is that of the tables of keys; 'make schema' rewrites it")
    func conventions() throws {
        let text = try file("conventions.md")
        let start = try #require(text.firstRange(of: "<!-- keys: written by 'make schema' -->\n"))
        let end = try #require(text.firstRange(of: "<!-- end of keys -->"))
        #expect(try text[start.upperBound..<end.lowerBound] == ConfigurationDocument.conventions.text())
    }
}
