import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import FeaturePipeline
@testable import FeatureStorage

/// Runs whose rows are written once, to where they will lie in the file. With a scratch folder they are not: both ways have to
/// make the same file.
struct RowsInPlaceTests {
    private let shop: Workshop
    private let clips = 50
    private let manifest: String
    private var spool: String { shop.place.path("features.h5.spool") }

    init() throws {
        shop = try Workshop()
        for number in 0..<5 { try shop.record("\(number).wav", samples: 15_000 + 1000 * number, seed: number) }
        try shop.record("short.wav", samples: 9, seed: 9)
        // Neighbours of one recording, segments, a missing one, one that is too short.
        manifest =
            "id,path,start,end\n"
            + (0..<clips).map { clip in
                switch clip {
                case 7: "7,gone.wav,,\n"
                case 8: "8,short.wav,,\n"
                case 20..<28: "\(clip),3.wav,\(Double(clip - 20) * 0.21),\(Double(clip - 20) * 0.21 + 0.4)\n"
                default: "\(clip),\(clip / 2 % 5).wav,,\n"
                }
            }.joined()
    }

    private func copied(_ manifest: String, _ configuration: FeatureConfiguration? = nil) throws -> Data {
        try FileManager.default.createDirectory(
            atPath: shop.place.path("scratch"), withIntermediateDirectories: true)
        _ = try shop.extraction(
            manifest, configuration, output: "copied.h5", scratch: shop.place.path("scratch"), overwrite: true
        ).run()
        return try shop.bytes("copied.h5")
    }

    /// Stops a run when all clips are done, and before anything is put together.
    private func stopBeforeAssembly(_ extraction: Extraction) throws {
        let standing = shop.place.path("features.h5")
        try FileManager.default.createDirectory(atPath: spool + "/features.h5", withIntermediateDirectories: true)
        try Data().write(to: URL(filePath: spool + "/lock"))
        #expect(throws: StoppedExtraction.self) { try extraction.run() }
        try FileManager.default.removeItem(atPath: spool + "/features.h5")
        #expect(!FileManager.default.fileExists(atPath: standing))
    }

    @Test(arguments: [1, 2, 5])
    func `the file is the same, whether rows are copied or not`(jobs: Int) throws {
        _ = try shop.extraction(manifest, jobs: jobs).run()
        #expect(try shop.bytes("features.h5") == copied(manifest))
        #expect(try shop.leftovers() == ["features.h5"])
    }

    @Test func `also where the rate is changed`() throws {
        for rate in [7000, 11_025, 16_000] {
            let configuration = try Workshop.configuration(rate: rate == 7000 ? 8000 : rate)
            try shop.record("other.wav", samples: 12_345, rate: rate == 7000 ? 7000 : 8000, seed: rate)
            let manifest = "id,path\n" + (0..<12).map { "\($0),\($0 % 2 == 0 ? "other" : "0").wav\n" }.joined()
            _ = try shop.extraction(manifest, configuration, overwrite: true).run()
            #expect(try shop.bytes("features.h5") == copied(manifest, configuration), "\(rate) Hz")
        }
    }

    @Test func `while it works, rows lie in their places, and nowhere else`() throws {
        try stopBeforeAssembly(shop.extraction(manifest))
        let rows = try Data(contentsOf: URL(filePath: spool + "/rows"))
        let expected = try copied(manifest)
        let file = try FeatureReader(path: shop.place.path("copied.h5"))
        let bytes = file.rows * file.bins * 4
        #expect(rows.count == PlacedRows.offset + bytes)
        #expect(rows.dropFirst(PlacedRows.offset) == expected.dropFirst(PlacedRows.offset).prefix(bytes))
        for name in try FileManager.default.contentsOfDirectory(atPath: spool) where name.hasPrefix("clips-") {
            #expect(try Data(contentsOf: URL(filePath: "\(spool)/\(name)")).count < bytes / 2)
        }
    }

    @Test func `a clip that fails in the midst leaves no gap in the file`() throws {
        var samples = try shop.record("nan.wav", samples: 30_000, encoding: .float32)[0]
        samples[29_000] = .nan
        try shop.place.writeWave([samples], sampleRate: 8000, encoding: .float32, to: "nan.wav")
        let manifest = "path\n0.wav\nnan.wav\n1.wav\n2.wav\n"
        let summary = try shop.extraction(manifest, jobs: 1).run()
        #expect(summary.failures == 1 && summary.clips == 3)
        #expect(try shop.bytes("features.h5") == copied(manifest))
    }

    @Test func `a run that goes on with another makes the same file`() throws {
        for after in [3, 12, 30] {
            let done = try shop.interrupt(shop.extraction(manifest, jobs: 2), after: after)
            let summary = try shop.extraction(manifest, jobs: 2, overwrite: true).run()
            // The one that is too short stays a failure, and counts.
            #expect(done == clips || (done...done + 1).contains(summary.resumedClips))
            #expect(try shop.bytes("features.h5") == copied(manifest), "after \(after)")
            try FileManager.default.removeItem(atPath: shop.place.path("features.h5"))
        }
    }

    @Test func `rows that were lost with the power are computed again`() throws {
        try stopBeforeAssembly(shop.extraction(manifest))
        let rows = try Data(contentsOf: URL(filePath: spool + "/rows"))
        try RawFile.write(rows.prefix(rows.count / 2), to: spool + "/rows")
        let summary = try shop.extraction(manifest).run()
        #expect((5..<40).contains(summary.resumedClips), "\(summary.resumedClips)")
        #expect(try shop.bytes("features.h5") == copied(manifest))
    }

    @Test func `killed between the file's name and the deletion of clips, the file is up to date`() throws {
        try stopBeforeAssembly(shop.extraction(manifest))
        let expected = try copied(manifest)
        try FileManager.default.removeItem(atPath: spool + "/rows")
        try RawFile.write(expected, to: shop.place.path("features.h5"))
        let summary = try shop.extraction(manifest).run()
        #expect(summary.wasUpToDate)
        #expect(try shop.bytes("features.h5") == expected && shop.leftovers() == ["features.h5"])
    }

    @Test func `clips whose rows are gone, and whose file is, too, are computed again`() throws {
        try stopBeforeAssembly(shop.extraction(manifest))
        try FileManager.default.removeItem(atPath: spool + "/rows")
        var notices = 0
        let summary = try shop.extraction(manifest).run { _ in notices += 1 }
        #expect(summary.resumedClips == 0 && notices == 0)
        #expect(try shop.bytes("features.h5") == copied(manifest))
        #expect(try shop.leftovers() == ["features.h5"])
    }
}
