import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import FeatureStorage

/// Statistics of clips, of which only so many are in memory at a time.
struct StatisticsBlockTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("features.h5")
    }

    /// A file of clips of a frame each that are normalised one by one.
    private func file(clips: Int, bins: Int) -> SampleFile {
        var file = SampleFile(rowCounts: Array(repeating: 1, count: clips), bins: bins)
        file.normalize = NormalizeConfiguration(scope: .clip)
        file.clipStatistics = (0..<clips).map { clip in
            let mean = (0..<bins).map { Double(clip) + Double($0) / Double(bins) }
            return BinStatistics(
                count: 1, mean: mean, squaredDistance: Array(repeating: 0, count: bins),
                minimum: mean.map { Float($0) }, maximum: mean.map { Float($0) })
        }
        return file
    }

    @Test(arguments: [(1, 0), (1, 1), (3, 7), (80, 100), (1000, 10_000), (32_769, 40), (10_000_000, 3)])
    func `blocks have all clips in order, and no more statistics than a block may`(bins: Int, clips: Int) {
        for (first, maximum) in [(0, StatisticsBlock.maximumBytes), (5, 4096), (9, 0)] {
            let indices = first..<first + clips
            let blocks = StatisticsBlock.blocks(of: indices, bins: bins, maximumBytes: maximum)
            #expect(blocks.flatMap(Array.init) == Array(indices))
            #expect(blocks.allSatisfy { !$0.isEmpty && ($0.count == 1 || $0.count * bins * 32 <= maximum) })
            // As large as may be: one clip more would exceed the maximum.
            #expect(blocks.dropLast().allSatisfy { ($0.count + 1) * bins * 32 > maximum })
        }
    }

    @Test func `a file has the same bytes however many clips are appended at a time`() throws {
        let file = file(clips: 30, bins: 5)
        try file.write(to: path)
        let whole = try Data(contentsOf: URL(filePath: path))
        for size in [1, 7] {
            var parts = file
            parts.clips = []
            parts.clipStatistics = []
            let copy = folder.path("parts.h5")
            // The header counts all clips.
            var writer = try FeatureFileWriter.create(
                path: copy, temporary: copy + ".tmp", header: file.header, widths: file.widths)
            let worker = try writer.tensor.worker()
            worker.start(clip: 0, row: 0)
            try parts.values.withUnsafeMutableBufferPointer { try worker.append($0) }
            for start in stride(from: 0, to: 30, by: size) {
                let part = start..<min(start + size, 30)
                try writer.append(Array(file.clips[part]), statistics: Array(file.clipStatistics[part]))
            }
            try writer.finish()
            #expect(try Data(contentsOf: URL(filePath: copy)) == whole)
        }
    }

    @Test func `every clip's statistics are verified where they are read in several blocks`() throws {
        let (clips, bins) = (40, 20_000)
        let wide = file(clips: clips, bins: bins)
        #expect(StatisticsBlock.blocks(of: 0..<clips, bins: bins).count > 1)
        try wide.write(to: path)
        let whole = try Data(contentsOf: URL(filePath: path))
        let reader = try FeatureReader(path: path)
        #expect(try reader.verify() == [])
        #expect(try reader.checkedClips(3..<clips) == Array(wide.clips[3...]))
        #expect(try reader.statistics(ofClips: 27..<29)?.map(\.mean) == wide.clipStatistics[27..<29].map(\.mean))
        for clip in [0, 27, 39] {
            // Nothing else in the file has these bytes: the first mean of the last bin.
            let bits = wide.clipStatistics[clip].mean[bins - 1].bitPattern
            let offset = try #require(
                whole.range(of: withUnsafeBytes(of: bits.littleEndian) { Data($0) })?.lowerBound)
            var damaged = whole
            damaged[offset] ^= 1
            try RawFile.write(damaged, to: path)
            let reader = try FeatureReader(path: path)
            #expect(try reader.verify().map(\.clip) == ["clip-\(clip)"])
            let error = #expect(throws: StorageError.self) { try reader.checkedClips(0..<clips) }
            guard case .damaged(path, let found)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            #expect(found.contains("'clip-\(clip)'"))
        }
    }
}
