import FeatureModel
import FileIO
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import FeatureStorage

/// A file that was just written is compared with the digests made meanwhile: whatever a disk loses without an error is noticed.
struct WrittenFileTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("features.h5")
    }

    /// A file with every dataset there is, in each form of `/features`.
    private static let files: [(name: String, file: SampleFile)] = {
        var whole = SampleFile()
        whole.failures = [StoredFailure(id: "bad", path: "x.wav", failure: FailureRecord(.isFolder))]
        whole.extraColumns = ["bird"]
        for index in whole.clips.indices { whole.change(index, extra: ["wren \(index)"]) }
        let deflated = whole.stored(StoreConfiguration(compression: .deflate), chunkRows: 2)
        let fixed = whole.stored(StoreConfiguration(layout: .fixed, element: .float16))
        var matrix = whole
        matrix.hasLabelMatrix = true
        matrix.manifestRemarks = [Remark(kind: .quotesKept, source: "manifest", count: 2, first: ["'\"a\"' (line 2)"])]
        matrix.root = "../audio"
        for index in matrix.clips.indices { matrix.change(index, labelIndices: [index % 2]) }
        return [("packed", whole), ("deflate", deflated), ("fixed, float16", fixed), ("label matrix", matrix)]
    }()

    private func digests(of file: FeatureFile) throws -> WrittenFile {
        WrittenFile(
            metadata: file.metadataChecksum, records: try file.recordsChecksum(),
            remarks: file.remarksChecksum, root: file.header.root, inputs: file.header.inputs,
            chunks: try file.file.structure?.chunkDigest(of: "/features") { false }, clips: file.clipCount)
    }

    private func confirm(_ written: WrittenFile) throws(StorageError) {
        try FeatureFile(path: path).confirm(written, jobs: 2, shouldStop: { false }, synchronize: {})
    }

    @Test(arguments: files.indices) func `a byte of any dataset that is another is noticed`(index: Int) throws {
        let (name, sample) = Self.files[index]
        try sample.write(to: path)
        let (written, ranges) = try {
            let file = try FeatureFile(path: path)
            var ranges: [(dataset: String, bytes: Range<Int>)] = []
            for group in ["/", "/clips", "/clips/extra", "/failures", "/statistics", "/provenance"] {
                for member in try file.file.names(in: group) {
                    let dataset = (group == "/" ? "" : group) + "/" + member
                    if let chunks = try file.file.structure?.chunks(of: dataset) {
                        ranges += chunks.map { (dataset, $0.offset..<$0.offset + $0.byteCount) }
                    } else if !FeatureFormat.groups.contains(dataset), let start = try file.file.offset(of: dataset) {
                        let count = try file.file.extents(of: dataset).reduce(1, *)
                        ranges.append((dataset, start..<start + count * (try file.file.width(of: dataset))))
                    }
                }
            }
            return (try digests(of: file), ranges)
        }()
        try confirm(written)
        let good = try Data(contentsOf: URL(filePath: path))
        #expect(Set(ranges.map(\.dataset)).count >= 25, "\(name): \(ranges.map(\.dataset))")
        for (dataset, bytes) in ranges {
            for offset in [bytes.lowerBound, (bytes.lowerBound + bytes.upperBound) / 2, bytes.upperBound - 1] {
                var damaged = good
                damaged[offset] ^= 1
                try damaged.write(to: URL(filePath: path))
                #expect(throws: StorageError.self, "\(name): \(dataset), byte \(offset)") { try confirm(written) }
            }
        }
    }

    @Test(arguments: files.indices) func `zeros instead of any block of 64 bytes are noticed`(index: Int) throws {
        let (name, sample) = Self.files[index]
        try sample.write(to: path)
        let written = try digests(of: try FeatureFile(path: path))
        let good = try Data(contentsOf: URL(filePath: path))
        var unnoticed: [Int] = []
        for offset in stride(from: 0, to: good.count - 64, by: 64)
        where good[offset..<offset + 64].contains(where: { $0 != 0 }) {
            var damaged = good
            damaged.replaceSubrange(offset..<offset + 64, with: Data(count: 64))
            try damaged.write(to: URL(filePath: path))
            do { try confirm(written) } catch { continue }
            unnoticed.append(offset)
        }
        // Only what says that datasets are scales of one another's dimensions, and units of columns, is in no digest.
        #expect(unnoticed.count * 64 < 8192, "\(name): \(unnoticed)")
    }

    /// As where an older file, whole in itself, has the name.
    @Test(arguments: files.indices) func `each digest is compared`(index: Int) throws {
        let (name, sample) = Self.files[index]
        try sample.write(to: path)
        let own = try digests(of: try FeatureFile(path: path))
        try confirm(own)
        let other = String(repeating: "0", count: 32)
        func changed(
            metadata: String? = nil, records: String? = nil, remarks: String? = nil, chunks: Checksum128? = nil,
            clips: Int? = nil, root: String? = nil, inputs: [ConfigurationInput]? = nil
        ) -> WrittenFile {
            WrittenFile(
                metadata: metadata ?? own.metadata, records: records ?? own.records, remarks: remarks ?? own.remarks,
                root: root ?? own.root, inputs: inputs ?? own.inputs, chunks: chunks ?? own.chunks,
                clips: clips ?? own.clips)
        }
        let others = [
            changed(metadata: other), changed(records: other),
            changed(chunks: own.chunks.map { Checksum128(high: $0.high, low: ~$0.low) }),
            changed(clips: own.clips + 1), changed(remarks: other), changed(root: other),
            changed(inputs: [ConfigurationInput(kind: .mean, name: "mean.npy", xxh3: other)]),
        ]
        for (number, written) in others.enumerated() where number != 2 || own.chunks != nil {
            #expect(throws: StorageError.self, "\(name), \(number)") { try confirm(written) }
        }
    }

    @Test func `a file that is marked as being written is not complete`() throws {
        try SampleFile().write(to: path)
        let written = try digests(of: try FeatureFile(path: path))
        var data = try Data(contentsOf: URL(filePath: path))
        data[20] = 1
        try data.write(to: URL(filePath: path))
        #expect(throws: StorageError.self) { try confirm(written) }
    }

    @Test func `lost writes and a failing disk are faults of the machine`() {
        #expect(StorageError.lostWrites(path: "f", found: "x").isSystemFault)
    }

    @Test func `an error of the disk while rows are read back is reported`() throws {
        try SampleFile().write(to: path)
        let file = try FeatureFile(path: path)
        let written = try digests(of: file)
        let failure = StorageError.system(operation: "writing to disk", path: path, code: ENOSPC)
        #expect(throws: failure) {
            try file.confirm(written, jobs: 2, shouldStop: { false }) { () throws(StorageError) in throw failure }
        }
    }

    @Test(arguments: files.indices) func `a file that is deleted is not a fault of the disk`(index: Int) throws {
        var (name, sample) = Self.files[index]
        sample.readsBack = true
        let writer = try sample.begin(at: path)
        for each in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
            try FileManager.default.removeItem(atPath: folder.path(each))
        }
        do {
            try writer.finish()
            Issue.record("\(name): finished")
        } catch let error as StorageError {
            #expect(error.isAbsence && !error.isSystemFault, "\(name): \(error)")
        }
    }

    /// Whatever was read until then, the disk is not blamed.
    @Test(arguments: files.indices) func `a stop while the file is read back ends the work`(index: Int) throws {
        struct Ended: Error {}
        var (name, sample) = Self.files[index]
        sample.readsBack = true
        for calls in 0... {
            let left = Mutex(calls)
            do {
                try sample.begin(at: path).finish(jobs: 2) {
                    try left.withLock { left in
                        guard left > 0 else { throw Ended() }
                        left -= 1
                    }
                }
            } catch is Ended {
                #expect(!FileManager.default.fileExists(atPath: path), "\(name), after \(calls) calls")
                continue
            }
            #expect(calls >= 2, "\(name)")
            break
        }
    }
}
