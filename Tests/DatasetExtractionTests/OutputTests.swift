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

struct OutputTests {
    private let fixture: ExtractionFixture
    private let manifest = "path\na.wav\nb.wav\n"

    init() throws {
        fixture = try ExtractionFixture()
        try fixture.record("a.wav", seed: 1)
        try fixture.record("b.wav", seed: 2)
    }

    /// What a rewritten file would not keep: its inode and the time it was written.
    private func identity() throws -> [String] {
        let attributes = try FileManager.default.attributesOfItem(atPath: fixture.folder.path("features.h5"))
        return [FileAttributeKey.systemFileNumber, .modificationDate].map { "\(attributes[$0] ?? "none")" }
    }

    /// The error of an extraction, which has to be none of the work itself.
    private func refusal(output: String, scratch: String? = nil) throws -> ExtractionError? {
        let progress = ExtractionProgress()
        let extraction = try fixture.extraction(manifest, output: output, scratch: scratch)
        let error = #expect(throws: ExtractionError.self) { try extraction.run(progress: progress) }
        #expect(progress.snapshot.done == 0)
        return error
    }

    @Test func `a file of more clips than are read at a time is up to date, and one changed recording is found`() throws
    {
        let rows = (0..<2600).map { "clip-\($0),\($0 % 2 == 0 ? "a" : $0 == 2599 ? "b" : "gone").wav,0,0.1\n" }
        let manifest = "id,path,start,end\n" + rows.joined()
        let made = try fixture.extraction(manifest).run()
        try #require(made.clips == 1301 && made.failures == 1299)
        #expect(try fixture.extraction(manifest).run().wasUpToDate)
        try fixture.record("b.wav", seed: 3)
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(manifest).run() }
        #expect(error?.outputDifference == .changedRecording(path: "b.wav", follows: true))
    }

    @Test func `a recording that is not there is called so, and the file is right again once it is there`() throws {
        _ = try fixture.extraction(manifest).run()
        let (path, away) = (fixture.folder.path("b.wav"), fixture.folder.path("away.wav"))
        try FileManager.default.moveItem(atPath: path, toPath: away)
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(manifest).run() }
        #expect(error?.outputDifference == .missingRecording(path: "b.wav"))
        try FileManager.default.moveItem(atPath: away, toPath: path)
        #expect(try fixture.extraction(manifest).run().wasUpToDate)
    }

    @Test func `a file whose parts cannot be read is replaced with overwrite, and only then`() throws {
        let made = try fixture.extraction(manifest + "gone.wav\n").run()
        let bytes = try fixture.bytes("features.h5")
        // The name of a dataset, in the table of names of its group.
        let name = try #require(bytes.range(of: Data("reason\0".utf8)))
        var damaged = bytes
        damaged.replaceSubrange(name, with: Data("reasoN\0".utf8))
        try damaged.write(to: URL(filePath: made.output))
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(manifest + "gone.wav\n").run() }
        guard case .unreadable? = error?.outputDifference else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try fixture.bytes("features.h5") == damaged)
        _ = try fixture.extraction(manifest + "gone.wav\n", overwrite: true).run()
        #expect(try fixture.bytes("features.h5") == bytes)
    }

    @Test func `recordings of a lower rate than the features are named with the lowest`() throws {
        try fixture.record("low.wav", rate: 6000, seed: 4)
        try fixture.record("lower.wav", rate: 5000, seed: 5)
        let configuration = try ExtractionFixture.configuration(rate: 8000)
        let manifest = "path\nlow.wav\na.wav\nlower.wav\n"
        let summary = try fixture.extraction(manifest, configuration).run()
        let warning = try #require(summary.warnings.first)
        #expect(
            warning.hasPrefix(
                "2 clips have a lower sample rate than the features (8000 Hz), the lowest 5000 Hz: their bins above 2500 Hz hold "
                    + "nothing; "))
        // Those that are kept count, too.
        try fixture.record("new.wav", rate: 8000, seed: 6)
        let appended = try fixture.extraction("\(manifest)new.wav\n", configuration, append: true).run()
        #expect(appended.clips == 4 && appended.warnings == summary.warnings)
    }

    @Test func `a missing folder, a file for a folder, and a folder for a file are refused before any work`() throws {
        let missing = ExtractionError.unwritableFolder(
            path: fixture.folder.path("no"), reason: "there is no such folder; create it first")
        #expect(try refusal(output: "no/features.h5") == missing)
        #expect(
            try refusal(output: "a.wav/features.h5")
                == .unwritableFolder(path: fixture.folder.path("a.wav"), reason: "it is not a folder"))
        try FileManager.default.createDirectory(
            at: fixture.folder.url.appending(path: "results"), withIntermediateDirectories: false)
        #expect(
            try refusal(output: "results")
                == .unusableName(
                    path: fixture.folder.path("results"), reason: "expected the name of a file, found a folder"))
        #expect(try refusal(output: "features.h5", scratch: fixture.folder.path("no")) == missing)
        #expect(try fixture.folder.names() == ["a.wav", "b.wav", "manifest.csv", "results"])
    }

    #if os(Linux)
        @Test func `a folder that cannot be written to is refused, even for root`() throws {
            guard case .unwritableFolder("/proc/self", _, _?)? = try refusal(output: "/proc/self/features.h5") else {
                Issue.record("another error")
                return
            }
        }
    #endif

    @Test func `a second run with the same inputs does nothing`() throws {
        let first = try fixture.extraction(manifest).run()
        let identity = try identity()
        let second = try fixture.extraction(manifest).run()
        #expect(second.wasUpToDate && second.clips == 2 && second.rows == first.rows && second.bytes == first.bytes)
        #expect(try self.identity() == identity)
        #expect(try fixture.extraction(manifest, overwrite: true).run().wasUpToDate)
        #expect(try fixture.leftovers() == ["features.h5"])
    }

    @Test func `an up-to-date file reports its failures again`() throws {
        let first = try fixture.extraction("path\na.wav\ngone.wav\n").run()
        let second = try fixture.extraction("path\na.wav\ngone.wav\n").run()
        #expect(second.wasUpToDate && second.failures == 1 && second.firstFailures == first.firstFailures)
    }

    @Test func `a file of another configuration or manifest is kept, unless it may be replaced`() throws {
        _ = try fixture.extract(manifest)
        let identity = try identity()
        let other = try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: .clip))
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(manifest, other).run() }
        #expect(
            error?.outputDifference
                == .made([.setting("normalize.scope", before: "none", now: "clip")], follows: true))
        let swapped = #expect(throws: ExtractionError.self) { try fixture.extraction("path\nb.wav\na.wav\n").run() }
        #expect(swapped?.outputDifference == .made([.manifest(before: nil, now: 2)], follows: true))
        #expect(try self.identity() == identity)

        let replaced = try fixture.extraction(manifest, other, overwrite: true).run()
        #expect(!replaced.wasUpToDate)
        #expect(try FeatureReader(path: replaced.output).configuration.contains(#""scope":"clip""#))
        #expect(try fixture.leftovers() == ["features.h5"])
    }

    @Test func `a recording changed since then is named, and the file is kept`() throws {
        _ = try fixture.extract(manifest)
        let identity = try identity()
        try fixture.record("b.wav", seed: 3)
        // Times prove nothing: a recording may come from a backup with its old one, or be touched and stay the same.
        let earlier = Date(timeIntervalSince1970: 1_000_000)
        try FileManager.default.setAttributes([.modificationDate: earlier], ofItemAtPath: fixture.folder.path("b.wav"))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: fixture.folder.path("a.wav"))
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(manifest).run() }
        #expect(error?.outputDifference == .changedRecording(path: "b.wav", follows: true))
        #expect(try self.identity() == identity)
    }

    @Test func `a recording that was missing and is there now makes the file out of date`() throws {
        let withMissing = manifest + "late.wav\n"
        _ = try fixture.extraction(withMissing).run()
        #expect(try fixture.extraction(withMissing).run().wasUpToDate)
        try fixture.record("late.wav", seed: 9)
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(withMissing).run() }
        #expect(error?.outputDifference == .readableRecording(path: "late.wav", follows: true))
    }

    @Test(arguments: ["", "my thesis, in one file\n"])
    func `a file that is not a feature file is replaced only on request`(text: String) throws {
        _ = try fixture.folder.write(text, to: "features.h5")
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(manifest).run() }
        let path = fixture.folder.path("features.h5")
        #expect(error == (text.isEmpty ? .outputExists(path: path, .incomplete) : .notReplaceable(path: path)))
        #expect(try fixture.bytes("features.h5") == Data(text.utf8))
    }

    @Test func `neither manifest nor recording is overwritten, even where a file may be`() throws {
        for name in ["manifest.csv", "a.wav"] {
            _ = try fixture.extraction(manifest)
            let before = try fixture.bytes(name)
            #expect(throws: ExtractionError.notReplaceable(path: fixture.folder.path(name))) {
                try fixture.extraction(manifest, output: name, overwrite: true).run()
            }
            #expect(try fixture.bytes(name) == before)
        }
    }

    @Test func `a file cut off is not up to date`() throws {
        _ = try fixture.extract(manifest)
        let whole = try fixture.bytes("features.h5")
        try whole.dropLast(100).write(to: fixture.folder.url.appending(path: "features.h5"))
        #expect(throws: ExtractionError.self) { try fixture.extraction(manifest).run() }
        _ = try fixture.extraction(manifest, overwrite: true).run()
        #expect(try fixture.bytes("features.h5") == whole)
    }

    @Test func `an output that another run is writing is refused`() throws {
        let spool = try Spool(folder: fixture.folder.path("features.h5.spool"))
        let error = #expect(throws: StorageError.self) { try fixture.extraction(manifest).run() }
        #expect(error == .busy(path: spool.folder, owner: Int(getpid())))
        try spool.remove()
        _ = try fixture.extract(manifest)
    }

    @Test func `a user's file in the spool's folder is kept, and does not stop the run`() throws {
        let folder = fixture.folder.url.appending(path: "features.h5.spool")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try Data("mine".utf8).write(to: folder.appending(path: "notes.txt"))
        _ = try fixture.extract(manifest)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["notes.txt"])
    }

    @Test func `outputs of equal names do not share a folder in the scratch folder`() throws {
        func spool(_ output: String) -> String {
            ExtractionOptions(output: output, root: "", jobs: 1, scratch: "/s")
                .spoolFolder
        }
        #expect(spool("/a/f.h5") != spool("/b/f.h5") && spool("/a/f.h5").hasPrefix("/s/f.h5-"))
        #expect(spool("/a/f.h5") == spool("/a/./f.h5"))
    }
}
