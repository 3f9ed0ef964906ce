import Foundation
import TestSupport
import Testing

@testable import Annotations

struct BirdNETTests {
    @Test(arguments: [
        "BirdNET.results.csv", "BirdNET.selection.table.txt", "BirdNET.results.txt", "BirdNET.results.kaleidoscope.csv",
        "BirdNET.results.r.csv",
    ])
    func `every form says the same`(name: String) throws {
        let path = Fixtures.folder.appending(path: "annotations/\(name)").path
        let table = try AnnotationTable(path: path)
        #expect(table.kind == .birdNET && table.content.isPadded)
        let rows = table.content.rows.filter { $0.recording?.contains("dusk") != true }
        #expect(rows.map(\.label) == ["Eurasian Blackbird", "European Robin", "Eurasian Blackbird"])
        #expect(rows.map(\.confidence) == [0.9134, 0.1031, 0.41])
        #expect(rows.compactMap(\.times.seconds?.start) == [0, 3, 9])
        #expect(rows.compactMap(\.times.seconds?.end) == [3, 6, 12])
        let isAudacity = name == "BirdNET.results.txt"
        #expect(rows.compactMap(\.recording).count == (isAudacity ? 0 : 3))
        #expect(rows.allSatisfy { isAudacity || $0.recording == "/home/someone/recordings/day.wav" })
        if let column = table.content.columns.firstIndex(of: "scientific_name") {
            #expect(rows.map { $0.extra[column] } == ["Turdus merula", "Erithacus rubecula", "Turdus merula"])
        } else {
            #expect(name == "BirdNET.selection.table.txt")
        }
    }

    @Test func `in a table of several recordings, times count from the start of each, and 'nocall' is not a detection`()
        throws
    {
        let path = Fixtures.folder.appending(path: "annotations/BirdNET.selection.table.txt").path
        let rows = try AnnotationTable(path: path).content.rows
        #expect(rows.map(\.label).contains("nocall") == false)
        #expect(
            rows.last.map { shown($0) }?.hasPrefix(
                "3.5-6.5 Tawny Owl 0.0…15000.0 Hz in /home/someone/recordings/dusk.wav") == true)
    }

    @Test func `the label may be another column; commas that are not quoted are reported`() throws {
        let text = "Start (s),End (s),Scientific name,Common name,Confidence\n0,3,Turdus merula,Blackbird,0.5\n"
        let found = try content(text, name: "a.csv") { $0.labelColumn = "scientific name" }.content
        #expect(found.rows.map(\.label) == ["Turdus merula"])
        let damaged = try content(text + "3,6,Homo sapiens,Human, vocal,0.4\n6,x,a,b,0.1\n9,6,a,b,0.1\n", name: "a.csv")
            .content
        #expect(damaged.problems.map(\.line) == [3, 4, 5] && damaged.rows.count == 1)
    }
}
