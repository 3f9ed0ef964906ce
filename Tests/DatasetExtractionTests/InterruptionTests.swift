import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import Messages
import TestSupport
import Testing

@testable import Concurrency
@testable import DatasetExtraction

struct InterruptionTests {
    private let fixture: ExtractionFixture

    init() throws { fixture = try ExtractionFixture() }

    @Test func `a run that is stopped before it begins leaves nothing`() throws {
        try fixture.record("a.wav")
        let cancellation = Cancellation()
        cancellation.cancel()
        let extraction = try fixture.extraction("path\na.wav\n")
        #expect(throws: ExtractionError.cancelled) { try extraction.run(cancellation: cancellation) }
        #expect(try fixture.leftovers().isEmpty)
    }

    /// Begins as HDF5 files do, since nothing else is ever overwritten.
    private let olderFile =
        Data([0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A]) + Data("an older file".utf8)

    @Test func `a run that is stopped midway leaves its clips, and an older file as it was`() throws {
        try fixture.record("a.wav", samples: 50_000)
        let manifest = "id,path\n" + (0..<2000).map { "\($0),a.wav\n" }.joined()
        try olderFile.write(to: fixture.folder.url.appending(path: "features.h5"))
        let done = try fixture.interrupt(fixture.extraction(manifest, overwrite: true), after: 3)
        #expect((3..<2000).contains(done))
        #expect(try fixture.leftovers() == ["features.h5", "features.h5.spool"])
        #expect(try fixture.bytes("features.h5") == olderFile)
    }

    @Test func `a stop within a long clip comes within the clip, and is not a failure of it`() throws {
        // Hours of silence, of which only the header takes space on the disk.
        try fixture.folder.writeWave([[]], sampleRate: 8000, to: "long.wav")
        let samples = 60_000_000
        let file = try FileHandle(forUpdating: fixture.folder.url.appending(path: "long.wav"))
        for (offset, size) in [(4, 36 + 2 * samples), (40, 2 * samples)] {
            try file.seek(toOffset: UInt64(offset))
            try file.write(contentsOf: withUnsafeBytes(of: UInt32(size).littleEndian) { Data($0) })
        }
        try file.truncate(atOffset: UInt64(44 + 2 * samples))
        try file.close()
        let spool = fixture.folder.path("features.h5.spool")
        let (cancellation, progress) = (Cancellation(), ExtractionProgress())
        let extraction = try fixture.extraction("path\nlong.wav\n", jobs: 1)
        Thread {
            // Once the first rows of the clip are in the spool, it is under way.
            func rowsAreWritten() -> Bool {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: spool)) ?? []
                return names.contains { name in
                    let found = try? FileManager.default.attributesOfItem(atPath: "\(spool)/\(name)")
                    return (found?[.size] as? Int ?? 0) > 100_000
                }
            }
            while !rowsAreWritten(), progress.snapshot.phase.rawValue < ExtractionProgress.Phase.assembling.rawValue {
                usleep(1000)
            }
            cancellation.cancel()
        }.start()
        #expect(throws: ExtractionError.cancelled) {
            try extraction.run(progress: progress, cancellation: cancellation)
        }
        #expect(progress.snapshot.phase == .extracting && progress.snapshot.done == 0 && progress.snapshot.failed == 0)
        #expect(try fixture.leftovers().isEmpty)
    }

    #if os(Linux)
        /// A file system of a few pages, which only root can mount; nil: it cannot be.
        private func smallDisk(_ megabytes: Int) throws -> String? {
            let path = fixture.folder.path("disk")
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            return mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0 ? path : nil
        }

        @Test(arguments: ["spool", "file"])
        func `once a full disk has space again, a run resumes with what it has`(full: String) throws {
            guard let disk = try smallDisk(1) else {
                // Not an error: only root may mount. The continuous integration runs as root.
                print("SKIPPED: a full disk cannot be tried, since no file system can be mounted here (\(errno))")
                return
            }
            defer { umount2(disk, 2) }
            let output = disk + "/features.h5"
            try olderFile.write(to: URL(filePath: output))
            // Twelve values of four bytes for every 128 samples: 1.9 MB of clips.
            try fixture.folder.writeWave([Array(repeating: 0.25, count: 500_000)], sampleRate: 8000, to: "a.wav")
            let manifest = "id,path\n" + (0..<10).map { "\($0),a.wav\n" }.joined()
            let scratch = full == "spool" ? nil : fixture.folder.url.path
            let extraction = try fixture.extraction(manifest, output: output, scratch: scratch, overwrite: true)
            let error = #expect(throws: StoppedExtraction.self) { try extraction.run() }
            #expect((error?.cause as? StorageError)?.systemCode == ENOSPC, "\(String(describing: error))")
            #expect(try Data(contentsOf: URL(filePath: output)) == olderFile)
            #expect(error?.done == 10 || full == "spool" && (1..<10).contains(error?.done ?? 0))
            #expect(mount("tmpfs", disk, "tmpfs", UInt(MS_REMOUNT), "size=8m") == 0)
            let summary = try extraction.run()
            #expect(summary.resumedClips == error?.done)
            // At the same place relative to the recordings, which the file names.
            let other = fixture.folder.path("other")
            try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
            let whole = try fixture.extraction(manifest, output: other + "/features.h5").run()
            #expect(try Data(contentsOf: URL(filePath: output)) == Data(contentsOf: URL(filePath: whole.output)))
            #expect(try FileManager.default.contentsOfDirectory(atPath: disk) == ["features.h5"])
        }
    #endif
}
