import ClipSpool
import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import Messages
import TestSupport
import Testing

@testable import DatasetExtraction

/// A run that continues an interrupted one.
struct ResumptionTests {
    private let fixture: ExtractionFixture
    private let clips = 60
    private let manifest: String
    private var spool: String { fixture.folder.path("features.h5.spool") }

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<5 { try fixture.record("\(number).wav", samples: 20_000 + 1000 * number, seed: number) }
        // Every seventh clip fails, each time.
        manifest =
            "id,path\n"
            + (0..<clips).map { "\($0),\($0 % 7 == 6 ? "gone-\($0)" : "\($0 % 5)").wav\n" }.joined()
    }

    /// The bytes of a file of the same clips that is made at one go.
    private func whole(_ configuration: FeatureConfiguration? = nil) throws -> Data {
        _ = try fixture.extraction(manifest, configuration, output: "whole.h5", overwrite: true).run()
        return try fixture.bytes("whole.h5")
    }

    /// Leaves an interrupted run with some of its clips done.
    private func interrupt(
        _ configuration: FeatureConfiguration? = nil, after: Int = 20, scratch: String? = nil
    ) throws -> Int {
        let done = try fixture.interrupt(
            fixture.extraction(manifest, configuration, jobs: 1, scratch: scratch), after: after)
        try #require((after * 6 / 7..<clips * 6 / 7).contains(done), "the run ended before it was stopped")
        return done
    }

    @Test func `a run resumes where the last one ended, says so, and makes the same bytes`() throws {
        let done = try interrupt()
        var notices: [ResumptionNotice] = []
        let progress = ExtractionProgress()
        let summary = try fixture.extraction(manifest).run(progress: progress) { notices.append($0) }
        let retried = try #require(notices.first?.retried)
        #expect(retried > 0 && notices == [ResumptionNotice(done: done, total: clips, retried: retried)])
        #expect(summary.resumedClips == done && progress.snapshot.done == clips)
        #expect(summary.failures == 8 && progress.snapshot.failed == 8)
        #expect(try fixture.bytes("features.h5") == whole())
        #expect(try fixture.leftovers() == ["features.h5"])
    }

    @Test(arguments: [1, 2, 3, 8])
    func `any number of interruptions, with any number of threads, makes the same bytes`(jobs: Int) throws {
        var stops = 0
        for after in stride(from: 5, through: 55, by: 10) {
            let extraction = try fixture.extraction(manifest, jobs: jobs == 8 ? 1 + stops % 8 : jobs)
            if try fixture.interrupt(extraction, after: after) < clips { stops += 1 }
        }
        #expect(stops >= 3)
        _ = try fixture.extraction(manifest, jobs: jobs).run()
        #expect(try fixture.bytes("features.h5") == whole())
    }

    @Test func `spool files cut off or damaged anywhere cost clips, not bytes of the result`() throws {
        let expected = try whole()
        var random = RandomSource(seed: 5)
        for round in 0..<10 {
            _ = try fixture.interrupt(fixture.extraction(manifest, jobs: 2), after: 30)
            for number in 0..<2 {
                let path = "\(spool)/clips-\(number).spool"
                guard var bytes = try? Data(contentsOf: URL(filePath: path)), !bytes.isEmpty else { continue }
                let offset = Int.random(in: 0..<bytes.count, using: &random)
                if round % 2 == 0 { bytes = bytes.prefix(offset) } else { bytes[offset] ^= 0x10 }
                try RawFile.write(bytes, to: path)
            }
            _ = try fixture.extraction(manifest, jobs: 2).run()
            #expect(try fixture.bytes("features.h5") == expected, "round \(round)")
            try FileManager.default.removeItem(atPath: fixture.folder.path("features.h5"))
        }
    }

    @Test func `changes of the configuration are named, and the clips are kept until --fresh`() throws {
        let done = try interrupt()
        let other = try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 8000),
            frame: FrameConfiguration(length: .samples(256), hop: .samples(64), fftLength: 256),
            transform: .mel(MelConfiguration(bins: 12, high: 4000)), scale: ScaleConfiguration(), normalize: .none)
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(manifest, other).run() }
        #expect(error?.differences == [.setting("frame.hop", before: "128", now: "64")])
        #expect(try fixture.extraction(manifest).run().resumedClips == done)

        _ = try FileManager.default.removeItem(atPath: fixture.folder.path("features.h5"))
        _ = try interrupt()
        #expect(try fixture.extraction(manifest, other, fresh: true).run().resumedClips == 0)
        #expect(try fixture.bytes("features.h5") == whole(other))
    }

    @Test func `clips of the former transform are refused by its name`() throws {
        _ = try interrupt()
        let path = "\(spool)/run.json"
        var identity = try String(contentsOfFile: path, encoding: .utf8)
        let transform = #",\"transform\":\"lanes 1\""#
        try #require(identity.contains(transform))
        identity.replace(transform, with: "")
        try RawFile.write(Data(identity.utf8), to: path)
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(manifest).run() }
        #expect(error?.differences == [.transform(before: nil, now: "lanes 1")])
    }

    @Test func `rows of another precision are refused by the setting that decides it, and otherwise by the version`()
        throws
    {
        let done = try interrupt()
        let clip = try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: .clip))
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(manifest, clip).run() }
        #expect(error?.differences == [.setting("normalize.scope", before: "none", now: "clip")])
        #expect(try fixture.extraction(manifest).run().resumedClips == done)

        _ = try FileManager.default.removeItem(atPath: fixture.folder.path("features.h5"))
        _ = try interrupt(clip)
        let path = "\(spool)/run.json"
        var identity = try String(contentsOfFile: path, encoding: .utf8)
        let (transform, version) = ("lanes 1 with double rows", #"\"veery\":\"\#(VeeryVersion.number)\""#)
        try #require(identity.contains(transform) && identity.contains(version))
        identity.replace(transform, with: "lanes 1")
        identity.replace(version, with: #"\"veery\":\"0.0.9\""#)
        try RawFile.write(Data(identity.utf8), to: path)
        let older = #expect(throws: ExtractionError.self) { try fixture.extraction(manifest, clip).run() }
        #expect(
            older?.differences == [
                .version(of: "veery", before: "0.0.9", now: VeeryVersion.number),
                .transform(before: "lanes 1", now: transform),
            ])
    }

    @Test func `another manifest is refused`() throws {
        _ = try interrupt()
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(manifest + "60,1.wav\n").run() }
        #expect(error?.differences == [.manifest(before: clips, now: clips + 1)])
        #expect(try fixture.leftovers() == ["features.h5.spool"])
    }

    @Test func `another normalisation needs no clip to be read again`() throws {
        let done = try interrupt()
        let other = try ExtractionFixture.configuration(
            normalize: NormalizeConfiguration(scope: .dataset, method: .minmax))
        let summary = try fixture.extraction(manifest, other).run()
        #expect(summary.resumedClips == done)
        #expect(try fixture.bytes("features.h5") == whole(other))
    }

    @Test func `a recording that has changed is named and read again, one that was missing and is there too`() throws {
        let done = try interrupt()
        try fixture.record("2.wav", samples: 31_000, seed: 77)
        try fixture.record("gone-6.wav", samples: 5000, seed: 78)
        var notice: ResumptionNotice?
        let summary = try fixture.extraction(manifest).run { notice = $0 }
        let read = (0..<clips).filter { $0 % 7 != 6 }.prefix(done)
        #expect(summary.resumedClips == done - read.count { $0 % 5 == 2 } && summary.failures == 7)
        let changed = try #require(notice?.changed)
        #expect(changed.count > 1 && Set(changed) == ["2.wav"] && notice?.retried ?? 0 > 0)
        #expect(try fixture.bytes("features.h5") == whole())
    }

    @Test func `clips that were read from recordings that are gone now are kept`() throws {
        let done = try interrupt()
        let (path, away) = (fixture.folder.path("1.wav"), fixture.folder.path("away.wav"))
        try FileManager.default.moveItem(atPath: path, toPath: away)
        for verifyInputs in [false, true] {
            let error = #expect(throws: ExtractionError.self) {
                try fixture.extraction(manifest, verifyInputs: verifyInputs).run()
            }
            guard case .missingRecordings(spool, let count, "1.wav")? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(count > 0)
        }
        try FileManager.default.moveItem(atPath: away, toPath: path)
        #expect(try fixture.extraction(manifest).run().resumedClips == done)
        #expect(try fixture.bytes("features.h5") == whole())
    }

    @Test func `clips whose recordings are not there any more are kept where that is asked for`() throws {
        let done = try interrupt()
        let read = (0..<clips).filter { $0 % 7 != 6 }.prefix(done)
        let gone = read.count { $0 % 5 == 1 }
        try #require(gone > 0)
        try FileManager.default.removeItem(atPath: fixture.folder.path("1.wav"))
        var notice: ResumptionNotice?
        let summary = try fixture.extraction(manifest, keepMissing: true).run { notice = $0 }
        #expect(notice?.missing == gone)
        #expect(summary.resumedClips == done)
        // Those that had not been read fail now.
        let file = try FeatureReader(path: fixture.folder.path("features.h5"))
        #expect(try file.allClips().count { $0.path == "1.wav" } == gone)
        let all = (0..<clips).count { $0 % 7 != 6 && $0 % 5 == 1 }
        #expect(try file.allFailures().count { $0.path == "1.wav" } == all - gone)
        #expect(try file.verify().isEmpty)
    }

    @Test func `a disk that disappears during a run loses neither clips nor the older file`() throws {
        let older = try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: .dataset))
        _ = try fixture.extraction(manifest, older).run()
        let before = try fixture.bytes("features.h5")
        let (disk, away) = (fixture.folder.url, fixture.folder.path("away"))
        try FileManager.default.createDirectory(atPath: away, withIntermediateDirectories: false)
        func move(_ from: String, _ to: String) {
            for number in 0..<5 {
                try? FileManager.default.moveItem(atPath: "\(from)/\(number).wav", toPath: "\(to)/\(number).wav")
            }
        }
        let error = #expect(throws: StoppedExtraction.self) {
            try fixture.run(fixture.extraction(manifest, jobs: 1, overwrite: true), after: 5) { [disk, away] in
                for number in 0..<5 {
                    try? FileManager.default.moveItem(
                        atPath: "\(disk.path)/\(number).wav", toPath: "\(away)/\(number).wav")
                }
            }
        }
        guard case ExtractionError.missingRecordings? = error?.cause else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try fixture.bytes("features.h5") == before)
        move(away, disk.path)
        let summary = try fixture.extraction(manifest, overwrite: true).run()
        #expect(summary.resumedClips > 0)
        #expect(try fixture.bytes("features.h5") == whole())
    }

    @Test func `a file that appears under the output's name during a run is not replaced, even with overwrite`()
        throws
    {
        let output = fixture.folder.path("features.h5")
        for overwrite in [false, true] {
            let error = #expect(throws: StoppedExtraction.self) {
                try fixture.run(fixture.extraction(manifest, jobs: 1, overwrite: overwrite), after: 5) {
                    try? Data("my thesis".utf8).write(to: URL(filePath: output))
                }
            }
            #expect(error?.cause as? StorageError == .changedMeanwhile(path: output))
            #expect(try fixture.bytes("features.h5") == Data("my thesis".utf8))
            try FileManager.default.removeItem(atPath: output)
        }
        #expect(try fixture.extraction(manifest).run().resumedClips > 0)
        #expect(try fixture.bytes("features.h5") == whole())
    }

    @Test func `damage in the spool is named, and costs only what follows it`() throws {
        let done = try interrupt()
        let path = spool + "/clips-0.spool"
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[bytes.count / 2] ^= 4
        try RawFile.write(bytes, to: path)
        var notice: ResumptionNotice?
        let summary = try fixture.extraction(manifest).run { notice = $0 }
        #expect(notice?.damaged == [path])
        #expect(summary.resumedClips > 0 && summary.resumedClips < done)
        #expect(try fixture.bytes("features.h5") == whole())
    }

    @Test func `a record cut short is what a killed program leaves, and no damage`() throws {
        let done = try interrupt()
        let path = spool + "/clips-0.spool"
        let bytes = try Data(contentsOf: URL(filePath: path))
        for cut in [1, 20, 100] {
            try RawFile.write(bytes.dropLast(cut), to: path)
            let spooled = try Spool(folder: spool)
            #expect(try spooled.contents()?.scan { _ in }.damaged == [])
            spooled.unlock()
        }
        #expect(try fixture.extraction(manifest).run().resumedClips >= done - 2)
    }

    @Test func `fresh throws nothing away before it is sure that it may write`() throws {
        let done = try interrupt()
        _ = try fixture.folder.write("my thesis", to: "features.h5")
        #expect(throws: ExtractionError.self) { try fixture.extraction(manifest, fresh: true).run() }
        try FileManager.default.removeItem(atPath: fixture.folder.path("features.h5"))
        #expect(try fixture.extraction(manifest).run().resumedClips == done)
    }

    @Test func `a recording that has changed a second time is read a third time`() throws {
        let first = try interrupt(after: 20)
        for seed in [90, 91] {
            try fixture.record("3.wav", samples: 30_000 + seed, seed: seed)
            _ = try fixture.interrupt(fixture.extraction(manifest, jobs: 2), after: first + 2)
        }
        try fixture.record("3.wav", samples: 12_345, seed: 92)
        _ = try fixture.extraction(manifest, jobs: 3).run()
        #expect(try fixture.bytes("features.h5") == whole())
    }

    @Test func `samples that have changed under the same size and time are found where they are asked for`() throws {
        let done = try interrupt()
        let path = fixture.folder.path("1.wav")
        let time = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        // Whole seconds, which every file system keeps.
        let whole = Date(timeIntervalSince1970: (try #require(time)).timeIntervalSince1970.rounded(.down))
        try FileManager.default.setAttributes([.modificationDate: whole], ofItemAtPath: path)
        let progress = ExtractionProgress()
        // The clips that cannot be opened count as done, too.
        #expect(try fixture.interrupt(fixture.extraction(manifest, jobs: 1), after: done + 8) >= done)
        try fixture.record("1.wav", samples: 21_000, seed: 500)
        try FileManager.default.setAttributes([.modificationDate: whole], ofItemAtPath: path)

        var notices: [String] = []
        let kept = fixture.folder.url.appending(path: "copy")
        try FileManager.default.copyItem(at: URL(filePath: spool), to: kept)
        _ = try fixture.extraction(manifest).run { notices.append("\($0)") }
        #expect(!notices.joined().contains("1.wav"))
        try FileManager.default.removeItem(atPath: fixture.folder.path("features.h5"))
        try FileManager.default.moveItem(at: kept, to: URL(filePath: spool))
        _ = try fixture.extraction(manifest, verifyInputs: true).run(progress: progress) { notices.append("\($0)") }
        #expect(notices.joined().contains("1.wav"))
        #expect(try fixture.bytes("features.h5") == self.whole())
    }

    @Test func `a run killed after its file had got its name is up to date, and tidies up`() throws {
        // All clips in the spool: its last step fails, since a folder has the name of the file in progress.
        let blocked = URL(filePath: spool).appending(path: "features.h5/x")
        try FileManager.default.createDirectory(at: blocked, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: spool).appending(path: "lock"))
        let error = #expect(throws: StoppedExtraction.self) { try fixture.extraction(manifest).run() }
        #expect(error?.done == clips)
        try FileManager.default.removeItem(at: blocked.deletingLastPathComponent())
        let expected = try whole()
        try expected.write(to: URL(filePath: fixture.folder.path("features.h5")))

        let progress = ExtractionProgress()
        #expect(try fixture.extraction(manifest).run(progress: progress).wasUpToDate)
        #expect(try fixture.leftovers() == ["features.h5"])
        #expect(try fixture.bytes("features.h5") == expected)
    }

    @Test
    func `a clip that the stored type cannot hold is not a difference to a run killed after its file had got its name`()
        throws
    {
        // Powers of loud noise are beyond float16; those of the quiet clip are not.
        try fixture.record("loud.wav", samples: 9000, seed: 300)
        try fixture.record("quiet.wav", samples: 9000, seed: 301, gain: 0.001)
        let rows = "path\nloud.wav\nquiet.wav\ngone.wav\n"
        let half = try FeatureConfiguration(
            audio: AudioConfiguration(sampleRate: 8000, scale: .int16),
            frame: FrameConfiguration(length: .samples(256), hop: .samples(128), fftLength: 256),
            transform: .mel(MelConfiguration(bins: 12, high: 4000)), scale: ScaleConfiguration(kind: .power),
            normalize: .none, store: StoreConfiguration(element: .float16))
        let made = try fixture.extraction(rows, half).run()
        try #require(made.clips == 1 && made.failures == 2)
        let expected = try fixture.bytes("features.h5")
        try FileManager.default.removeItem(atPath: fixture.folder.path("features.h5"))
        // All clips in the spool, as above, next to the complete file.
        let blocked = URL(filePath: spool).appending(path: "features.h5/x")
        try FileManager.default.createDirectory(at: blocked, withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: spool).appending(path: "lock"))
        #expect(throws: StoppedExtraction.self) { try fixture.extraction(rows, half).run() }
        try FileManager.default.removeItem(at: blocked.deletingLastPathComponent())
        try expected.write(to: URL(filePath: fixture.folder.path("features.h5")))
        // A recording that is there now, after it was not, is a difference; as long as it is not there, there is no difference.
        try fixture.record("gone.wav", samples: 5000, seed: 302)
        let error = #expect(throws: ExtractionError.self) { try fixture.extraction(rows, half).run() }
        #expect(error?.outputDifference == .readableRecording(path: "gone.wav", follows: true))
        try FileManager.default.removeItem(atPath: fixture.folder.path("gone.wav"))
        #expect(try fixture.extraction(rows, half).run().wasUpToDate)
        #expect(try fixture.leftovers() == ["features.h5"])
        #expect(try fixture.bytes("features.h5") == expected)
    }

    @Test func `a file that has got the name meanwhile is up to date if it is the run's own`() throws {
        _ = try interrupt()
        let expected = try whole()
        try expected.write(to: URL(filePath: fixture.folder.path("features.h5")))
        #expect(try fixture.extraction(manifest).run().wasUpToDate)
        #expect(try fixture.bytes("features.h5") == expected)
        #expect(try fixture.leftovers() == ["features.h5"])
        #expect(try fixture.bytes("features.h5") == expected)
    }

    @Test func `a file that got the name meanwhile is replaced only on request`() throws {
        _ = try interrupt()
        try Data("of someone".utf8).write(to: URL(filePath: fixture.folder.path("features.h5")))
        #expect(throws: (any Error).self) { try fixture.extraction(manifest).run() }
        #expect(try fixture.leftovers() == ["features.h5", "features.h5.spool"])
        #expect(try fixture.bytes("features.h5") == Data("of someone".utf8))
    }
}
