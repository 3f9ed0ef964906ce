import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import FeatureStorage

/// What a reader says of the files of a set, against what it says of one file with the same clips.
struct FeatureSetTests {
    private static let forms: [(Int?, PatchShape?)] = [
        (nil, nil), (2, nil), (nil, PatchShape(length: 4, hop: 2, isStacked: false)),
        (nil, PatchShape(length: 4, hop: 4, isStacked: true)),
    ]

    private static func failure(_ number: Int) -> StoredFailure {
        StoredFailure(id: "bad-\(number)", path: "bad/\(number).wav", failure: FailureRecord(.isFolder))
    }

    /// The bytes of values, as text.
    private func bytes(_ values: [Float]) -> String { values.withUnsafeBytes { Data($0).base64EncodedString() } }

    /// Everything that readers say, as text: numbers by their shortest digits, which tell all of them apart, and values by their bytes.
    private func everything(_ reader: FeatureReader) throws -> [String] {
        let all = 0..<reader.clipCount
        let header = reader.header
        var said = [
            "\(reader.generator) \(reader.formatVersion) \(reader.metadataChecksum) \(reader.storesFailureKind)",
            "\(header.shape) \(header.failureCount) \(header.configuration) \(header.axis) \(header.units)",
            "\(header.longName) \(header.framePeriod) \(header.firstFrameTime) \(header.labels) \(header.statistics)",
            "\(header.fit) \(header.normalize) \(header.statisticsSource) \(header.manifestChecksum) \(header.software)",
            "\(header.frameLabelNames ?? []) \(header.annotationsChecksum) \(header.table)",
            "\(reader.rows) \(reader.bins) \(reader.clipCount) \(try reader.totalDuration()) \(try reader.foreignNames())",
        ]
        said += try reader.clips(all).map { "\($0)" }
        said += try reader.checkedClips(all).map { "\($0)" }
        said += try reader.figures(all).map { "\($0)" }
        said +=
            try reader.failures(0..<reader.failureCount).map { "\($0)" } + reader.failureIDs(0..<reader.failureCount)
        said += try (reader.statistics(ofClips: all) ?? []).map { "\($0)" }
        said += try all.map { "\(try reader.storedStatistics(ofClip: $0) ?? [])" }
        said +=
            try reader.rowRanges(ofClips: all).map { "\($0)" } + reader.seconds(.start, ofClips: all).map { "\($0)" }
        said += try reader.recordings(ofClips: Array(all)).map { "\($0)" }
        for column in [ClipColumn.Text.id, .path, .label, .split] { said += try reader.texts(column, ofClips: all) }
        said.append("\(try reader.labelMatrix(ofClips: all) ?? [])")
        for name in ["owl", "wren", "none"] {
            said.append("\(try reader.indices(label: name)) \(try reader.indices(withLabel: name))")
        }
        for name in ["train", "test", ""] { said.append("\(try reader.indices(split: name))") }
        try reader.eachFrameLabel { said.append("\($0) \($1)") }
        try reader.eachLabelRow { said.append("\($0) \($1)") }
        for clip in try reader.clips(all) {
            let features = try reader.features(of: clip)
            said.append("\(bytes(features.values)) \(try reader.frameLabels(of: clip) ?? [])")
            said.append("\(try reader.labelsInTime(of: clip) ?? [])")
            said.append(bytes(try reader.undoNormalization(of: features, clip: clip).values))
        }
        return said
    }

    private func ofOneFile(_ set: SampleSet) throws -> [String] {
        let one = try FeatureReader(path: set.whole)
        #expect(one.set == nil)
        return try everything(one)
    }

    private func expectEqual(_ set: SampleSet, _ expected: [String]) throws {
        let several = try set.reader()
        #expect(several.set?.files.count == set.members.count)
        let found = try everything(several)
        #expect(found.count == expected.count)
        for (found, expected) in zip(found, expected) where found != expected {
            Issue.record("\(found.prefix(300)) instead of \(expected.prefix(300))")
        }
        #expect(try several.verify().isEmpty && several.verify(jobs: 3).isEmpty)
        try several.checkMetadata()
    }

    @Test(arguments: StoreConfiguration.all, forms)
    func `a set says what one file says, in every layout`(
        store: StoreConfiguration, form: (channels: Int?, patch: PatchShape?)
    ) throws {
        var sample = SampleFile.full(store, channels: form.channels, patch: form.patch)
        sample.failures = (0..<5).map(Self.failure)
        let set = try SampleSet(sample, clips: [60])
        let expected = try ofOneFile(set)
        try expectEqual(set, expected)
        try expectEqual(SampleSet(sample, clips: [13, 30, 17], failures: [2, 0, 3]), expected)
        // Files without clips, with failures or without.
        try expectEqual(SampleSet(sample, clips: [0, 1, 0, 58, 1, 0], failures: [0, 1, 3, 1, 0, 0]), expected)
    }

