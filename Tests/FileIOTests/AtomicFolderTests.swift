import Foundation
import TestSupport
import Testing

@testable import FileIO

struct AtomicFolderTests {
    private let temporary = try? TemporaryFolder()

    private func folder(_ name: String = "out") throws -> String {
        try #require(temporary).url.appending(path: name).path
    }

    private func names() throws -> [String] {
        try DirectoryListing.names(in: try #require(temporary).url.path).sorted()
    }

    private func write(_ folder: AtomicFolder, _ name: String) throws {
        try AtomicFile.write([1, 2, 3], to: folder.temporaryPath + "/" + name)
    }

    @Test func `without commit nothing is left`() throws {
        do {
            let folder = try AtomicFolder(path: try folder())
            try write(folder, "a")
            #expect(try names().count == 1 && !FileManager.default.fileExists(atPath: folder.path))
        }
        #expect(try names().isEmpty)
    }

    @Test func `a folder gets its name, also that of an empty one`() throws {
        try FileManager.default.createDirectory(atPath: try folder(), withIntermediateDirectories: false)
        do {
            let folder = try AtomicFolder(path: try folder())
            try write(folder, "a")
            try folder.commit(replacing: false)
        }
        #expect(try names() == ["out"])
        #expect(try DirectoryListing.names(in: try folder()) == ["a"])
    }

    @Test(arguments: [false, true]) func `another folder is replaced only if that is wanted`(replacing: Bool) throws {
        do {
            let old = try AtomicFolder(path: try folder())
            try write(old, "old")
            try old.commit(replacing: false)
            let new = try AtomicFolder(path: try folder())
            try write(new, "new")
            if replacing {
                try new.commit(replacing: true)
            } else {
                #expect(throws: AtomicFileError.exists) { try new.commit(replacing: false) }
            }
        }
        #expect(try names() == ["out"])
        #expect(try DirectoryListing.names(in: try folder()) == [replacing ? "new" : "old"])
    }

    @Test func `a file of that name is not replaced`() throws {
        try AtomicFile.write([1], to: try folder())
        do {
            let folder = try AtomicFolder(path: try folder())
            #expect(throws: AtomicFileError.notRegular) { try folder.commit(replacing: true) }
        }
        #expect(try names() == ["out"] && FileStatus(path: try folder())?.isRegular == true)
    }

    @Test func `the next folder of the name deletes one left over by a process, not one still being written`() throws {
        let start = try folder("out.partial-") + TemporaryLock.machine + "-"
        let living = try AtomicFolder(path: try folder())
        #expect(living.temporaryPath.hasPrefix(start))
        // Folders of this machine, of another one, and of the user.
        let left = [start + TemporaryLock.randomDigits, start + TemporaryLock.randomDigits + "-old"]
        let elsewhere = try folder("out.partial-") + TemporaryLock.digits(of: [1]) + "-" + TemporaryLock.randomDigits
        let others = [elsewhere, start + "mine"]
        for path in left + others {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try AtomicFile.write([1], to: path + "/a")
        }
        do {
            let next = try AtomicFolder(path: try folder())
            // Where nothing has the name, the old folder may be all that there is.
            #expect(FileStatus(path: left[0]) == nil && FileStatus(path: left[1]) != nil)
            try next.commit(replacing: false)
        }
        _ = try AtomicFolder(path: try folder())
        let paths = others + [living.temporaryPath, try folder()]
        #expect(try names() == paths.map { String($0.split(separator: "/").last ?? "") }.sorted())
        try living.commit(replacing: true)
    }
}
