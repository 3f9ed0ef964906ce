import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import FeatureStorage

extension StoreConfiguration {
    /// Every combination of layout, type and compression.
    static var all: [StoreConfiguration] {
        Layout.allCases.flatMap { layout in
            Element.allCases.flatMap { element in
                Compression.allCases.map { StoreConfiguration(layout: layout, element: element, compression: $0) }
            }
        }
    }
}

/// Files of every layout, type and compression.
struct LayoutTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("features.h5")
    }

    /// Flips a bit of the file.
    private func flip(byte: Int, bit: Int) throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        try file.seek(toOffset: UInt64(byte))
        let value = try #require(try file.read(upToCount: 1)?.first)
        try file.seek(toOffset: UInt64(byte))
        try file.write(contentsOf: Data([value ^ UInt8(1 << bit)]))
        try file.close()
    }

    @Test(arguments: StoreConfiguration.all) func `everything that is written is read back`(store: StoreConfiguration)
        throws
    {
        for counts in [[4, 1, 7], [8, 16, 3, 0, 9], [100], []] {
            let file = SampleFile(rowCounts: counts, bins: 5).stored(store)
            try file.write(to: path)
            let reader = try FeatureReader(path: path)
            #expect(reader.shape == (counts.isEmpty ? file.shape.withoutChunks : file.shape))
            #expect(try reader.allClips() == file.clips)
            var start = 0
            for clip in file.clips {
                let end = start + clip.frameCount * 5
                #expect(try reader.features(of: clip).values == Array(file.values[start..<end]))
                start = end
            }
            #expect(try reader.verify() == [])
            #expect(
                try (reader.featuresOffset() == nil)
                    == (store.compression == .deflate && !counts.isEmpty || counts.isEmpty))
        }
    }

    @Test(arguments: StoreConfiguration.all) func `rows of no clip are padding`(store: StoreConfiguration) throws {
        let file = SampleFile(rowCounts: [4, 1, 9], bins: 5).stored(store)
        try file.write(to: path)
        let reader = try FeatureReader(path: path)
        let own = file.clips.reduce(into: Set<Int>()) { $0.formUnion($1.frameStart..<$1.frameStart + $1.frameCount) }
        let rows = try reader.rows(0..<reader.rows)
        for row in 0..<reader.rows where !own.contains(row) {
            #expect(rows[row: row].allSatisfy { store.layout == .fixed ? $0.bitPattern == 0 : $0.isNaN })
        }
        #expect((reader.rows > own.count) == (store.layout == .fixed || store.compression == .deflate))
    }

    @Test(arguments: StoreConfiguration.all) func `a flipped bit of the tensor is found, with its clip`(
        store: StoreConfiguration
    ) throws {
        let file = SampleFile(rowCounts: [4, 1, 9], bins: 5).stored(store)
        try file.write(to: path)
        let whole = try Data(contentsOf: URL(filePath: path))
        guard let offset = try FeatureReader(path: path).featuresOffset() else {
            return try flipCompressed(whole, file)
        }
        let size = store.element.size
        for byte in 0..<file.shape.rows * 5 * size {
            try RawFile.write(whole, to: path)
            try flip(byte: offset + byte, bit: byte % 8)
            let row = byte / size / 5
            let owner = file.clips.last { $0.frameStart <= row }?.id
            #expect(Set(try FeatureReader(path: path).verify().map(\.clip)) == [owner], "byte \(byte)")
        }
    }

    /// Chunks follow one another, in the clips' order.
    private func flipCompressed(_ whole: Data, _ file: SampleFile) throws {
        var found = 0
        for (_, start, end) in try chunkLocations() {
            for byte in stride(from: start, to: end, by: 3) {
                try RawFile.write(whole, to: path)
                try flip(byte: byte, bit: byte % 8)
                let clips = Set(try FeatureReader(path: path).verify().map(\.clip))
                // A bit of zlib's header, or one that no value depends on, changes nothing that is read.
                #expect(clips.count <= 1 && !clips.contains(nil))
                found += clips.count
            }
        }
        #expect(found > 20)
    }

    /// Row, first byte and end of each chunk: those that verify reads.
    private func chunkLocations() throws -> [(row: Int, start: Int, end: Int)] {
        let reader = try FeatureReader(path: path)
        return try reader.files.first.file.chunks(of: "/features").map {
            ($0.start[0], $0.offset, $0.offset + $0.byteCount)
        }
    }

    @Test(arguments: StoreConfiguration.all) func `a flipped bit of a column is found, with its clip`(
        store: StoreConfiguration
    ) throws {
        var file = SampleFile(rowCounts: [4, 1, 9], bins: 5).stored(store)
        file.extraColumns = ["b", "a"]
        for index in file.clips.indices { file.change(index, extra: ["b\(index)", "a\(index)"]) }
        try file.write(to: path)
        let whole = try Data(contentsOf: URL(filePath: path))
        let reader = try FeatureReader(path: path)
        let columns = [
            "path", "label", "split", "label_index", "start", "duration", "sample_rate", "channels", "frame_start",
            "frame_count", "audio_xxh3", "tensor_xxh3", "record_xxh3", "extra/a", "extra/b",
        ]
        for column in columns {
            let offset = try #require(try reader.files.first.file.offset(of: "/clips/" + column))
            let width = try reader.files.first.file.width(of: "/clips/" + column)
            for clip in file.clips.indices {
                for byte in Set([0, width / 2, width - 1]) {
                    try RawFile.write(whole, to: path)
                    try flip(byte: offset + clip * width + byte, bit: (byte + clip) % 8)
                    let found = try FeatureReader(path: path).verify().map(\.clip)
                    #expect(found.contains("clip-\(clip)"), "\(column), clip \(clip), byte \(byte)")
                }
            }
        }
    }

    @Test func `a flipped bit of an id is found under the id that it makes`() throws {
        try SampleFile().write(to: path)
        let whole = try Data(contentsOf: URL(filePath: path))
        let offset = try #require(try FeatureFile(path: path).file.offset(of: "/clips/id"))
        for byte in 0..<18 {
            try RawFile.write(whole, to: path)
            try flip(byte: offset + byte, bit: byte % 8)
            let reader = try FeatureReader(path: path)
            let finding = try #require(try reader.verify().first)
            #expect(finding.clip == (try reader.clip(at: byte / 6).id))
            #expect(finding.description.contains("clip number \(byte / 6)"))
        }
    }

    @Test func `a flipped bit of what belongs to no clip is found`() throws {
        var file = SampleFile()
        file.failures = [StoredFailure(id: "bad", path: "x.wav", failure: FailureRecord(.isFolder))]
        try file.write(to: path)
        let whole = try Data(contentsOf: URL(filePath: path))
        let reader = try FeatureReader(path: path)
        for name in [
            "labels", "frequency", "statistics/mean", "statistics/std", "statistics/min", "statistics/max",
            "failures/id", "failures/path", "failures/reason", "provenance/configuration", "provenance/software",
            "provenance/manifest_sha256",
        ] {
            let offset = try #require(try reader.files.first.file.offset(of: "/" + name))
            for byte in 0..<3 {
                try RawFile.write(whole, to: path)
                try flip(byte: offset + byte, bit: 3 - byte)
                let found = try FeatureReader(path: path).verify()
                #expect(found.contains { $0.clip == nil && $0.description.contains("metadata_xxh3") }, "\(name)")
            }
        }
    }

    @Test func `statistics of each clip are stored where they are needed`() throws {
        var file = SampleFile()
        file.normalize = NormalizeConfiguration(scope: .clip, method: .zscore, axis: .bin)
        file.clipStatistics = file.clips.indices.map { clip in
            BinStatistics(
                count: file.clips[clip].frameCount, mean: [1, 2, Double(clip)], standardDeviation: [0.1, 0, 2.5],
                minimum: [0, 1, -1], maximum: [1, 2, 9])
        }
        try file.write(to: path)
        let reader = try FeatureReader(path: path)
        #expect(try reader.verify() == [])
        #expect(try reader.statistics(ofClips: 0..<3) == file.clipStatistics)
        let clip = try reader.clip(at: 2)
        let stored = try reader.features(of: clip)
        let raw = try reader.undoNormalization(of: stored, clip: clip)
        for row in 0..<stored.rows {
            #expect(abs(raw[row, 0] - (stored[row, 0] * 0.1 + 1)) < 1e-6)
            #expect(abs(raw[row, 1] - (stored[row, 1] + 2)) < 1e-6)
            #expect(abs(raw[row, 2] - (stored[row, 2] * 2.5 + 2)) < 1e-6)
        }
        #expect(try FeatureReader(path: path).statistics(ofClips: 1..<2)?.first == file.clipStatistics[1])
    }

    @Test func `clips are found by index, id, label and split, and come in batches`() throws {
        let file = SampleFile(rowCounts: Array(1...50), bins: 2)
        try file.write(to: path)
        let reader = try FeatureReader(path: path)
        for (index, clip) in file.clips.enumerated() {
            #expect(try reader.clip(at: index) == clip && reader.clip(id: clip.id) == clip)
            #expect(try reader.index(ofClip: clip.id) == index)
        }
        #expect(try reader.index(ofClip: "") == nil)
        #expect(throws: StorageError.self) { try reader.clip(at: 50) }
        #expect(throws: StorageError.self) { try reader.clip(at: -1) }
        #expect(try reader.indices(label: "wren") == (0..<50).filter { $0 % 3 == 2 })
        #expect(try reader.indices(label: "tit") == [])
        #expect(try reader.indices(split: "test") == (0..<50).filter { $0 % 2 == 1 })
        var batches = reader.batches(of: 8)
        var seen = 0
        while let batch = try batches.next() {
            #expect(batch.clips == Array(file.clips[seen..<min(seen + 8, 50)]))
            #expect(batch.features.map(\.rows) == batch.clips.map(\.frameCount))
            seen += batch.clips.count
        }
        #expect(seen == 50)
        var chosen = reader.batches(of: 3, indices: [7, 2, 7, 40])
        #expect(try chosen.next()?.clips.map(\.id) == ["clip-7", "clip-2", "clip-7"])
        #expect(try chosen.next()?.features.first?.rows == 41)
        #expect(try chosen.next() == nil)
    }
}
