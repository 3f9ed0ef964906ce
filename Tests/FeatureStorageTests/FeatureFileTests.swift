import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import FeatureStorage

struct FeatureFileTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("features.h5")
    }

    private func written(_ file: SampleFile) throws -> FeatureReader {
        try file.write(to: path)
        return try FeatureReader(path: path)
    }

    @Test func `the system's error is told apart from what a file's name says`() {
        let message =
            "unable to open file: name = 'a, errno = 2.h5', errno = 28, error message = 'No space left on device'"
        #expect(HDF5Library.systemCode(in: message) == 28)
        #expect(HDF5Library.systemCode(in: "unable to lock file, errno = 11, error message = 'x'") == 11)
        for other in ["", "file signature not found", "errno = ", "unable, errno = x"] {
            #expect(HDF5Library.systemCode(in: other) == nil, "\(other)")
        }
    }

    @Test func `everything that is written is read back`() throws {
        var file = SampleFile()
        file.failures = [
            StoredFailure(id: "bad", path: "x.wav", failure: FailureRecord(.isFolder)),
            StoredFailure(id: "worse", path: "", failure: FailureRecord(.damaged(frame: 3, .decoder("Muster 3: „∞“")))),
        ]
        let reader = try written(file)
        #expect(
            reader.generator == VeeryVersion.generator && reader.formatVersion == "1.1" && reader.shape == file.shape)
        #expect(reader.rows == 12 && reader.bins == 3 && reader.clipCount == 3 && reader.failureCount == 2)
        #expect(reader.axis == file.header.axis)
        #expect(reader.units == "zscore of ln" && reader.longName == "log mel – Größe")
        #expect(reader.framePeriod == 0.01 && reader.firstFrameTime == 0.0125)
        #expect(reader.labels == ["owl", "wren"] && reader.fit == "train")
        #expect(reader.configuration == file.header.configuration && reader.software == file.header.software)
        #expect(reader.manifestChecksum == file.header.manifestChecksum)
        #expect(try reader.allClips() == file.clips)
        #expect(try reader.allFailures() == file.failures)
        #expect(try reader.rows(0..<12).values == file.values)
        for clip in file.clips {
            let range = clip.frameStart * 3..<(clip.frameStart + clip.frameCount) * 3
            #expect(try reader.features(of: clip).values == Array(file.values[range]))
        }
        #expect(try reader.verify().isEmpty)
    }

    @Test func `statistics come back, the deviation to the last digits`() throws {
        let file = SampleFile()
        let (found, expected) = (try written(file).statistics, file.statistics)
        #expect(found.count == expected.count && found.mean == expected.mean)
        #expect(found.minimum == expected.minimum && found.maximum == expected.maximum)
        for (deviation, right) in zip(found.standardDeviation, expected.standardDeviation) {
            #expect(abs(deviation - right) < 1e-14 * max(1, right))
        }
    }

    @Test func `which clips are truncated, and their zeroed samples, make the version 1.1`() throws {
        var file = SampleFile(rowCounts: [2, 3, 4])
        #expect(try written(file).formatVersion == "1.1")
        #expect(try !written(file).storesTruncated)
        let plain = try Data(contentsOf: URL(filePath: path))
        file.storesDefects = true
        file.clips = file.clips.enumerated().map { index, clip in
            StoredClip(
                id: clip.id, path: clip.path, label: clip.label, split: clip.split, labelIndex: clip.labelIndex,
                measurement: ClipMeasurement(
                    sampleRate: clip.sampleRate, channels: clip.channels, start: clip.start, duration: clip.duration,
                    isTruncated: index == 1, zeroedSamples: index * 1_000_000_000_000),
                frameStart: clip.frameStart, frameCount: clip.frameCount, audioChecksum: clip.audioChecksum,
                tensorChecksum: clip.tensorChecksum, extra: clip.extra)
        }
        let reader = try written(file)
        #expect(reader.formatVersion == "1.1" && reader.storesTruncated && reader.storesZeroedSamples)
        #expect(try reader.allClips() == file.clips)
        #expect(try reader.figures(0..<3).map(\.isTruncated) == [false, true, false])
        #expect(try reader.figures(1..<3).map(\.zeroedSamples) == [1_000_000_000_000, 2_000_000_000_000])
        #expect(try reader.verify().isEmpty && reader.foreignNames().isEmpty)
        #expect(try Data(contentsOf: URL(filePath: path)) != plain)
    }

    @Test func `figures are those of the clips`() throws {
        let file = SampleFile(rowCounts: [1, 2, 3, 4, 5])
        let figures = try written(file).figures(1..<4)
        #expect(figures.map(\.frameCount) == [2, 3, 4])
        #expect(figures.map(\.labelIndex) == [-1, 1, 0])
        #expect(figures.map(\.split) == ["test", "train", "test"])
        #expect(figures.map(\.channels) == [2, 1, 2] && figures.map(\.sampleRate) == [16_000, 16_000, 16_000])
        #expect(figures.map(\.duration) == [0.02, 0.03, 0.04])
    }

    @Test func `texts of any script, and empty ones, come back`() throws {
        var file = SampleFile(rowCounts: [1, 1, 1])
        file.labels = ["", "Zaunkönig", "ミソサザイ 🐦"]
        file.change(0, label: "ミソサザイ 🐦", labelIndex: 2, id: "Größe/日本\t\"x\"\n")
        file.change(1, label: "Zaunkönig", labelIndex: 1, id: "")
        file.change(2, label: "", labelIndex: -1, id: "e\u{301} é")
        let reader = try written(file)
        #expect(try reader.allClips() == file.clips)
        #expect(reader.labels == file.labels)
        #expect(try reader.verify().isEmpty)
        #expect(Array(try reader.clip(id: "e\u{301} é").id.utf8) == Array("e\u{301} é".utf8))
    }

    @Test func `other columns keep their values under names that HDF5 can hold`() throws {
        var file = SampleFile(rowCounts: [1, 2])
        file.extraColumns = ["note", "a/b", "a_b", "", ".", "..", "é", "/x/", "a//b", "s/\u{301}"]
        file.change(0, extra: ["n", "slash", "under", "empty", "dot", "dots", "", "ends", "two", "accent"])
        file.change(1, extra: (0..<10).map { "value \($0)" })
        let reader = try written(file)
        let names = ["note", "a_b", "a_b_2", "_", "__2", "..", "é", "_x_", "a__b", "s_\u{301}"]
        #expect(reader.extraColumns.sorted() == names.sorted())
        for clip in 0..<2 {
            let found = Dictionary(
                uniqueKeysWithValues: zip(reader.extraColumns, try reader.allClips()[clip].extra))
            for (name, value) in zip(names, file.clips[clip].extra) { #expect(found[name] == value, "column \(name)") }
        }
    }

    @Test func `a file without clips is whole, with all its failures`() throws {
        var file = SampleFile(rowCounts: [])
        file.labels = []
        file.failures = [
            StoredFailure(id: "a", path: "a.wav", failure: FailureRecord(.noSuchChannel(channel: 7, channels: 1)))
        ]
        let reader = try written(file)
        #expect(reader.rows == 0 && reader.bins == 3 && reader.clipCount == 0 && reader.labels.isEmpty)
        #expect(try reader.allFailures() == file.failures)
        #expect(try reader.allClips().isEmpty && reader.verify().isEmpty)
    }

    @Test func `clips without rows lie between others`() throws {
        let file = SampleFile(rowCounts: [0, 2, 0, 0, 1, 0])
        let reader = try written(file)
        #expect(try reader.allClips().map(\.frameStart) == [0, 0, 2, 2, 2, 3])
        #expect(try reader.features(of: reader.allClips()[3]).rows == 0)
        #expect(try reader.verify().isEmpty)
    }

    @Test func `clips appended in blocks are those appended at once`() throws {
        let file = SampleFile(rowCounts: [1, 2, 3, 4, 5, 6, 7])
        var writer = try FeatureFileWriter.create(
            path: path, temporary: path + ".tmp", header: file.header, widths: file.widths)
        let worker = try writer.tensor.worker()
        for start in stride(from: 27, through: 0, by: -1) {
            var row = Array(file.values[start * 3..<start * 3 + 3])
            worker.start(clip: 0, row: start)
            try row.withUnsafeMutableBufferPointer { try worker.append($0) }
        }
        for block in [0..<1, 1..<1, 1..<5, 5..<7] { try writer.append(Array(file.clips[block])) }
        try writer.finish()
        let other = folder.path("other.h5")
        try file.write(to: other)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(contentsOf: URL(filePath: other)))
    }

    @Test func `rows that are gathered are where all others are`() throws {
        let file = SampleFile(rowCounts: [100, 2, 20_000, 40_000, 5, 6, 7])
        var writer = try FeatureFileWriter.create(
            path: path, temporary: path + ".tmp", header: file.header, widths: file.widths)
        let worker = try writer.tensor.worker()
        // Not in the order of the file, so that some clips do not lie behind the one before.
        for number in [0, 1, 2, 3, 5, 6, 4] {
            let clip = file.clips[number]
            var rows = Array(file.values[clip.frameStart * 3..<(clip.frameStart + clip.frameCount) * 3])
            worker.start(clip: number, row: clip.frameStart, gathers: number != 5)
            try rows.withUnsafeMutableBufferPointer { try worker.append($0) }
            #expect(try worker.finish().hex == clip.tensorChecksum)
        }
        try worker.flush()
        try writer.append(file.clips)
        try writer.finish()
        let other = folder.path("other.h5")
        try file.write(to: other)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(contentsOf: URL(filePath: other)))
    }

    @Test func `a clip is found by its id, and one that is not there is named`() throws {
        let reader = try written(SampleFile())
        #expect(try reader.clip(id: "clip-2").frameStart == 5)
        #expect(throws: StorageError.noSuchClip(path: path, id: "clip")) { try reader.clip(id: "clip") }
    }

    @Test func `ranges outside are errors`() throws {
        let reader = try written(SampleFile())
        #expect(throws: StorageError.self) { try reader.clips(2..<4) }
        #expect(throws: StorageError.self) { try reader.rows(11..<13) }
        #expect(throws: StorageError.self) { try reader.failures(0..<1) }
        #expect(throws: StorageError.self) { try reader.figures(-1..<2) }
    }
}
