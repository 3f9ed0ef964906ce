import Foundation
import TestSupport
import Testing

@testable import FeatureStorage

struct SpoolFolderTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("out.h5.spool")
    }

    @Test func `a second spool on the folder is refused, naming the process that holds it`() throws {
        let spool = try Spool(folder: path)
        let error = #expect(throws: StorageError.self) { try Spool(folder: path) }
        let owner = Int(ProcessInfo.processInfo.processIdentifier)
        #expect(error == .busy(path: path, owner: owner))
        #expect(error?.description.contains("(process \(owner))") == true)
        try spool.remove()
    }

    @Test func `a refused spool leaves the clips of the one at work alone`() throws {
        let spool = try Spool(folder: path)
        let writer = try spool.writer(0)
        let position = try writer.write(clip: 0, randomRows(3, seed: 0))
        try writer.flush()
        #expect(throws: StorageError.self) { try Spool(folder: path) }
        #expect(try spool.reader().whole(at: position).values == randomRows(3, seed: 0))
    }

    @Test func `the lock goes with the value, and what an interrupted run left is emptied`() throws {
        do {
            let interrupted = try Spool(folder: path)
            _ = try interrupted.writer(0)
            _ = try interrupted.writer(7)
        }
        #expect(try folder.names() == ["out.h5.spool"])
        let spool = try Spool(folder: path)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["lock"])
        _ = try spool.writer(0)
    }

    @Test func `a lock file without a process in it is no lock`() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try Data("999999999999999999999999999999".utf8).write(to: URL(filePath: path + "/lock"))
        _ = try Spool(folder: path)
        #expect(try String(contentsOfFile: path + "/lock", encoding: .utf8) == "\(getpid())\n")
    }

    @Test func `removal leaves nothing`() throws {
        let spool = try Spool(folder: path)
        for number in [0, 1, 12] { _ = try spool.writer(number) }
        try spool.remove()
        #expect(try folder.names().isEmpty)
    }

    @Test func `neither opening nor removal deletes a file that is not a spool's`() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let foreign = ["clips.csv", "clips-thesis.wav", "notes.spool", "thesis.tex"]
        for name in foreign { try Data("mine".utf8).write(to: URL(filePath: path + "/" + name)) }
        let spool = try Spool(folder: path)
        _ = try spool.writer(0)
        let error = #expect(throws: StorageError.self) { try spool.remove() }
        #expect(error?.description.hasPrefix("\(path): deleting the folder of finished clips failed") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == foreign.sorted())
    }

    @Test func `a spool cannot be made where its parent is missing or a file stands`() throws {
        let missing = folder.path("no/such.spool")
        #expect(
            throws: StorageError.system(
                operation: "making the folder for finished clips", path: missing, code: ENOENT)
        ) { try Spool(folder: missing) }
        let file = try folder.write("", to: "file.spool")
        #expect(throws: StorageError.self) { try Spool(folder: file) }
    }

    @Test func `two writers cannot share a number`() throws {
        let spool = try Spool(folder: path)
        _ = try spool.writer(3)
        #expect(throws: StorageError.self) { try spool.writer(3) }
    }
}
