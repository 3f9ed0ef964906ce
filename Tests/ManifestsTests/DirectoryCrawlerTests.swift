import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import Manifests

struct DirectoryCrawlerTests {
    /// A folder with empty files of these names.
    private func tree(_ names: [String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for name in names {
            let url = folder.url.appending(path: name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: url)
        }
        return folder
    }

    private func crawl(_ folder: TemporaryFolder, labelPattern: String? = nil) throws -> CrawlResult {
        try DirectoryCrawler(root: folder.url.path, labelPattern: labelPattern).crawl()
    }

    /// The first names that the account has of a kind.
    private func names(_ result: CrawlResult, _ kind: Remark.Kind) -> [String] {
        result.account.remarks.filter { $0.kind == kind }.flatMap(\.first)
    }

    @Test func `recordings are found by extension in any case, sorted by bytes, labelled by their folder`() throws {
        let folder = try tree([
            "b/x.wav", "a/y.FLAC", "a/b/z.Mp3", "top.ogg", "Z/q.aiff", "a-b/w.opus", "notes.txt", "a/list.csv", "wav",
            ".hidden.wav", ".git/x.wav", "a/.cache/x.wav", "ü/名.wav",
        ])
        let result = try crawl(folder)
        #expect(
            result.clips.map(\.path) == [
                "Z/q.aiff", "a-b/w.opus", "a/b/z.Mp3", "a/y.FLAC", "b/x.wav", "top.ogg", "ü/名.wav",
            ])
        #expect(result.clips.map(\.id) == ["Z/q", "a-b/w", "a/b/z", "a/y", "b/x", "top", "ü/名"])
        #expect(result.clips.map(\.label) == ["Z", "a-b", "b", "a", "b", "", "ü"])
        #expect(result.clips.map(\.index) == Array(0..<7))
        #expect(names(result, .tablesUnclaimed) == ["'\(folder.path("a/list.csv"))'"])
        #expect(result.account.count(of: .othersSkipped) == 2)
        #expect(result.account.remarks.count == 2 && result.extraColumns.isEmpty)
    }

    @Test func `files that differ only in their extension have their whole name as id`() throws {
        let result = try crawl(tree(["a.wav", "a.flac", "b.wav", "b.wav.wav", "c/a.wav", "d.x.wav", "d.wav"]))
        #expect(result.clips.map(\.id) == ["a.flac", "a.wav", "b", "b.wav.wav", "c/a", "d", "d.x"])
    }

    @Test func `links are followed, but not around a cycle`() throws {
        let folder = try tree(["a/x.wav", "a/b/y.wav"])
        let links = [
            ("a/b/up", ".."), ("a/self", "self"), ("self.wav", "self.wav"), ("gone.wav", "nowhere"),
            ("again", "a/b"), ("file.wav", "a/x.wav"), ("here", "."),
        ]
        for (name, target) in links { #expect(symlink(target, folder.path(name)) == 0) }
        let result = try crawl(folder)
        // `again/up` is the folder `a`, which is not above `again` on this way; the `b/up` below it leads up again.
        #expect(
            result.clips.map(\.path) == [
                "a/b/y.wav", "a/x.wav", "again/up/x.wav", "again/y.wav", "file.wav",
            ])
        #expect(names(result, .linksCircular) == ["'a/b/up'", "'again/up/b'", "'here'"])
        let passedOver = names(result, .recordingsPassedOver)
        #expect(passedOver.count == 2 && passedOver[0].hasPrefix("'gone.wav' (No such file"))
        #expect(passedOver[1].hasPrefix("'self.wav' (Too many levels of symbolic links"))
    }

    @Test func `pipes, folders named like recordings and names that are not UTF-8 are passed over with a remark`()
        throws
    {
        let folder = try tree(["good.wav", "folder.wav/inner.wav", "line\nfeed.wav"])
        #expect(mkfifo(folder.path("pipe.wav"), 0o600) == 0)
        var name = Array(folder.path("bad").utf8CString.dropLast()) + [CChar(bitPattern: 0xFC)]
        name += Array(".wav".utf8CString)
        let made = open(name, O_CREAT | O_WRONLY, 0o600)
        let hasBadName = made >= 0
        if hasBadName { close(made) } else { print("SKIPPED: this file system refuses names that are not UTF-8") }
        let result = try crawl(folder)
        #expect(result.clips.map(\.path) == ["good.wav", "line\nfeed.wav"])
        let expected =
            (hasBadName ? ["'bad\u{FFFD}.wav' (its name is not valid UTF-8)"] : []) + [
                "'folder.wav' (it is a folder)", "'pipe.wav' (it is not a regular file)",
            ]
        #expect(names(result, .recordingsPassedOver) == expected)
    }

    @Test(.enabled(if: geteuid() != 0, "root reads every folder"))
    func `a folder that cannot be read is reported, and the others are crawled`() throws {
        let folder = try tree(["a.wav", "closed/b.wav"])
        chmod(folder.path("closed"), 0)
        defer { chmod(folder.path("closed"), 0o700) }
        let result = try crawl(folder)
        #expect(result.clips.map(\.path) == ["a.wav"])
        #expect(names(result, .foldersUnreadable).first?.hasPrefix("'closed/' (") == true)
    }

