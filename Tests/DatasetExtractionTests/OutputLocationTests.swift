import ClipSpool
import ExtractionSupport
import FeatureModel
import FeatureStorage
import FileIO
import Foundation
import Messages
import TestSupport
import Testing

@testable import DatasetExtraction

/// Where an output lies, and what lies there already.
struct OutputLocationTests {
    private let fixture: ExtractionFixture
    private let manifest = "path,label\na.wav,x\nb.wav,y\n"

    init() throws {
        fixture = try ExtractionFixture()
        try fixture.record("a.wav", seed: 1)
        try fixture.record("b.wav", seed: 2)
        try FileManager.default.createDirectory(atPath: fixture.folder.path("disk"), withIntermediateDirectories: false)
    }

    private func link(_ name: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: fixture.folder.path(name), withDestinationPath: destination)
    }

    @Test(arguments: ["disk/real.h5", "@/disk/real.h5", "second.h5"])
    func `a link remains a link, and its destination becomes the file`(destination: String) throws {
        try link("features.h5", to: destination.replacing("@", with: fixture.folder.url.path))
        try link("second.h5", to: "disk/real.h5")
        // First where the link leads to nothing, then where a file is replaced.
        for overwrite in [false, true] {
            let rows = overwrite ? manifest + "a.wav,z\n" : manifest
            let id = overwrite ? "id,path,label\n1,a.wav,x\n2,b.wav,y\n" : rows
            let summary = try fixture.extraction(id, overwrite: overwrite).run()
            #expect(summary.output.hasSuffix("disk/real.h5"))
            let attributes = try FileManager.default.attributesOfItem(atPath: fixture.folder.path("features.h5"))
            #expect(attributes[.type] as? FileAttributeType == .typeSymbolicLink)
            #expect(try FeatureReader(path: fixture.folder.path("disk/real.h5")).verify().isEmpty)
            #expect(try fixture.leftovers() == ["features.h5"])
        }
    }

    @Test func `links in a cycle are refused, and not changed`() throws {
        try link("features.h5", to: "other.h5")
        try link("other.h5", to: "features.h5")
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(manifest, overwrite: true).run() }
        #expect(
            error
                == .unusableName(
                    path: fixture.folder.path("features.h5"), reason: "this symbolic link is part of a cycle"))
        let attributes = try FileManager.default.attributesOfItem(atPath: fixture.folder.path("features.h5"))
        #expect(attributes[.type] as? FileAttributeType == .typeSymbolicLink)
    }

    @Test(arguments: ["spool", "shards"], [false, true])
    func `a folder of clips that is a link to nothing, or to itself, is refused`(suffix: String, isCycle: Bool) throws {
        let name = "features.h5." + suffix
        let target = isCycle ? name : "gone/scratch"
        try link(name, to: target)
        let reason = isCycle ? "this symbolic link is part of a cycle" : Self.missing(target)
        let error = ExtractionError.unusableName(path: fixture.folder.path(name), reason: reason)
        #expect(throws: error) { try fixture.extraction(manifest).run() }
        #expect(throws: error) { try fixture.extraction(manifest).checkOutput() }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: fixture.folder.path(name)) == target)
    }

    private static func missing(_ target: String) -> String {
        "this symbolic link leads to \(target), which is missing: bring it back (is a disk not mounted?), or delete the link"
    }

    @Test func `an output in a folder that is a link to nothing is refused`() throws {
        try link("away", to: "gone")
        #expect(throws: ExtractionError.unusableName(path: fixture.folder.path("away"), reason: Self.missing("gone"))) {
            try OutputFolder.check(fixture.folder.path("away/f.h5"))
        }
    }

    @Test func `a folder of clips that has gone during the work is a fault of the system`() throws {
        let folder = fixture.folder.path("features.h5.spool")
        let absence = StorageError.system(operation: "opening", path: folder + "/clips-0.spool", code: ENOENT)
        let gone = absence.orGone(folder)
        #expect(gone as? ExtractionError == .goneFolder(path: folder) && gone.isSystemFault)
        #expect(!absence.isSystemFault)
        let fault = StorageError.system(operation: "opening", path: folder + "/clips-0.spool", code: EIO)
        #expect(fault.orGone(folder) as? StorageError == fault)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        #expect(absence.orGone(folder) as? StorageError == absence)
    }

    @Test func `a folder of clips that is a file is refused`() throws {
        _ = try fixture.folder.write("mine", to: "features.h5.spool")
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(manifest).run() }
        guard case .unusableName(let path, let reason)? = error else { return }
        #expect(
            path == fixture.folder.path("features.h5.spool") && reason.hasPrefix("expected a folder for finished clips")
        )
    }

    @Test func `a damaged file is not up to date, and is replaced where that is asked for`() throws {
        let reader = try fixture.extract(manifest)
        let offset = try #require(try reader.featuresOffset())
        let whole = try fixture.bytes("features.h5")
        var damaged = whole
        damaged[offset + 9] ^= 1
        try RawFile.write(damaged, to: fixture.folder.path("features.h5"))
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(manifest).run() }
        guard case .damaged(let finding)? = error?.outputDifference else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(finding.contains("'a'"))
        #expect(throws: StorageError.self) { try fixture.extraction(manifest, append: true).run() }
        #expect(try fixture.bytes("features.h5") == damaged)
        #expect(try !fixture.extraction(manifest, overwrite: true).run().wasUpToDate)
        #expect(try fixture.bytes("features.h5") == whole)
    }

    @Test func `two names of one file are one output`() throws {
        try link("features.h5", to: "disk/real.h5")
        let held = try Spool(folder: fixture.folder.path("disk/real.h5.spool"))
        let error = #expect(throws: StorageError.self) { try fixture.extraction(manifest).run() }
        guard case .busy = error else {
            Issue.record("expected a busy output, found \(String(describing: error))")
            return
        }
        try held.remove()
    }

    @Test(arguments: ["run.json", "features.h5", "clips-0.spool"])
    func `a user's folder with the spool's name is neither used nor emptied`(name: String) throws {
        let folder = fixture.folder.path("features.h5.spool")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        try Data("mine".utf8).write(to: URL(filePath: folder + "/" + name))
        for (fresh, overwrite) in [(false, false), (true, true)] {
            let error = #expect(throws: StorageError.self) {
                try fixture.extraction(manifest, overwrite: overwrite, fresh: fresh).run()
            }
            #expect(error == .foreignFolder(path: folder, found: name))
            #expect(try Data(contentsOf: URL(filePath: folder + "/" + name)) == Data("mine".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [name])
        }
        // With files of other names, or none, there is nothing to lose.
        try FileManager.default.moveItem(atPath: folder + "/" + name, toPath: folder + "/notes.txt")
        #expect(try fixture.extraction(manifest).run().clips == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["notes.txt"])
    }

    @Test func `a spool folder on another disk is refused before any work`() throws {
        var (here, there) = (stat(), stat())
        guard stat(fixture.folder.url.path, &here) == 0, stat("/dev/shm", &there) == 0, here.st_dev != there.st_dev
        else {
            print("SKIPPED: there is no second file system at /dev/shm")
            return
        }
        let other = "/dev/shm/veery-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: other) }
        try link("features.h5.spool", to: other)
        let planned = try fixture.extraction(manifest).dryRun().obstacle
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(manifest).run() }
        #expect(error == .otherFileSystem(folder: fixture.folder.path("features.h5.spool")))
        #expect(planned == error?.description)
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path("features.h5.spool")) == [])
    }

    @Test func `a manifest that has grown is refused with both numbers of clips`() throws {
        let rows = (0..<300).map { "\($0),a.wav,x\n" }.joined()
        let done = try fixture.interrupt(fixture.extraction("id,path,label\n" + rows, jobs: 1), after: 5)
        try #require(done < 300)
        let error = #expect(throws: ExtractionError.self) {
            try fixture.extraction("id,path,label\n" + rows + "new,b.wav,y\n").run()
        }
        #expect(error?.differences == [.manifest(before: 300, now: 301)])
    }

    @Test func `an empty fit takes the statistics from all clips, whatever their splits`() throws {
        let split = "path,split\na.wav,train\nb.wav,test\n"
        func file(_ fit: String) throws -> FeatureReader {
            let configuration = try ExtractionFixture.configuration(
                normalize: NormalizeConfiguration(scope: .dataset, fit: fit))
            return try fixture.extract(split, configuration, output: "\(fit).h5")
        }
        let (all, train) = (try file(""), try file("train"))
        #expect(all.fit == "" && all.statistics.count == all.rows)
        #expect(train.fit == "train" && train.statistics.count == train.rows / 2)
    }

    @Test func `statistics of another method than the one asked for are refused`() throws {
        func configuration(_ method: NormalizeConfiguration.Method) throws -> FeatureConfiguration {
            try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: .dataset, method: method))
        }
        _ = try fixture.extract(manifest, configuration(.minmax))
        let given = try ImportedStatistics(path: fixture.folder.path("features.h5"))
        let error = #expect(throws: ExtractionError.self) { try given.applied(to: configuration(.range)) }
        #expect(
            error
                == .unusableStatistics(
                    path: given.path, difference: "it has normalize.method: minmax, and the configuration range"))
        #expect(try given.applied(to: configuration(.zscore)).normalize.method == .minmax)
        #expect(try given.applied(to: configuration(.minmax)).normalize.method == .minmax)
    }
}
