import Foundation
import Platform
import TestSupport
import Testing

@testable import FileIO

struct SystemErrorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func code(_ body: () throws(SystemError) -> Void) -> Int32? {
        do throws(SystemError) {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a failing, full or read-only disk is a fault of the system; of a recording, a bad sector is not`() {
        for code in [ENOSPC, EDQUOT, EROFS, EIO, EFBIG] {
            #expect(SystemError(code: code).isFault, "\(code)")
            #expect(SystemError(code: code).isFaultBehindRecording == (code != EIO), "\(code)")
        }
        for code in [ENOENT, EACCES, EPERM, EEXIST, EPIPE, EINVAL, 0] {
            #expect(!SystemError(code: code).isFault && !SystemError(code: code).isFaultBehindRecording, "\(code)")
        }
    }

    @Test func `errors of the disk say what to do`() {
        for code in [ENOSPC, EDQUOT, EROFS, EIO, EFBIG, EMFILE] {
            let (error, words) = (SystemError(code: code), String(cString: strerror(code)))
            #expect("\(error)".hasPrefix(words + " (") && error.words == words, "\(error)")
        }
        #expect("\(SystemError(code: ENOENT))" == String(cString: strerror(ENOENT)))
    }

    @Test func `an error of an atomic file is that of the system, or that of a name`() {
        let error = SystemError(code: EIO)
        for case let system in [
            AtomicFileError.creating(error), .writing(error, offset: 3), .synchronizing(error), .closing(error),
            .naming(error), .displaced(error, kept: "a"),
        ] {
            #expect(system.system == error)
        }
        #expect(AtomicFileError.exists.system == nil && AtomicFileError.notRegular.system == nil)
    }

    @Test func `folders are made with those above them`() throws {
        let path = folder.path("a/b/c")
        #expect(code { () throws(SystemError) in try Folder.make(path) } == nil)
        #expect(code { () throws(SystemError) in try Folder.make(path) } == nil, "there is one")
        #expect(FileStatus(path: path)?.isFolder == true)
        _ = try folder.write("x", to: "file")
        #expect(code { () throws(SystemError) in try Folder.make(folder.path("file")) } == EEXIST)
        #expect(code { () throws(SystemError) in try Folder.make(folder.path("file/below")) } == ENOTDIR)
        #expect(code { () throws(SystemError) in try Folder.make("") } == ENOENT)
    }

    @Test func `names in a folder are brought to the disk; a folder that is gone is not a fault of it`() throws {
        #expect(code { () throws(SystemError) in try Folder.synchronize(folder.url.path) } == nil)
        #expect(code { () throws(SystemError) in try Folder.synchronize(folder.path("nowhere")) } == nil)
    }

    @Test func `all bytes of a file are read, or the first of them`() throws {
        let text = String(repeating: "0123456789", count: 20_000)
        _ = try folder.write(text, to: "a")
        let path = folder.path("a")
        #expect(try SharedFile.contents(of: path) == Array(text.utf8))
        #expect(try SharedFile.contents(of: path, maximum: 70_001) == Array(text.utf8.prefix(70_001)))
        #expect(try SharedFile.contents(of: path, maximum: 0).isEmpty)
        #expect(code { () throws(SystemError) in _ = try SharedFile.contents(of: folder.path("b")) } == ENOENT)
        #expect(code { () throws(SystemError) in _ = try SharedFile.contents(of: folder.url.path) } == EISDIR)
    }
}
