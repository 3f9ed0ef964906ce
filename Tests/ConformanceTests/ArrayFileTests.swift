import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import ArrayFiles
@testable import Conformance

struct ArrayFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ data: Data, _ name: String) throws -> String {
        let path = folder.path(name)
        try data.write(to: URL(filePath: path))
        return path
    }

    private func refusal(_ data: Data, _ name: String = "a.npy") throws -> ArrayFileError? {
        let path = try write(data, name)
        do throws(ArrayFileError) {
            _ = try ArrayCollection(path: path).onlyArray()
            return nil
        } catch {
            return error
        }
    }

    /// What was expected of a file, or of an array in it, and how what was found begins.
    private func expect(
        _ data: Data, array: String? = nil, expected: String, found: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let error = try refusal(data)
        guard case .content(folder.path("a.npy"), array, expected, let words)? = error, words.hasPrefix(found) else {
            Issue.record("\(error.map { "\($0)" } ?? "read")", sourceLocation: sourceLocation)
            return
        }
    }

    @Test func `NPY of every type and both orders`() throws {
        func values(_ descr: String, _ bytes: [UInt8], _ shape: [Int], isFortran: Bool = false) throws -> [Float] {
            let data = NPYFile.header(descr, shape: shape, isFortran: isFortran) + Data(bytes)
            return try ArrayCollection(path: write(data, "a.npy")).onlyArray().values
        }
        #expect(try values("<f2", [0, 0x3C, 0, 0xC0, 0xFF, 0x7B, 1, 0], [4]) == [1, -2, 65_504, 0x1p-24])
        #expect(try values(">f4", [0x3F, 0x80, 0, 0], [1]) == [1])
        #expect(try values("<f8", [0, 0, 0, 0, 0, 0, 0xF0, 0xBF], [1, 1]) == [-1])
        #expect(try values("|i1", [0xFF, 5], [2]) == [-1, 5])
        #expect(try values("|b1", [1, 0], [2]) == [1, 0])
        #expect(try values(">i2", [0xFF, 0xFE], [1]) == [-2])
        #expect(try values("<u8", [3, 0, 0, 0, 0, 0, 0, 0], []) == [3])
        #expect(try values("|u1", [1, 2, 3, 4, 5, 6], [2, 3], isFortran: true) == [1, 3, 5, 2, 4, 6])
        #expect(try values("|u1", Array(0..<24), [2, 3, 4], isFortran: true)[1] == 6)
        #expect(try values("<f4", [], [0, 80]) == [])
        #expect(try values("<f4", [], [80, 0], isFortran: true) == [])
    }

    @Test func `what is not an array says what it is`() throws {
        let sound = NPYFile.bytes([1, 2, 3, 4, 5, 6], shape: [2, 3])
        #expect(try refusal(sound) == nil)
        let anyArray = "an array of NumPy (.npy, .npz), a safetensors file, or an archive of Kaldi"
        try expect(Data(), expected: anyArray, found: "an empty file")
        try expect(Data("RIFF....WAVE".utf8), expected: anyArray, found: "other bytes at its start")
        try expect(sound.dropLast(1), expected: "24 bytes of values for the shape (2, 3)", found: "23")
        let realNumbers = "real numbers, such as '<f4'"
        try expect(NPYFile.header("|O", shape: [2]), expected: realNumbers, found: "Python objects")
        try expect(NPYFile.header("<c8", shape: [2]), expected: realNumbers, found: "'<c8'")
        try expect(
            NPYFile.header("<f4", shape: [1 << 40, 1 << 40]),
            expected: "a shape that memory holds for the shape (1099511627776, 1099511627776)")
        try expect(
            NPYFile.header("<f4", shape: [-1, 3]), expected: "a header with descr, fortran_order and shape")
        try expect(Data("PK".utf8) + Data([3, 4]) + Data(count: 40), expected: "a sound zip of arrays")
        try expect(Data("a [\n 1 2\n 3 ]\n".utf8), array: "a", expected: "2 numbers in each row", found: "1")
        let numbers = "numbers, and ']' after them"
        try expect(Data("a [\n 1 2\n 3 x ]\n".utf8), array: "a", expected: numbers, found: "'x'")
        try expect(Data("a [ 1 2".utf8), array: "a", expected: numbers, found: "the end of the file")
        try expect(
            Data("a \0BCM ".utf8), array: "a", expected: "a matrix of single or double precision (FM, DM)",
            found: "'CM '")
        try expect(
            Data([255, 0, 0, 0, 0, 0, 0, 0]) + Data("{}".utf8),
            expected: "a safetensors file: the length of a header that fits into it", found: "255 of 10 bytes")
        let gone = folder.path("none.npy")
        #expect(throws: ArrayFileError.self) { try ArrayCollection(path: gone) }
    }

    @Test func `archives of Kaldi, as text and binary`() throws {
        let text = "a  [\n  1 2 \n  -3e1 4 ]\nb [ ]\nc  [ 7 8 9 ]\n"
        let arrays = try ArrayCollection(path: write(Data(text.utf8), "t.ark"))
        #expect(arrays.names == ["a", "b", "c"])
        #expect(try arrays.array(named: "a") == NumericArray(shape: [2, 2], values: [1, 2, -30, 4]))
        #expect(try arrays.array(named: "b").shape == [0, 0])
        #expect(try arrays.array(named: "c").shape == [1, 3])
        #expect(throws: ArrayFileError.severalArrays(path: arrays.path, names: ["a", "b", "c"])) {
            try arrays.onlyArray()
        }
        let extents: [UInt8] = [4, 2, 0, 0, 0, 4, 1, 0, 0, 0]
        let numbers = [Float(1.5), -2].map(\.bitPattern.littleEndian).withUnsafeBytes { Data($0) }
        let binary = Data("x ".utf8) + Data([0]) + Data("BFM ".utf8) + Data(extents) + numbers
        let read = try ArrayCollection(path: write(binary + Data("y".utf8) + binary.dropFirst(), "b.ark"))
        #expect(read.names == ["x", "y"])
        #expect(try read.array(named: "y") == NumericArray(shape: [2, 1], values: [1.5, -2]))
    }

    @Test func `safetensors`() throws {
        let header =
            #"{"__metadata__":{"a":"b"},"m":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},"n":{"dtype":"BF16","shape":[1],"data_offsets":[8,10]}}"#
        let count = UInt64(header.utf8.count).littleEndian
        let numbers = [Float(1), 2].map(\.bitPattern.littleEndian).withUnsafeBytes { Data($0) }
        let data = withUnsafeBytes(of: count) { Data($0) } + Data(header.utf8) + numbers + Data([0x80, 0xBF])
        let arrays = try ArrayCollection(path: write(data, "a.safetensors"))
        #expect(arrays.names == ["m", "n"])
        #expect(try arrays.array(named: "m") == NumericArray(shape: [1, 2], values: [1, 2]))
        #expect(try arrays.array(named: "n").values == [-1])
        let path = folder.path("a.safetensors")
        #expect(try refusal(data.dropLast(1), "a.safetensors") == .severalArrays(path: path, names: ["m", "n"]))
        let cut = try ArrayCollection(path: write(data.dropLast(1), "b.safetensors"))
        #expect(throws: ArrayFileError.self) { try cut.array(named: "n") }
    }

    @Test func `a folder of arrays by id`() throws {
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "arrays/s"), withIntermediateDirectories: true)
        _ = try write(NPYFile.bytes([1], shape: [1]), "arrays/b.npy")
        _ = try write(NPYFile.bytes([2], shape: [1]), "arrays/a.npy")
        _ = try write(NPYFile.bytes([3], shape: [1]), "arrays/s/c.npy")
        let arrays = try ArrayCollection(path: folder.path("arrays"))
        #expect(arrays.names == ["a", "b"])
        #expect(try arrays.array(named: "b").values == [1])
        #expect(try arrays.array(named: "s/c").values == [3])
        #expect(throws: ArrayFileError.self) { try arrays.array(named: "c") }
    }

    @Test(.timeLimit(.minutes(5)))
    func `changed bytes are an error or another array, never a crash`() throws {
        let header =
            #"{"m":{"dtype":"F32","shape":[3,4],"data_offsets":[0,48]},"n":{"dtype":"F16","shape":[2],"data_offsets":[48,52]}}"#
        let count = UInt64(header.utf8.count).littleEndian
        let tensors = withUnsafeBytes(of: count) { Data($0) } + Data(header.utf8) + Data(count: 52)
        let extents: [UInt8] = [4, 3, 0, 0, 0, 4, 4, 0, 0, 0]
        let binary = Data("x ".utf8) + Data([0]) + Data("BFM ".utf8) + Data(extents) + Data(count: 48)
        let originals = [
            NPYFile.bytes(Array(repeating: 1, count: 12), shape: [3, 4]), tensors, binary + binary,
            Data("first [\n 1 2 3\n 4 5 6 ]\nsecond [\n 0.5 1e3\n -2 nan ]\n".utf8), try StoredZip.npz,
        ]
        var read = 0
        for seed in 0..<2000 {
            var random = RandomSource(seed: UInt64(seed))
            var bytes = originals[seed % originals.count]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<min(bytes.count, 400), using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: bytes[index] = 0xFF
                case 1: bytes = bytes.prefix(index + 1)
                case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
                case 3: bytes[index] = UInt8(ascii: "9")
                default: bytes[index] = UInt8.random(in: 0...255, using: &random)
                }
            }
            let path = try write(bytes, "m.bin")
            do throws(ArrayFileError) {
                let arrays = try ArrayCollection(path: path)
                for name in arrays.names {
                    let array = try arrays.array(named: name)
                    _ = ArrayLayout.candidates(array, rows: 3, bins: 4).map { $0.withoutPadding(after: 1) }
                    read += 1
                }
            } catch {
                #expect(!"\(error)".isEmpty)
            }
        }
        #expect(read > 100)
    }
}

