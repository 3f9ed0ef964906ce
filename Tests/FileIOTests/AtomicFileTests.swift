import Foundation
import Platform
import TestSupport
import Testing

@testable import FileIO

struct AtomicFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func names() throws -> [String] { try DirectoryListing.names(in: folder.url.path).sorted() }

    private func content(_ name: String) throws -> String {
        try String(contentsOfFile: folder.path(name), encoding: .utf8)
    }

    private func error(_ body: () throws(AtomicFileError) -> Void) -> AtomicFileError? {
        do throws(AtomicFileError) { try body() } catch { return error }
        return nil
    }

    @Test func `until it is committed, no file has its name, and an older one of the name is left whole`() throws {
        try AtomicFile.write(Array("old".utf8), to: folder.path("a"))
        let file = try AtomicFile(path: folder.path("a"), replacing: .regularFile)
        try file.write(Array("new and longer".utf8))
        try file.synchronize()
        #expect(try content("a") == "old")
        #expect(try names().filter(AtomicFile.isLeftover).count == 1)
        try file.commit()
        #expect(try content("a") == "new and longer" && names() == ["a"])
    }

    @Test func `a file that is not committed is deleted`() throws {
        do {
            let file = try AtomicFile(path: folder.path("a"), replacing: .nothing)
            try file.write([1, 2, 3])
        }
        #expect(try names() == [])
    }

    @Test func `the next file of the name deletes one left over by a process, not one still being written`() throws {
        var name = ""
        do { name = try AtomicFile(path: folder.path("a"), replacing: .regularFile).temporaryPath }
        try #require(FileManager.default.createFile(atPath: name, contents: Data([7])))
        let living = try AtomicFile(path: folder.path("a"), replacing: .regularFile)
        #expect(living.temporaryPath == name && FileStatus(path: name)?.byteCount == 0)
        try living.write(Array("living".utf8))
        let second = try AtomicFile(path: folder.path("a"), replacing: .regularFile)
        #expect(second.temporaryPath != name)
        try second.write(Array("second".utf8))
        try second.commit()
        #expect(try content("a") == "second")
        try living.commit()
        #expect(try content("a") == "living" && names() == ["a"])
        // Neither a link nor a folder of that name is followed, or deleted.
        symlink("a", name)
        try AtomicFile.write(Array("third".utf8), to: folder.path("a"))
        #expect(try content("a") == "third" && FileStatus(path: name, followingLink: false)?.kind == .symbolicLink)
    }

    @Test(arguments: [AtomicFile.Replacing.nothing, .regularFile])
    func `another file under the temporary name is neither named nor deleted`(replacing: AtomicFile.Replacing) throws {
        do {
            let file = try AtomicFile(path: folder.path("a"), replacing: replacing)
            try file.write(Array("own".utf8))
            try AtomicFile.write(Array("other".utf8), to: folder.path("b"))
            try AtomicFile.rename(folder.path("b"), to: file.temporaryPath)
            #expect(error { () throws(AtomicFileError) in try file.commit() } == .naming(SystemError(code: ENOENT)))
        }
        let name = try #require(try names().first)
        #expect(try names().count == 1 && AtomicFile.isLeftover(name) && content(name) == "other")
    }

    @Test func `a file that was made meanwhile is replaced only on request`() throws {
        let file = try AtomicFile(path: folder.path("a"), replacing: .nothing)
        try AtomicFile.write(Array("other".utf8), to: folder.path("a"))
        #expect(error { () throws(AtomicFileError) in try file.commit() } == .exists)
        #expect(
            error { () throws(AtomicFileError) in _ = try AtomicFile(path: folder.path("a"), replacing: .nothing) }
                == .exists)
        #expect(try content("a") == "other")
    }

    @Test(arguments: ["folder", "pipe", "loose link", "link to a folder"])
    func `what is not a regular file is never replaced`(kind: String) throws {
        let path = folder.path("a")
        switch kind {
        case "folder": mkdir(path, 0o777)
        case "pipe": mkfifo(path, 0o666)
        case "loose link": symlink("nothing", path)
        default: symlink(".", path)
        }
        let before = FileStatus(path: path, followingLink: false)?.identity
        #expect(error { () throws(AtomicFileError) in try AtomicFile.write([1], to: path) } == .notRegular)
        #expect(FileStatus(path: path, followingLink: false)?.identity == before)
        #expect(try names() == ["a"])
    }

    @Test func `a link to a file is replaced by the new file, and the old file is kept`() throws {
        try AtomicFile.write(Array("old".utf8), to: folder.path("old"))
        symlink("old", folder.path("a"))
        try AtomicFile.write(Array("new".utf8), to: folder.path("a"), durably: true)
        #expect(try content("a") == "new" && content("old") == "old")
        #expect(FileStatus(path: folder.path("a"), followingLink: false)?.kind == .regular)
    }

    @Test func `permissions are those that the user's mask leaves of 666`() throws {
        try AtomicFile.write([1], to: folder.path("a"))
        let plain = open(folder.path("b"), O_CREAT | O_WRONLY, 0o666)
        close(plain)
        var (made, expected) = (stat(), stat())
        #expect(stat(folder.path("a"), &made) == 0 && stat(folder.path("b"), &expected) == 0)
        #expect(made.st_mode == expected.st_mode)
    }

    @Test func `without a folder there is an error that says so`() {
        let failure = error { () throws(AtomicFileError) in try AtomicFile.write([1], to: folder.path("no/a")) }
        #expect(failure == .creating(SystemError(code: ENOENT)))
    }

    @Test func `a full disk is an error with the offset`() throws {
        guard let full = FileStatus(path: "/dev/full"), full.kind == .characterDevice else { return }
        let number = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(number) }
        let failure = error { () throws(AtomicFileError) in try AtomicFile.write([1], to: number, offset: 7) }
        #expect(failure == .writing(SystemError(code: ENOSPC), offset: 7))
    }
}
