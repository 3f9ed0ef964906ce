import FeatureModel
import FileIO
import Foundation
import TestSupport
import Testing

@testable import FeatureStorage

/// What a file says of its own parts is not believed: each of these took gigabytes, or did not end, in libhdf5 1.10.8.
struct HDF5StructureTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("features.h5")
    }

    /// A file with everything in it, as bytes.
    private func made(_ store: StoreConfiguration = StoreConfiguration(), rowCounts: [Int] = [4, 1, 7]) throws -> Data {
        var file = SampleFile(rowCounts: rowCounts, bins: 5)
        file.failures = [StoredFailure(id: "bad", path: "x.wav", failure: FailureRecord(.isFolder))]
        file.extraColumns = ["note"]
        for clip in file.clips.indices { file.change(clip, extra: ["n\(clip)"]) }
        if store != StoreConfiguration() { file = file.stored(store) }
        try file.write(to: path)
        return try Data(contentsOf: URL(filePath: path))
    }

    private static let deflate = StoreConfiguration(compression: .deflate)

    /// The error that calls the file damaged when it is opened or its rows are read; nil: there is none.
    private func finding(_ bytes: Data) throws -> String? {
        try RawFile.write(bytes, to: path)
        do {
            let reader = try FeatureReader(path: path)
            _ = try reader.rows(0..<reader.rows)
            return nil
        } catch StorageError.damaged(_, let found) {
            return found
        }
    }

    private func expect(_ damage: StructureDamage, in bytes: Data) throws {
        let found = try #require(try finding(bytes))
        #expect(found.contains(damage.words), "\(found)")
    }

    /// The offsets of these bytes.
    private func offsets(of pattern: Data, in bytes: Data) -> [Int] {
        var (found, rest): ([Int], Data) = ([], bytes)
        while let range = rest.firstRange(of: pattern) {
            found.append(range.lowerBound)
            rest = rest[range.upperBound...]
        }
        return found
    }

    private func offset(of pattern: String, in bytes: Data) throws -> Int {
        try #require(offsets(of: Data(pattern.utf8), in: bytes).first)
    }

    private func put<Number: FixedWidthInteger>(_ number: Number, at offset: Int, in bytes: inout Data) {
        withUnsafeBytes(of: number.littleEndian) { bytes.replaceSubrange(offset..<offset + $0.count, with: $0) }
    }

    private func number<Number: FixedWidthInteger>(_ offset: Int, in bytes: Data, as type: Number.Type) -> Number {
        bytes[offset..<offset + MemoryLayout<Number>.size].reversed().reduce(0) {
            $0 << 8 | Number(truncatingIfNeeded: $1)
        }
    }

    @Test(arguments: [StoreConfiguration(), deflate]) func `a sound file`(store: StoreConfiguration) throws {
        let bytes = try made(store)
        #expect(try finding(bytes) == nil)
        let structure = try #require(try Self.structure(bytes))
        try structure.check(groups: FeatureFormat.groups)
        #expect(try structure.maximumBytes(of: "/clips/start") == 3 * 8)
        let rows = try FeatureReader(path: path).rows
        #expect(try structure.maximumBytes(of: "/features") == rows * 5 * 4)
        #expect(try structure.maximumBytes(of: "/nothing") == nil)
    }

    private static func structure(_ bytes: Data) throws -> HDF5Structure? {
        try HDF5Structure(path: "bytes", byteCount: bytes.count) { target, offset in
            target.copyBytes(from: bytes[offset..<offset + target.count])
        }
    }

    @Test func `a number of four gigabytes`() throws {
        let intact = try made()
        // The type double: a float, version 1, of 8 bytes.
        let types = offsets(of: Data([0x11, 0x20, 0x3F, 0x00, 8, 0, 0, 0]), in: intact)
        #expect(types.count >= 6)
        for offset in types {
            var bytes = intact
            put(UInt32.max - 63, at: offset + 4, in: &bytes)
            try expect(.valuesTooLong(at: offset, bytes: 4_294_967_232), in: bytes)
        }
    }

    @Test func `a text of another length than in its heap, of no number, in no heap`() throws {
        let intact = try made()
        // The attribute's name, its type (16 bytes behind), its extents (8), then length, heap, number.
        let offset = try offset(of: "format\0\0", in: intact) + 8 + 24 + 8
        #expect(number(offset, in: intact, as: UInt32.self) == 14)
        var bytes = intact
        put(UInt32.max, at: offset, in: &bytes)
        try expect(.textOfOtherLength(promised: .max), in: bytes)
        for length in [0, 1, 13, 15] as [UInt32] {
            bytes = intact
            put(length, at: offset, in: &bytes)
            try expect(.textOfOtherLength(promised: length), in: bytes)
        }
        bytes = intact
        put(UInt32(999), at: offset + 12, in: &bytes)
        try expect(.noText(number: 999), in: bytes)
        bytes = intact
        put(UInt64(intact.count - 8), at: offset + 4, in: &bytes)
        try expect(.heapTooLong(at: intact.count - 8, bytes: 16), in: bytes)
    }

    @Test func `a heap of texts that is longer than the file, and one whose texts are longer than it`() throws {
        let intact = try made()
        let heap = try offset(of: "GCOL", in: intact)
        var bytes = intact
        put(UInt64(1) << 32, at: heap + 8, in: &bytes)
        try expect(.heapTooLong(at: heap, bytes: 1 << 32), in: bytes)
        bytes = intact
        put(UInt64(1) << 40, at: heap + 24, in: &bytes)
        try expect(.textTooLong(bytes: 1 << 40), in: bytes)
    }

    @Test func `a heap of texts whose free piece ends before it does, or at once`() throws {
        let intact = try made()
        let heap = try offset(of: "GCOL", in: intact)
        var offset = heap + 16
        while number(offset, in: intact, as: UInt16.self) != 0 {
            offset += 16 + Int(number(offset + 8, in: intact, as: UInt64.self) + 7) / 8 * 8
        }
        // Zeros follow: another free piece, of no length, which libhdf5 reads for ever.
        for length in [0, 16, 64] as [UInt64] {
            var bytes = intact
            put(length, at: offset + 8, in: &bytes)
            try expect(.heapLeft(at: heap), in: bytes)
        }
    }

    @Test func `headers that are longer than the file, or refer to nowhere`() throws {
        let intact = try made()
        let root = Int(number(64, in: intact, as: UInt64.self))
        var bytes = intact
        put(UInt32.max, at: root + 8, in: &bytes)
        #expect(try finding(bytes) == StructureDamage.headerTooLong(at: root + 16, file: intact.count).words)
        bytes = intact
        put(UInt64(intact.count), at: 64, in: &bytes)
        try expect(.headerOutside(at: intact.count), in: bytes)
    }

    @Test func `a cycle in a chain of free pieces, and in trees`() throws {
        let intact = try made()
        var cycles = 0
        for heap in offsets(of: Data("HEAP".utf8), in: intact) {
            let free = number(heap + 16, in: intact, as: UInt64.self)
            guard free != 1 else { continue }
            var bytes = intact
            put(free, at: Int(number(heap + 24, in: intact, as: UInt64.self) + free), in: &bytes)
            try expect(.nameTwice, in: bytes)
            cycles += 1
        }
        #expect(cycles > 0)
        for tree in offsets(of: Data("TREE".utf8), in: intact) {
            var bytes = intact
            // Its own child, a level up.
            bytes[tree + 5] = 1
            put(UInt64(tree), at: tree + 32, in: &bytes)
            try expect(.treeOfNames, in: bytes)
        }
    }

    @Test func `a name without an end`() throws {
        let intact = try made()
        let heap = try #require(offsets(of: Data("HEAP".utf8), in: intact).first)
        let start = Int(number(heap + 24, in: intact, as: UInt64.self))
        let count = Int(number(heap + 8, in: intact, as: UInt64.self))
        var bytes = intact
        put(UInt64(1), at: heap + 16, in: &bytes)
        bytes.replaceSubrange(start..<start + count, with: Data(repeating: 0x61, count: count))
        try expect(.endlessName, in: bytes)
    }

    @Test func `extents of more values than the file has bytes for`() throws {
        let intact = try made()
        // One dimension of three clips, and at most three.
        let pattern = Data([1, 1, 1, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0])
        let columns = offsets(of: pattern, in: intact)
        #expect(columns.count > 10)
        var claims = 0
        for offset in columns {
            var bytes = intact
            for copy in [8, 16] { put(UInt64(2) << 32, at: offset + copy, in: &bytes) }
            // The scale /clip has no values.
            if try finding(bytes)?.contains(StructureDamage.extentsOfColumn.words) == true { claims += 1 }
        }
        #expect(claims >= columns.count - 1)
    }

    @Test func `chunks larger than the tensor, and more of them than it can have`() throws {
        let intact = try made(Self.deflate, rowCounts: [40, 20])
        let tree = try #require(offsets(of: Data([0x54, 0x52, 0x45, 0x45, 1]), in: intact).first)
        // Chunked, three numbers (rows, bins, bytes), the tree's address.
        let address = withUnsafeBytes(of: UInt64(tree).littleEndian) { Data($0) }
        let layout = try #require(offsets(of: Data([3, 2, 3]) + address, in: intact).first)
        var bytes = intact
        put(UInt32(1) << 26, at: layout + 11, in: &bytes)
        try expect(.chunksTooLarge, in: bytes)
        bytes = intact
        put(UInt32.max, at: tree + 24, in: &bytes)
        try expect(.chunkTooLong, in: bytes)
        bytes = intact
        put(UInt64(intact.count - 1), at: tree + 24 + 32, in: &bytes)
        try expect(.chunkOutside(at: intact.count - 1), in: bytes)
        bytes = intact
        bytes[tree + 5] = 1
        put(UInt64(tree), at: tree + 24 + 32, in: &bytes)
        try expect(.treeOfChunks, in: bytes)
    }

    @Test func `fewer chunks than the rows need`() throws {
        let intact = try made(Self.deflate, rowCounts: [40, 20])
        let tree = try #require(offsets(of: Data([0x54, 0x52, 0x45, 0x45, 1]), in: intact).first)
        var bytes = intact
        bytes[tree + 6] -= 1
        try expect(.tooFewChunks, in: bytes)
    }

    @Test func `a structure behind something else, and none at all`() throws {
        let bytes = try made()
        let shifted = try #require(try Self.structure(Data(repeating: 7, count: 512) + bytes))
        try shifted.check(groups: FeatureFormat.groups)
        #expect(try shifted.maximumBytes(of: "/clips/start") == 24)
        #expect(try Self.structure(Data(repeating: 7, count: 10_000)) == nil)
        #expect(try Self.structure(Data()) == nil)
        #expect(try Self.structure(bytes.dropLast()) == nil)
    }

    /// Whatever a file contains, the check ends, and soon: it reads no more than a few times the file.
    @Test func `changed bytes are a finding or not, and the check ends`() throws {
        let intact = try made(Self.deflate)
        var refused = 0
        for seed in 0..<3000 {
            var random = RandomSource(seed: UInt64(seed))
            var bytes = intact
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let offset = Int.random(in: 0..<bytes.count - 8, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[offset] = UInt8.random(in: 0...255, using: &random)
                case 1: put(UInt32.random(in: 0...UInt32.max, using: &random), at: offset, in: &bytes)
                default: put(UInt64.random(in: 0..<UInt64(bytes.count), using: &random), at: offset / 8 * 8, in: &bytes)
                }
            }
            var read = 0
            do {
                let structure = try HDF5Structure(path: "bytes", byteCount: bytes.count) { target, offset in
                    read += target.count
                    target.copyBytes(from: bytes[offset..<offset + target.count])
                }
                try structure?.check(groups: FeatureFormat.groups)
                _ = try structure?.maximumBytes(of: "/features")
            } catch {
                refused += 1
            }
            #expect(read < 20 * bytes.count, "seed \(seed)")
        }
        #expect(refused > 300 && refused < 3000)
    }
}
