import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import FeatureStorage

/// Sets whose files are lost, changed or not those that the index names.
struct ChangedSetTests {
    private func sample(seed: Int = 1) -> SampleFile {
        var file = SampleFile(rowCounts: [4, 1, 7, 3, 2, 5], seed: seed)
        file.failures = [StoredFailure(id: "bad", path: "x.wav", failure: FailureRecord(.isFolder))]
        return file
    }

    private func set() throws -> SampleSet { try SampleSet(sample(), clips: [2, 3, 1], failures: [0, 1, 0]) }

    /// Reads everything there is to read.
    private func readAll(_ set: SampleSet) throws {
        let reader = try set.reader()
        for clip in try reader.allClips() { _ = try reader.features(of: clip) }
        _ = try reader.allFailures()
    }

    /// The file that an error names, and what was found.
    private func changed(_ set: SampleSet, _ body: (SampleSet) throws -> Void) throws -> (path: String, found: String) {
        do {
            try body(set)
        } catch StorageError.changedFileOfSet(let path, let index, let found) {
            #expect(index == set.index)
            return (path, found)
        }
        Issue.record("nothing was found")
        return ("", "")
    }

    @Test(arguments: [0, 1, 2]) func `a lost file is named as the set is opened`(lost: Int) throws {
        let set = try set()
        try FileManager.default.removeItem(atPath: set.members[lost])
        #expect(throws: StorageError.missingFileOfSet(path: set.members[lost], index: set.index)) {
            _ = try set.reader()
        }
    }

    @Test(arguments: [0, 1, 2]) func `a file of another length is named as the set is opened`(changed: Int) throws {
        let set = try set()
        let path = set.members[changed]
        let size = try Data(contentsOf: URL(filePath: path)).count
        for length in [0, 100, size - 1] {
            let file = try FileHandle(forUpdating: URL(filePath: path))
            try file.truncate(atOffset: UInt64(length))
            try file.close()
            let found = try self.changed(set) { _ = try $0.reader() }
            #expect(found == (path, "expected \(size) bytes, found \(length)"))
        }
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(try self.changed(set) { _ = try $0.reader() }.found == "expected a file, found something else")
    }

    @Test func `swapped files are named`() throws {
        // The other file has the same length, and the same numbers in the index.
        let sample = SampleFile(rowCounts: [4, 4, 4])
        let set = try SampleSet(sample, clips: [1, 1, 1])
        try swap(set.members[1], set.members[2])
        let findings = try set.reader().verify()
        #expect(findings.count == 2 && findings.allSatisfy { $0.clip == nil })
        #expect(findings.first?.description.hasPrefix("set-00002-of-00003.h5: /clips/record_xxh3 ") == true)
        // The first has other figures.
        let other = try self.set()
        try FileManager.default.removeItem(atPath: other.members[1])
        try FileManager.default.copyItem(atPath: other.members[0], toPath: other.members[1])
        let size = try Data(contentsOf: URL(filePath: other.members[1])).count
        try other.changeIndex(ofFile: 1, "bytes", size)
        let found = try changed(other, readAll)
        #expect(found.path == other.members[1] && found.found.contains("metadata_xxh3"))
    }

    private func swap(_ one: String, _ other: String) throws {
        try FileManager.default.moveItem(atPath: one, toPath: one + ".aside")
        try FileManager.default.moveItem(atPath: other, toPath: one)
        try FileManager.default.moveItem(atPath: one + ".aside", toPath: other)
    }

    @Test func `every number of the index is compared`() throws {
        for (key, value) in [
            ("clips", 4), ("failures", 0), ("rows", 13), ("bytes", 77),
            ("metadata_xxh3", String(repeating: "0", count: 32)),
        ] as [(String, any Sendable)] {
            let set = try set()
            try set.changeIndex(ofFile: 1, key, value)
            try set.changeIndex { object in
                guard let files = object["files"] as? [[String: Any]] else { return }
                for key in ["clips", "failures", "rows"] {
                    object[key] = files.reduce(0) { $0 + ($1[key] as? Int ?? 0) }
                }
            }
            let found = try changed(set, readAll)
            #expect(found.path == set.members[1] && found.found.contains("\(value)"), "\(key): \(found)")
        }
        let set = try set()
        try set.changeIndex { $0["manifest_sha256"] = "0" }
        #expect(try changed(set, readAll).found.contains("manifest_sha256 0, found abab"))
    }

    @Test func `files that contradict each other are named`() throws {
        let changes: [(String, (inout SampleFile) -> Void)] = [
            ("labels", { $0.labels = ["owl", "wren", "zebra"] }), ("statistics", { $0.fit = "test" }),
            ("columns of the manifest", { $0.extraColumns = ["a"] }), ("table of clips", { $0.storesDefects = true }),
            ("normalisation", { $0.normalize = NormalizeConfiguration(method: .minmax) }),
            ("labels of frames", { $0.frameLabelNames = ["a"] }),
        ]
        for (name, change) in changes {
            let set = try set()
            var part = sample().part(2..<5, failures: 0..<1)
            change(&part)
            if part.extraColumns.count > 0 { for clip in part.clips.indices { part.change(clip, extra: ["x"]) } }
            if part.frameLabelNames != nil {
                part.frameLabels = part.values.indices.prefix(part.shape.rows).map { _ in -1 }
            }
            try part.write(to: set.members[1])
            let file = try FeatureFile(path: set.members[1])
            try set.changeIndex(ofFile: 1, "metadata_xxh3", file.metadataChecksum)
            try set.changeIndex(ofFile: 1, "bytes", Data(contentsOf: URL(filePath: file.path)).count)
            let found = try changed(set, readAll)
            #expect(found == (file.path, "it has another \(name) than the files before it"))
            // A check goes on with the others.
            let findings = try set.reader().verify()
            #expect(
                findings == [
                    .init(
                        clip: nil,
                        description:
                            "set-00002-of-00003.h5: the file is not the one that the index names: \(found.found)")
                ])
        }
    }

    @Test func `damage is found under the name of its file`() throws {
        let set = try set()
        let offset = try #require(try FeatureReader(path: set.members[1]).featuresOffset())
        try set.flip(set.members[1], byte: offset + 5)
        let (one, found) = (try FeatureReader(path: set.members[1]).verify(), try set.reader().verify(jobs: 2))
        #expect(one.count == 1 && found.map(\.clip) == ["clip-2"])
        #expect(found.first?.description == "set-00002-of-00003.h5: \(one.first?.description ?? "")")
        // What is not in the set's own checksums, though the file is sound.
        let other = try self.set()
        try other.changeIndex { $0["metadata_xxh3"] = String(repeating: "0", count: 32) }
        let metadata = try other.reader().verify()
        #expect(metadata.count == 1 && metadata.first?.description.contains("metadata_xxh3") == true)
        #expect(throws: StorageError.self) { try other.reader().checkMetadata() }
        try other.changeIndex(ofFile: 2, "records_xxh3", "")
        #expect(try other.reader().verify().first?.description.contains("/clips/record_xxh3") == true)
    }

    @Test func `findings of a set end where they are enough`() throws {
        var sample = SampleFile(rowCounts: Array(repeating: 1, count: 50))
        for clip in 0..<50 { sample.change(clip, tensorChecksum: "") }
        let set = try SampleSet(sample, clips: [10, 30, 10])
        #expect(try set.reader().verify().count == 50)
        #expect(try set.reader().verify(most: 17).count == 17)
    }

    @Test func `a file that is replaced after rows were looked for is named`() throws {
        let set = try SampleSet(SampleFile(rowCounts: [4, 4, 4]), clips: [1, 1, 1])
        let tensor = try #require(try set.reader().storedRows())
        let bytes = try Data(contentsOf: URL(filePath: set.members[2]))
        try FileManager.default.removeItem(atPath: set.members[2])
        try bytes.write(to: URL(filePath: set.members[2]))
        #expect(throws: StorageError.self) { _ = try TensorReader(tensor).rows(8..<12) }
        #expect(try TensorReader(tensor).rows(0..<8).rows == 8)
    }
}
