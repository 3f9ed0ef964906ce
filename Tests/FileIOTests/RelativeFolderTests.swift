import Essentials
import Testing

@testable import FileIO

@Suite struct RelativeFolderTests {
    @Test func `the way from one folder to another is the shortest, and leads there`() throws {
        let top = FileManager.default.temporaryDirectory.appending(path: "ways \(UUID())")
        defer { try? FileManager.default.removeItem(at: top) }
        for name in ["a/b/c", "a/bc", "d"] {
            try FileManager.default.createDirectory(at: top.appending(path: name), withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            at: top.appending(path: "link"), withDestinationURL: top.appending(path: "a/b"))
        func way(_ target: String, _ folder: String) -> String? {
            RelativeFolder.path(to: top.appending(path: target).path, from: top.appending(path: folder).path)
        }
        #expect(way("a/b", "a/b") == ".")
        #expect(way("a/b/c", "a") == "b/c")
        #expect(way("a", "a/b/c") == "../..")
        #expect(way("a/bc", "a/b") == "../bc")
        #expect(way("d", "a/b/c") == "../../../d")
        #expect(way("link/c", "d") == "../a/b/c")
        #expect(way("d", "link") == "../../d")
        #expect(
            way("none", "d") == "../none" && way("no/such/", "d") == "../no/such" && way("d", "none/new") == "../../d")
        #expect(RelativeFolder.path(to: "/", from: "/") == ".")
        #expect(RelativeFolder.named(top.appending(path: "a/b/../bc/./x.json").path) == "bc/x.json")
        #expect(RelativeFolder.named("/x.json") == "x.json" && RelativeFolder.named("none/x.json") == "x.json")
        let here = try #require(RelativeFolder.resolved(".")?.split(separator: "/").last)
        #expect(
            RelativeFolder.named("./x.json") == "\(here)/x.json" && RelativeFolder.named("x.json") == "\(here)/x.json")
        let names = top.path.split(separator: "/").count
        let up = RelativeFolder.path(to: "/", from: top.path)?.split(separator: "/") ?? []
        #expect(up.allSatisfy { $0 == ".." } && up.count >= names)
    }
}
