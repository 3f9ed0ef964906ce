import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import TestSupport
import Testing

struct ReproducibilityTests {
    /// Extracts the same clips in any fixture; some fail.
    private func manifest(in fixture: ExtractionFixture) throws -> String {
        for clip in 0..<12 {
            try fixture.record(
                "\(clip).wav", samples: 500 + 700 * clip, channels: 1 + clip % 2, rate: [8000, 11_025][clip % 2],
                seed: clip)
        }
        var text = "id,path,split,label,start\n"
        for clip in 0..<60 {
            let path = clip % 13 == 5 ? "gone.wav" : "\(clip * 7 % 12).wav"
            text += "\(clip),\(path),\(["train", "test"][clip % 2]),\(clip % 5),\(clip % 3 == 0 ? "0.01" : "")\n"
        }
        return text
    }

    @Test func `the same bytes come of any number of jobs, of scratch elsewhere, and in another folder`() throws {
        let configuration = try ExtractionFixture.configuration(normalize: NormalizeConfiguration())
        let fixture = try ExtractionFixture()
        let manifest = try manifest(in: fixture)
        _ = try fixture.extract(manifest, configuration, output: "1.h5", jobs: 1)
        let expected = try fixture.bytes("1.h5")
        for jobs in [2, 3, 8, 100] {
            _ = try fixture.extract(manifest, configuration, output: "\(jobs).h5", jobs: jobs)
            #expect(try fixture.bytes("\(jobs).h5") == expected, "\(jobs) jobs")
        }
        let scratch = try TemporaryFolder()
        _ = try fixture.extract(manifest, configuration, output: "scratch.h5", scratch: scratch.url.path)
        #expect(try fixture.bytes("scratch.h5") == expected)
        #expect(try scratch.names().isEmpty)

        let other = try ExtractionFixture()
        _ = try other.extract(self.manifest(in: other), configuration, output: "other.h5")
        #expect(try other.bytes("other.h5") == expected)
    }

    @Test func `the file holds no path of this computer`() throws {
        let fixture = try ExtractionFixture()
        try fixture.record("a.wav")
        _ = try fixture.extract("path\na.wav\ngone.wav\n")
        let text = String(decoding: try fixture.bytes("features.h5"), as: UTF8.self)
        #expect(text.contains("a.wav") && !text.contains(fixture.folder.url.lastPathComponent))
    }
}
