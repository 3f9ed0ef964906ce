import Foundation
import TestSupport
import Testing

@testable import DatasetReports

struct WritingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a page replaces a page, an empty file or nothing, and no other file`() throws {
        let data = try SampleDataset()
        let page = try ReportPage.html(data.report())
        let path = folder.path("report.html")
        try PageFile.write(page, to: path)
        try PageFile.write(page, to: path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == page)
        let empty = try folder.write("", to: "empty.html")
        try PageFile.write(page, to: empty)
        let other = try folder.write("<!DOCTYPE html>\n<title>Mine</title>\n", to: "mine.html")
        #expect(throws: ReportError.foreignFile(path: other)) { try PageFile.write(page, to: other) }
        #expect(try String(contentsOfFile: other, encoding: .utf8).contains("Mine"))
        #expect(throws: ReportError.self) { try PageFile.write(page, to: folder.url.path) }
        #expect(throws: ReportError.self) { try PageFile.check(folder.path("none/report.html")) }
        #expect(try folder.names() == ["empty.html", "mine.html", "report.html"])
    }

    @Test func `a folder of figures is replaced whole, and no other folder is touched`() throws {
        let report = try SampleDataset().report()
        let plots = folder.path("new/plots")
        let written = try PlotFolder.write(report, to: plots)
        let names = written.map { URL(filePath: $0).lastPathComponent }
        #expect(Set(names) == Set(try FileManager.default.contentsOfDirectory(atPath: plots)))
        #expect(names.prefix(3) == ["index.csv", "labels.svg", "durations.svg"])
        let fewer = try PlotFolder.write(SampleDataset(labels: ["one"]).report(), to: plots)
        #expect(fewer.count < written.count)
        #expect(try FileManager.default.contentsOfDirectory(atPath: plots).count == fewer.count)
        _ = try folder.write("mine", to: "new/plots/notes.txt")
        #expect(throws: ReportError.foreignFolder(path: plots, found: "notes.txt")) {
            try PlotFolder.write(report, to: plots)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: plots).count == fewer.count + 1)
        #expect(throws: ReportError.self) { try PlotFolder.write(report, to: folder.url.path) }
    }

    @Test func `half-written files of a killed run are deleted, and do not block its folder`() throws {
        let report = try SampleDataset(labels: ["one"]).report()
        let left = ".veery-0123456789abcdef.partial"
        for name in ["p", "q"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        }
        _ = try folder.write("half", to: "p/" + left)
        #expect(try PlotFolder.check(folder.path("p")) == [left])
        let written = try PlotFolder.write(report, to: folder.path("p"))
        _ = try folder.write("half", to: "p/" + left)
        #expect(try PlotFolder.write(report, to: folder.path("p")) == written)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("p")).count == written.count)
        _ = try folder.write("mine", to: "q/.veery-notes")
        #expect(throws: ReportError.self) { try PlotFolder.check(folder.path("q")) }
    }

    @Test func `figures that a killed run left under a temporary name are deleted, and block nothing`() throws {
        let report = try SampleDataset(labels: ["one"]).report()
        let written = try PlotFolder.write(report, to: folder.path("p"))
        let left = "p/.veery-figures.partial-0123456789abcdef"
        try FileManager.default.createDirectory(atPath: folder.path(left), withIntermediateDirectories: true)
        _ = try folder.write("half", to: left + "/values.svg")
        #expect(try PlotFolder.check(folder.path("p")).count == written.count + 1)
        #expect(try PlotFolder.write(report, to: folder.path("p")) == written)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("p")).count == written.count)
    }

    @Test func `the table of figures names every file with its label, clip and distance`() throws {
        let report = try SampleDataset(labels: ["a,b", "say \"wren\""]).report()
        _ = try PlotFolder.write(report, to: folder.path("p"))
        let lines = try String(contentsOfFile: folder.path("p/index.csv"), encoding: .utf8).split(separator: "\n")
        #expect(lines[0] == "file,figure,label,clip,distance")
        #expect(lines.contains { $0.hasPrefix("label-000-mean.png,mean,\"a,b\",,") })
        #expect(lines.contains { $0.hasPrefix("label-001-typical-1.png,typical,\"say \"\"wren\"\"\",") })
    }
}