/// A zip of one stored member, as `numpy.savez` writes it.
enum StoredZip {
    static var npz: Data {
        get throws {
            let content = NPYFile.bytes([1, 2, 3, 4, 5, 6], shape: [2, 3])
            let name = Data("arr_0.npy".utf8)
            var table: [UInt32] = []
            for index in 0..<UInt32(256) {
                var value = index
                for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
                table.append(value)
            }
            var checksum = ~UInt32(0)
            for byte in content { checksum = table[Int((checksum ^ UInt32(byte)) & 255)] ^ checksum >> 8 }
            checksum = ~checksum
            func bytes(_ number: some FixedWidthInteger) -> Data {
                withUnsafeBytes(of: number.littleEndian) { Data($0) }
            }
            let size = bytes(UInt32(content.count))
            var fields = bytes(UInt16(20)) + bytes(UInt16(0)) + bytes(UInt16(0)) + bytes(UInt32(0)) + bytes(checksum)
            fields += size + size + bytes(UInt16(name.count)) + bytes(UInt16(0))
            let local = bytes(UInt32(0x0403_4B50)) + fields + name + content
            let central =
                bytes(UInt32(0x0201_4B50)) + bytes(UInt16(20)) + fields + Data(count: 14) + name
            let end =
                bytes(UInt32(0x0605_4B50)) + Data(count: 4) + bytes(UInt16(1)) + bytes(UInt16(1))
                + bytes(UInt32(central.count)) + bytes(UInt32(local.count)) + bytes(UInt16(0))
            return local + central + end
        }
    }

    @Test static func `an archive of numpy.savez`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.npz")
        try npz.write(to: URL(filePath: path))
        let arrays = try ArrayCollection(path: path)
        #expect(arrays.names == ["arr_0"])
        #expect(try arrays.onlyArray() == NumericArray(shape: [2, 3], values: [1, 2, 3, 4, 5, 6]))
    }
}
