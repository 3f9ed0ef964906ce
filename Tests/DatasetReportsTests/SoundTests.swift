import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import DatasetReports

struct SoundTests {
    private static func count(_ page: String) -> Int { page.ranges(of: "<audio ").count }

    @Test func `what is heard does not depend on jobs, and unusual clips come first`() throws {
        let data = try SampleDataset()
        let report = try data.report(jobs: 1)
        let players = [4] + Array(report.clips.keys.sorted()) + [4]
        let all = try ReportSounds.make(players, of: report.clips, data.reader, root: data.folder.url.path, jobs: 1)
        #expect(
            all.waves.count == report.clips.count && all.leftOut == 0 && all.unreadable == 0 && all.shortened.isEmpty)
        // Recordings of 16 bits take two bytes a sample, and there are two players more than clips.
        #expect(
            all.waves.allSatisfy { index, wave in wave.count == 44 + 2 * (1200 + 100 * ((index == 12 ? 4 : index) % 5))
            })
        for limit in [0, 3000, 10_000, 20_000, 40_000] {
            let some = try [1, 3].map { jobs in
                try ReportSounds.make(
                    players, of: report.clips, data.reader, root: data.folder.url.path, jobs: jobs, maximumBytes: limit)
            }
            #expect(some[0].waves == some[1].waves && some[0].leftOut == some[1].leftOut)
            #expect(some[0].waves.count + some[0].leftOut == report.clips.count)
            let sizes = players.compactMap { some[0].waves[$0]?.count }
            // It ends where even a sound of floating point would no longer fit.
            #expect(sizes.reduce(0, +) <= limit && (some[0].leftOut == 0 || sizes.reduce(0, +) >= limit - 3 * 6500))
            if limit == 20_000 { #expect(some[0].waves[4] != nil && some[0].leftOut > 0) }
        }
    }

    @Test func `the page says how many clips are not heard, and why`() throws {
        let data = try SampleDataset()
        let page = try ReportPage.html(data.report())
        #expect(Self.count(page) > 12 && page.contains("Players have the sound of the clips. Colours") == false)
        #expect(page.contains("Players have the sound of the clips."))
        let silent = try ReportPage.html(data.report(root: data.folder.path("nowhere")))
        #expect(Self.count(silent) == 0 && silent.contains("No clip has a player: the recordings were not found."))
        try FileManager.default.removeItem(atPath: data.folder.path("3.wav"))
        let fewer = try ReportPage.html(data.report())
        #expect(
            fewer.contains("1 clip has none: 1 recording could not be read; --root names the folder of the manifest."))
        #expect(0 < Self.count(fewer) && Self.count(fewer) < Self.count(page))
    }

    @Test func `names of any content are names of players`() throws {
        let page = try ReportPage.html(SampleDataset(labels: SampleDataset.hostile).report())
        #expect(Self.count(page) > 12)
        for part in page.split(separator: "<audio ").dropFirst() {
            #expect(part.hasPrefix("controls preload=\"none\" aria-label=\"Sound of "))
        }
    }
}