    @Test func `what is not a folder is refused`() throws {
        let folder = try tree(["a.wav"])
        #expect(throws: ManifestError.notFolder(path: folder.path("a.wav"))) {
            try DirectoryCrawler(root: folder.path("a.wav")).crawl()
        }
        #expect(throws: ManifestError.notFound(path: folder.path("b"))) {
            try DirectoryCrawler(root: folder.path("b")).crawl()
        }
    }

    @Test func `a pattern gives label, split, id and columns of its own`() throws {
        let folder = try tree(["train/7_jackson_0.wav", "test/3_theo_12.wav"])
        let pattern = #"^(?<split>\w+)/(?P<label>\d)_(?<speaker>[a-z]+)_(?<take>\d+)(?<rest>x)?"#
        let result = try crawl(folder, labelPattern: pattern)
        #expect(result.extraColumns == ["speaker", "take", "rest"])
        #expect(result.clips.map(\.label) == ["3", "7"])
        #expect(result.clips.map(\.split) == ["test", "train"])
        #expect(result.clips.map(\.extra) == [["theo", "12", ""], ["jackson", "0", ""]])
        #expect(result.clips.map(\.id) == ["test/3_theo_12", "train/7_jackson_0"])
        #expect(
            try crawl(folder, labelPattern: #"(?<label>.)_(?<id>\w+)\."#).clips.map(\.id) == ["theo_12", "jackson_0"])
    }

    @Test func `a pattern that cannot be used, or does not match, is refused`() throws {
        let folder = try tree(["x/a1.wav", "y/a.wav", "z/a.wav"])
        func refusal(_ pattern: String) -> ManifestError? {
            #expect(throws: ManifestError.self) {
                try DirectoryCrawler(root: folder.url.path, labelPattern: pattern).crawl()
            }
        }
        let all = ["x/a1.wav", "y/a.wav", "z/a.wav"]
        for (pattern, words) in [
            ("(", ""), ("^(.*)/", "it has no group named 'label'"),
            ("(?<label>.)(?<start>.)", "a group cannot be named 'start'"),
        ] {
            guard case .badPattern(pattern, let reason)? = refusal(pattern) else {
                Issue.record("\(pattern)")
                continue
            }
            #expect(reason.hasPrefix(words), "\(reason)")
        }
        for pattern in [#"(?<label>[qx]\d)"#, #"(?<label>\d\d)"#] {
            #expect(refusal(pattern) == .patternDoesNotMatch(pattern: pattern, paths: all, total: 3))
        }
        let same = #"/(?<id>(?<label>a))"#
        #expect(refusal(same) == .duplicateIdentifier(pattern: same, id: "a", paths: ["x/a1.wav", "y/a.wav"]))
    }

    @Test func `recordings that a pattern does not match are left out and counted`() throws {
        let folder = try tree(["x/a1.wav", "x/a2.wav", "y/a.wav", "y/b.wav", "y/c.wav", "y/d.wav"])
        let result = try crawl(folder, labelPattern: #"(?<label>\d)"#)
        #expect(result.clips.map(\.path) == ["x/a1.wav", "x/a2.wav"] && result.clips.map(\.index) == [0, 1])
        #expect(result.account.count(of: .recordingsUnmatched) == 4)
        #expect(names(result, .recordingsUnmatched) == ["'y/a.wav'", "'y/b.wav'", "'y/c.wav'"])
        #expect(try crawl(folder).account.isEmpty)
    }

    @Test func `paths resolve from the manifest's folder`() throws {
        let folder = try tree(["data/deep/a/x.wav", "elsewhere/y.txt", "database/z.txt"])
        func path(from manifestFolder: String) throws -> String? {
            let crawler = DirectoryCrawler(
                root: folder.path("data/deep"), manifestFolder: folder.path(manifestFolder))
            let clip = try crawler.crawl().clips.first
            #expect(clip?.id == "a/x" && clip?.label == "a")
            return clip?.path
        }
        #expect(try path(from: "data/deep") == "a/x.wav")
        #expect(try path(from: "data") == "deep/a/x.wav")
        #expect(try path(from: "") == "data/deep/a/x.wav")
        for (outside, way) in [
            ("elsewhere", "../data/deep/a/x.wav"), ("data/deep/a", "../a/x.wav"), ("database", "../data/deep/a/x.wav"),
        ] { #expect(try path(from: outside) == way) }
    }

    @Test(
        .needsCollection,
        arguments: ManifestFormat.allCases)
    func `awkward names survive crawling, writing and reading`(format: ManifestFormat) throws {
        let shared = try Fixtures.collection()
        let names = shared.appending(path: "broken/names")
        let result = try DirectoryCrawler(root: names.path).crawl()
        #expect(result.clips.count >= 10)
        let folder = try TemporaryFolder()
        let path = folder.path("m.\(format.rawValue)")
        try ManifestWriter(format: format, extraColumns: result.extraColumns).write(result.clips, to: path)
        let read = try allClips(Manifest.scan(path: path, format: format))
        #expect(read == result.clips)
        for clip in read {
            #expect(FileManager.default.fileExists(atPath: names.appending(path: clip.path).path), "\(clip.path)")
        }
    }
}
