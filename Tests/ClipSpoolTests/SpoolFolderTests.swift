import ClipSpool
import FileIO
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ClipSpool

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

    @Test(arguments: ["gone", "out.h5.spool"])
    func `a folder that is a link to nothing is an error, not waited for`(target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        let error = #expect(throws: StorageError.self) { try Spool(folder: path) }
        #expect(error?.path == path + "/lock")
    }

    @Test func `the files of a spool are deleted, and no files of a person`() throws {
        let spool = try Spool(folder: path)
        let own = ["clips-3.spool", "clips-3.summary", "run.json", "rows"]
        let foreign = ["part", "live-inputs.csv", "clips-03.spool", "clips--1.spool", "notes.part"]
        for name in own + foreign { try Data("x".utf8).write(to: URL(filePath: "\(path)/\(name)")) }
        try spool.clear()
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: path)) == Set(foreign + ["lock"]))
    }

    @Test func `a refused spool leaves the clips of the one at work alone`() throws {
        let spool = try Spool(folder: path)
        let writer = try spool.writer(0)
        let position = try writer.write(clip: 0, randomRows(3, seed: 0))
        #expect(throws: StorageError.self) { try Spool(folder: path) }
        #expect(try spool.reader().whole(at: position).values == randomRows(3, seed: 0))
    }

    @Test(arguments: [false, true])
    func `a writer whose file is deleted says so after two seconds, or when the spool is synced`(
        deletesFolder: Bool
    ) throws {
        let spool = try Spool(folder: path)
        let writer = try spool.writer(3)
        _ = try writer.write(clip: 0, randomRows(2, seed: 0))
        try FileManager.default.removeItem(atPath: deletesFolder ? path : path + "/clips-3.spool")
        if deletesFolder {
            Thread.sleep(forTimeInterval: 2.05)
        } else {
            #expect(throws: StorageError.self) { try spool.synchronize() }
        }
        let error = #expect(throws: StorageError.self) { try writer.write(clip: 1, randomRows(2, seed: 1)) }
        #expect(error?.path == path + "/clips-3.spool" && error?.isAbsence == true)
    }

    @Test func `the lock is released with the value; files of an interrupted run are kept until a new one`() throws {
        do {
            let interrupted = try Spool(folder: path)
            try interrupted.start(identity: "run 1")
            #expect(!interrupted.hasClips)
            _ = try interrupted.writer(0)
            _ = try interrupted.writer(7).write(clip: 0, randomRows(2, seed: 0))
            try Data("half a file".utf8).write(to: URL(filePath: interrupted.fileInProgress))
        }
        #expect(try folder.names() == ["out.h5.spool"])
        let spool = try Spool(folder: path)
        #expect(try spool.contents()?.identity == "run 1" && spool.hasClips)
        try spool.start(identity: "run 2")
        #expect(try spool.contents()?.identity == "run 2" && !spool.hasClips)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["lock", "run.json"])
        _ = try spool.writer(0)
    }

    @Test func `a folder that its owner deletes while another asks for it is not locked by both`() throws {
        for _ in 0..<200 {
            let first = try Spool(folder: path)
            let found = Mutex<[Bool]>([])
            let group = DispatchGroup()
            for _ in 0..<2 {
                DispatchQueue.global().async(group: group) { [path] in
                    while true {
                        guard let spool = try? Spool(folder: path) else { continue }
                        // No other has it meanwhile.
                        found.withLock { $0.append((try? Spool(folder: path)) == nil) }
                        try? spool.remove()
                        return
                    }
                }
            }
            try first.remove()
            group.wait()
            #expect(found.withLock { $0 } == [true, true])
        }
    }

    @Test func `texts of a run come back, and none is there before`() throws {
        let spool = try Spool(folder: path)
        #expect(try spool.contents()?.identity == nil && spool.contents()?.pointer == nil)
        try spool.start(identity: "{\"a\": \"Größe\"}")
        try spool.write("/somewhere/else", to: .pointer)
        #expect(
            try spool.contents()?.identity == "{\"a\": \"Größe\"}" && spool.contents()?.pointer == "/somewhere/else")
        try spool.clear()
        #expect(try spool.contents()?.identity == nil && spool.contents()?.pointer == nil)
    }

    @Test func `a lock file without a process in it is not a lock`() throws {
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
        guard case .system("deleting the folder of finished clips", path, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == foreign.sorted())
    }

    @Test func `a spool cannot be made where its parent is missing or a file has its name`() throws {
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
