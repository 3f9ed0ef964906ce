import ExtractionSupport
import FeatureModel
import FeatureStorage
import Foundation
import TestSupport
import Testing

@testable import DatasetInspection

struct RowBlocksTests {
    private let fixture: ExtractionFixture

    init() throws {
        fixture = try ExtractionFixture()
        for clip in 0..<3 {
            try fixture.record("\(clip).wav", samples: 9000 * (clip + 1), seed: clip, gain: 0.1 + 0.3 * Float(clip))
        }
        try fixture.folder.writeWave([Array(repeating: 0, count: 5000)], sampleRate: 8000, to: "silent.wav")
    }

    private static let manifest = "path,label\n0.wav,owl\n1.wav,wren\n2.wav,owl\nsilent.wav,wren\n"

    private func reader(
        topDB: Double? = nil, scope: NormalizeConfiguration.Scope = .none,
        compression: StoreConfiguration.Compression = .none, manifest: String = manifest, output: String? = nil
    ) throws -> FeatureReader {
        let base = try ExtractionFixture.configuration()
        let configuration = try FeatureConfiguration(
            audio: base.audio, frame: base.frame, transform: base.transform, scale: ScaleConfiguration(topDB: topDB),
            normalize: NormalizeConfiguration(scope: scope, fit: ""),
            store: StoreConfiguration(compression: compression))
        return try fixture.extract(
            manifest, configuration, output: output ?? "\(topDB ?? 0)-\(scope)-\(compression).h5")
    }

    @Test func `blocks have a maximum number of values, and all rows in order`() throws {
        for compression in StoreConfiguration.Compression.allCases {
            let reader = try reader(compression: compression)
            let range = try reader.rowRanges(ofClips: 2..<3)[0]
            let wanted = try reader.rows(range).values
            for rows in [1, 7, 100, 1000] {
                var (found, seen): ([Float], [Float]) = ([], [])
                try RowBlocks(maximumValues: 12 * rows + 5).each(range, of: reader, before: { seen += $0.values }) {
                    block in
                    #expect(seen == wanted && block.rows <= rows)
                    // But for the last, they end where chunks do.
                    let isWhole = block.rows % (reader.shape.chunkRows ?? 1) == 0 || block.rows < rows
                    #expect(isWhole || rows < reader.shape.chunkRows ?? 1)
                    found += block.values
                }
                #expect(found == wanted)
            }
            var calls = 0
            try RowBlocks(maximumValues: 1).each(range.lowerBound..<range.lowerBound, of: reader) {
                calls += $0.rows + 1
            }
            #expect(calls == 1)
        }
    }

    @Test(arguments: [nil, 6.0], [NormalizeConfiguration.Scope.none, .clip, .dataset])
    func `profiles and averages do not depend on how rows are cut into blocks`(
        topDB: Double?, scope: NormalizeConfiguration.Scope
    ) throws {
        let reader = try reader(topDB: topDB, scope: scope)
        let whole = try ClipProfiles.take(reader)
        #expect(topDB == nil || whole.profiles[..<3].allSatisfy { ($0.floorShare ?? 0) > 0.01 && $0.floorShare != 1 })
        let average = try LabelAverage.take(reader, clipIndices: [0, 2, 3], frames: 150)
        #expect(average.counts.count == 150 && average.counts[149] == 1)
        for rows in [1, 7, 1000] {
            let blocks = RowBlocks(maximumValues: 12 * rows)
            let found = try ClipProfiles.take(reader, blocks: blocks)
            #expect(found.profiles == whole.profiles && found.means == whole.means && found.values == whole.values)
            #expect(found.binMeans == whole.binMeans && found.binDeviations == whole.binDeviations)
            #expect(found.floorShare == whole.floorShare)
            #expect(try LabelAverage.take(reader, clipIndices: [0, 2, 3], frames: 150, blocks: blocks) == average)
        }
    }

    @Test(arguments: [nil, 6.0], [NormalizeConfiguration.Scope.none, .clip, .dataset])
    func `profiles do not depend on threads, or on libhdf5`(topDB: Double?, scope: NormalizeConfiguration.Scope) throws
    {
        for compression in StoreConfiguration.Compression.allCases {
            let clips = (0..<600).map {
                "\($0 % 3).wav,\($0),\(["owl", "wren", ""][$0 % 3]),\(Double($0 % 7) / 10),0.8"
            }
            let path = fixture.folder.path("many-\(topDB ?? 0)-\(scope)-\(compression).h5")
            let reader = try reader(
                topDB: topDB, scope: scope, compression: compression,
                manifest: "path,id,label,start,end\n" + clips.joined(separator: "\n") + "\n", output: path)
            // A value that is not one, within the first row: the width of intervals is that of the next.
            if compression == .none {
                let file = try FileHandle(forUpdating: URL(filePath: path))
                try file.seek(toOffset: UInt64(try #require(try reader.featuresOffset())))
                try file.write(contentsOf: withUnsafeBytes(of: Float.nan) { Data($0) })
                try file.close()
            }
            let whole = try ClipProfiles.take(reader, jobs: 1, nil)
            #expect(whole.profiles.count == 600 && whole.invalidValues == (compression == .none ? 1 : 0))
            let stored = try #require(try reader.storedRows())
            for jobs in [1, 2, 7] {
                let found = try ClipProfiles.take(reader, jobs: jobs, stored)
                #expect(found.profiles == whole.profiles && found.means == whole.means && found.values == whole.values)
                #expect(found.binMeans == whole.binMeans && found.binDeviations == whole.binDeviations)
                #expect(found.floorShare == whole.floorShare && found.invalidValues == whole.invalidValues)
            }
        }
    }

    @Test func `cells hold the means of their values, for any blocks`() {
        var random = RandomSource(seed: 3)
        for (frames, bins, width, height) in [
            (100, 30, 9, 7), (5, 3, 9, 7), (9, 7, 9, 7), (1, 40, 9, 7), (50, 1, 9, 7),
        ] {
            let all = FeatureMatrix(bins: bins, values: random.samples(frames * bins))
            var results: [FeatureMatrix] = []
            for size in [1, 4, 1000] {
                var cells = PictureCells(frames: frames, bins: bins, width: width, height: height)
                for start in stride(from: 0, to: frames, by: size) {
                    let end = min(start + size, frames)
                    cells.add(FeatureMatrix(bins: bins, values: Array(all.values[start * bins..<end * bins])))
                }
                results.append(cells.matrix)
            }
            let found = results[0]
            #expect(results[1] == found && results[2] == found)
            #expect(found.rows == min(frames, width) && found.bins == min(bins, height))
            for x in 0..<found.rows {
                for y in 0..<found.bins {
                    let columns = x * frames / found.rows..<(x + 1) * frames / found.rows
                    let rows = y * bins / found.bins..<(y + 1) * bins / found.bins
                    let values = columns.flatMap { column in rows.map { Double(all[column, $0]) } }
                    let mean = values.reduce(0, +) / Double(values.count)
                    #expect(abs(Double(found[x, y]) - mean) < 1e-6)
                }
            }
        }
        #expect(PictureCells(frames: 0, bins: 3, width: 4, height: 4).matrix.rows == 0)
    }
}