    @Test(arguments: StoreConfiguration.all, forms)
    func `rows of any range are those of one file, also past libhdf5 and as they are stored`(
        store: StoreConfiguration, form: (channels: Int?, patch: PatchShape?)
    ) throws {
        let sample = SampleFile.full(store, channels: form.channels, patch: form.patch)
        let set = try SampleSet(sample, clips: [0, 13, 0, 30, 17])
        let (one, several) = (try FeatureReader(path: set.whole), try set.reader())
        let tensor = TensorReader(try #require(try several.storedRows()))
        let bytes = one.storedRowBytes
        #expect(tensor.shape == one.shape && several.storedRowBytes == bytes)
        var random = RandomSource(seed: 5)
        for _ in 0..<60 {
            let first = Int.random(in: 0...one.rows, using: &random)
            let range = first..<Int.random(in: first...one.rows, using: &random)
            let expected = try one.rows(range).values.map(\.bitPattern)
            #expect(try several.rows(range).values.map(\.bitPattern) == expected)
            #expect(try tensor.rows(range).values.map(\.bitPattern) == expected)
            guard !range.isEmpty else { continue }
            var (stored, others) = ([UInt32](), [UInt32]())
            for (reader, isSet) in [(one, false), (several, true)] {
                var buffer = [UInt32](repeating: 0, count: (range.count * bytes + 3) / 4)
                try buffer.withUnsafeMutableBytes {
                    try reader.readStored(
                        rows: range, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<(range.count * bytes)]))
                }
                if isSet { others = buffer } else { stored = buffer }
            }
            #expect(stored == others)
        }
        for range in [-1..<1, 0..<one.rows + 1] {
            #expect(throws: StorageError.self) { _ = try several.rows(range) }
            #expect(throws: StorageError.self) { _ = try tensor.rows(range) }
        }
    }

    @Test func `clips are found by id and index, in batches and in any order`() throws {
        let set = try SampleSet(SampleFile.full(StoreConfiguration()), clips: [20, 0, 25, 15])
        let (one, several) = (try FeatureReader(path: set.whole), try set.reader())
        for index in [59, 0, 20, 19, 44, 45, 7] {
            #expect(try several.clip(at: index) == one.clip(at: index))
            #expect(try several.clip(id: "clip-\(index)") == one.clip(id: "clip-\(index)"))
        }
        #expect(try several.index(ofClip: "clip-60") == nil)
        for range in [-1..<2, 59..<61, 70..<71] {
            #expect(throws: StorageError.self) { _ = try several.clips(range) }
        }
        #expect(throws: StorageError.self) { _ = try several.clip(at: 60) }
        #expect(throws: StorageError.self) { _ = try several.failures(0..<1) }
        for indices in [nil, [59, 3, 20, 20, 44]] {
            var (expected, found) = (one.batches(of: 7, indices: indices), several.batches(of: 7, indices: indices))
            while let batch = try expected.next() {
                let other = try #require(try found.next())
                #expect(other.clips == batch.clips && other.features == batch.features)
            }
            #expect(try found.next() == nil)
        }
        var (finder, other) = (try ClipFinder(one), try ClipFinder(several))
        let ids = ["clip-58", "clip-2", "nothing", "clip-21"]
        #expect(try finder.find(ids) == other.find(ids))
        #expect(try finder.rest(named: 3) == other.rest(named: 3))
    }

    @Test func `more files than may be open at a time are read in any order, on any number of threads`() throws {
        let count = 2 * FeatureFiles.maximumOpen + 5
        let sample = SampleFile(rowCounts: (0..<count).map { 1 + $0 % 4 }).stored(
            StoreConfiguration(compression: .deflate))
        let set = try SampleSet(sample, clips: Array(repeating: 1, count: count))
        try expectEqual(set, ofOneFile(set))
        let (one, several) = (try FeatureReader(path: set.whole), try set.reader())
        let tensor = try #require(try several.storedRows())
        let expected = try one.clips(0..<count).map { try one.features(of: $0) }
        let clips = try several.clips(0..<count)
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            var random = RandomSource(seed: UInt64(thread))
            let reader = TensorReader(tensor)
            for _ in 0..<400 {
                let clip = Int.random(in: 0..<count, using: &random)
                let rows = clips[clip].frameStart..<clips[clip].frameStart + clips[clip].frameCount
                #expect((try? reader.rows(rows)) == expected[clip])
            }
        }
        for clip in stride(from: count - 1, to: -1, by: -3) {
            #expect(try several.features(of: clips[clip]) == expected[clip])
        }
    }
}
