import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import FeatureStorage

/// Files with a few random bytes changed: whatever they say, reading them ends, in an error or not.
///
/// By itself libhdf5 1.10.8 believes the lengths in its heap of texts and in the references to them, and reads
/// past its memory. `VEERY_MUTATIONS` sets how many files are tried.
struct MutatedFileTests {
    private let folder: TemporaryFolder
    private let path: String

    /// A file, and the offsets in it of bytes that are not zero, and of those near them.
    private struct Intact {
        let bytes: Data
        let offsets: [Int]
    }

    private static var count: Int { ProcessInfo.processInfo.environment["VEERY_MUTATIONS"].flatMap(Int.init) ?? 400 }

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("features.h5")
    }

    private static let stores = [
        StoreConfiguration(), StoreConfiguration(compression: .deflate),
        StoreConfiguration(layout: .fixed, element: .float16, compression: .deflate),
    ]

    private func write(_ store: StoreConfiguration) throws -> Intact {
        // So many chunks that their tree has several nodes.
        var file = SampleFile(rowCounts: store.compression == .none ? [4, 1, 7] : [90, 1, 300], bins: 5)
            .stored(store, chunkRows: 4)
        file.failures = [StoredFailure(id: "bad", path: "x.wav", failure: FailureRecord(.isFolder))]
        file.extraColumns = ["note", "a/b"]
        for clip in file.clips.indices { file.change(clip, extra: ["n\(clip)", "x"]) }
        try file.write(to: path)
        let bytes = try Data(contentsOf: URL(filePath: path))
        var offsets: [Int] = []
        for (offset, byte) in bytes.enumerated() where byte != 0 {
            offsets += max(0, offset - 8, (offsets.last ?? -1) + 1)..<min(offset + 9, bytes.count)
        }
        return Intact(bytes: bytes, offsets: offsets)
    }

    /// Reads everything there is to read.
    private func readAll() throws {
        let reader = try FeatureReader(path: path)
        // Past libhdf5, the same is found.
        let findings = Result { try reader.files.first.verify(most: 100, jobs: 1, nil) }
        let others = Result { try reader.verify(jobs: 2) }
        #expect(try findings.get().map(known) == others.get().map(known))
        _ = try reader.figures(0..<reader.clipCount)
        _ = try reader.failures(0..<reader.failureCount)
        _ = try reader.featuresOffset()
    }

    /// A finding without the checksum of rows that were read: where a chunk has fewer bytes than it should have, libhdf5 takes
    /// the rest from memory that it never wrote to.
    private func known(_ finding: FeatureReader.Finding) -> String {
        let rows = "the rows have the checksum "
        let text = finding.description
        return "\(finding.clip ?? ""): " + (text.hasPrefix(rows) ? rows + text.dropFirst(rows.count + 32) : text)
    }

    @Test(.timeLimit(.minutes(5)), arguments: stores)
    func `changed bytes are an error or a finding, never a crash`(store: StoreConfiguration) throws {
        let intact = try write(store)
        try readAll()
        var refused = 0
        for seed in 0..<Self.count {
            var random = RandomSource(seed: UInt64(seed))
            var bytes = intact.bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let offset = intact.offsets.randomElement(using: &random) ?? 0
                bytes[offset] = Bool.random(using: &random) ? 0xFF : UInt8.random(in: 0...255, using: &random)
            }
            try RawFile.write(bytes, to: path)
            do { try readAll() } catch is StorageError { refused += 1 }
        }
        #expect(refused > Self.count / 10, "the changes mean to hit what matters")
        #expect(refused < Self.count, "the changes mean to reach past the first look at a file")
    }

    @Test(.timeLimit(.minutes(5)), arguments: stores)
    func `files cut off or grown are an error or a finding, never a crash`(store: StoreConfiguration) throws {
        let intact = try write(store).bytes
        for seed in 0..<Self.count / 4 {
            var random = RandomSource(seed: UInt64(seed))
            var bytes = intact.prefix(Int.random(in: 0..<intact.count, using: &random))
            // HDF5 refuses a short file by its length; padded to its length, it is read.
            if seed % 2 == 0 { bytes += Data(repeating: seed % 4 == 0 ? 0 : 0xFF, count: intact.count - bytes.count) }
            try RawFile.write(bytes, to: path)
            do { try readAll() } catch is StorageError {}
        }
    }
}
