import DatasetExtraction
import ExtractionSupport
import FeatureModel
import Foundation
import TestSupport
import Testing

/// A run that is resumed with the statistics of another file: `--stats-from`.
struct ResumedStatisticsTests {
    private let fixture: ExtractionFixture
    private static let manifest = "id,path,split\n" + (0..<24).map { "\($0),\($0 % 4).wav,train\n" }.joined()
    private static let configuration = Result {
        try ExtractionFixture.configuration(normalize: NormalizeConfiguration(scope: .dataset))
    }

    init() throws {
        fixture = try ExtractionFixture()
        for number in 0..<6 {
            try fixture.record(
                "\(number).wav", samples: 9000 + 900 * number, seed: number, gain: 0.1 + 0.1 * Float(number))
        }
        for name in ["4", "5"] {
            _ = try fixture.extraction(
                "path,split\n\(name).wav,train\n", Self.configuration.get(), output: "stats-\(name).h5"
            ).run()
        }
    }

    /// An extraction with the statistics of a file, or its own.
    private func extraction(_ given: String?, output: String = "features.h5", files: Int? = nil) throws -> Extraction {
        try fixture.extraction(
            Self.manifest, Self.configuration.get(), output: output, jobs: 1,
            statistics: given.map { try ImportedStatistics(path: fixture.folder.path("stats-\($0).h5")) }
        ).with { $0.files = files }
    }

    @Test(arguments: [[nil, "4"], ["4", "5"], ["5", nil]] as [[String?]])
    func `the file is that of an uninterrupted run with the last statistics`(given: [String?]) throws {
        let done = try fixture.interrupt(extraction(given[0]), after: 6)
        try #require((6..<20).contains(done), "the run ended before it was stopped")
        #expect(try extraction(given[1]).run().resumedClips == done)
        _ = try extraction(given[1], output: "whole.h5").run()
        #expect(try fixture.bytes("features.h5") == fixture.bytes("whole.h5"))
        _ = try extraction(given[0], output: "other.h5").run()
        #expect(try fixture.bytes("features.h5") != fixture.bytes("other.h5"))
    }

    @Test func `a file of a set with other statistics is not taken for one of the resumed run`() throws {
        _ = try extraction("4", files: 2).run()
        let first = try fixture.bytes("features-00001-of-00002.h5")
        for name in try fixture.folder.names() where name.hasPrefix("features") {
            try FileManager.default.removeItem(atPath: fixture.folder.path(name))
        }
        try fixture.stopBeforeAssembly(extraction("4", files: 2))
        try RawFile.write(first, to: fixture.folder.path("features-00001-of-00002.h5"))
        #expect(try thrownCase { try extraction("5", files: 2).run() } == "outputExists")
        let replacing = try extraction("5", files: 2).with { $0.overwrite = true }
        #expect(try replacing.run().resumedClips == 24)
        _ = try extraction("5", output: "whole.h5", files: 2).run()
        for number in 1...2 {
            #expect(
                try fixture.bytes("features-0000\(number)-of-00002.h5")
                    == fixture.bytes("whole-0000\(number)-of-00002.h5"))
        }
    }
}
