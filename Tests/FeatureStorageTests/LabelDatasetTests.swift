import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import FeatureStorage

struct LabelDatasetTests {
    @Test(arguments: [1, 3, 1000, 70_000])
    func `rows of several chunks read back as they were written`(labels: Int) throws {
        let folder = try TemporaryFolder()
        var random = RandomSource(seed: UInt64(labels))
        let clips = labels > 5000 ? 5 : 300
        var sample = SampleFile(rowCounts: Array(repeating: 1, count: clips))
        sample.labels = (0..<labels).map { "l\(String(repeating: "0", count: 6 - "\($0)".count))\($0)" }
        let rows = (0..<clips).map { _ in
            Set((0..<Int(random.next() % 5)).map { _ in Int(random.next() % UInt64(labels)) }).sorted()
        }
        for (index, row) in rows.enumerated() {
            sample.change(index, label: "", labelIndex: -1, labelIndices: row)
        }
        sample.hasLabelMatrix = true
        try sample.write(to: folder.path("f.h5"))
        let file = try FeatureReader(path: folder.path("f.h5"))
        #expect(file.storesLabelMatrix)
        #expect(try file.allClips().map(\.labelIndices) == rows)
        #expect(try file.verify().isEmpty)
        let bytes = try #require(try file.labelMatrix(ofClips: 2..<4))
        #expect(
            bytes.count == 2 * labels
                && bytes.indices.filter { bytes[$0] == 1 } == rows[2] + rows[3].map { $0 + labels })
    }

    @Test func `a file without clips or labels has an empty matrix`() throws {
        let folder = try TemporaryFolder()
        var sample = SampleFile(rowCounts: [2, 1])
        sample.labels = []
        for index in 0..<2 { sample.change(index, label: "", labelIndex: -1, labelIndices: []) }
        sample.hasLabelMatrix = true
        try sample.write(to: folder.path("f.h5"))
        let file = try FeatureReader(path: folder.path("f.h5"))
        #expect(try file.allClips().map(\.labelIndices) == [[], []])
        #expect(try file.verify().isEmpty)
    }

    @Test(arguments: [
        StoreConfiguration(), StoreConfiguration(compression: .deflate), StoreConfiguration(layout: .fixed),
        StoreConfiguration(layout: .fixed, compression: .deflate),
    ])
    func `labels of frames read back in every layout, with -1 where there is no clip`(store: StoreConfiguration) throws
    {
        let folder = try TemporaryFolder()
        var sample = SampleFile(rowCounts: [4, 1, 7, 13]).stored(store)
        sample.frameLabelNames = ["a", "b"]
        var all: [Int32] = Array(repeating: -1, count: sample.shape.rows)
        for (index, clip) in sample.clips.enumerated() {
            let own = (0..<clip.frameCount).map { Int32(($0 + index) % 3) - 1 }
            all.replaceSubrange(clip.frameStart..<clip.frameStart + clip.frameCount, with: own)
            sample.clips[index].frameLabelChecksum = own.withUnsafeBytes { XXH3Hash128.checksum(of: $0).hex }
        }
        sample.frameLabels = all
        try sample.write(to: folder.path("f.h5"))
        let file = try FeatureReader(path: folder.path("f.h5"))
        #expect(try file.verify().isEmpty)
        #expect(file.frameLabelNames == ["a", "b"])
        #expect(try file.frameLabels(ofRows: 0..<all.count) == all)
        #expect(try file.frameLabels(ofRows: 2..<all.count - 1) == Array(all[2..<all.count - 1]))
        for clip in try file.allClips() {
            #expect(
                try file.frameLabels(of: clip) == Array(all[clip.frameStart..<clip.frameStart + clip.frameCount]))
        }
        // One after a clip, or one that has no name, is found.
        for (row, value) in [(0, Int32(2)), (all.count - 1, -2)] {
            var damaged = sample
            damaged.frameLabels[row] = value
            try damaged.write(to: folder.path("d.h5"))
            #expect(try !FeatureReader(path: folder.path("d.h5")).verify().isEmpty)
        }
    }
}
