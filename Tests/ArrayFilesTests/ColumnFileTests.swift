import ArrayFiles
import Foundation
import TestSupport
import Testing

struct ColumnFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func numbers(_ data: Data, _ part: ColumnFile.Part = .mean) throws -> [Double] {
        let path = folder.path("columns")
        try data.write(to: URL(filePath: path))
        return try ColumnFile.numbers(path: path, part)
    }

    private func numbers(_ text: String, _ part: ColumnFile.Part = .mean) throws -> [Double] {
        try numbers(Data(text.utf8), part)
    }

    /// An NPY file of version 1.
    private func npy(_ descr: String, _ shape: String, _ values: [UInt8]) -> Data {
        let header = "{'descr': '\(descr)', 'fortran_order': False, 'shape': \(shape), }\n"
        return Data([0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0] + Array(header.utf8) + values)
    }

    private func bytes(_ values: [Double]) -> [UInt8] {
        values.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } }
    }

    @Test func `an array keeps double precision`() throws {
        let values: [Double] = [0.1, -1e-20, 0.333]
        #expect(try numbers(npy("<f8", "(3,)", bytes(values))) == values)
        #expect(try numbers(npy("<f8", "(1, 3)", bytes(values))) == values)
        #expect(try numbers(npy("<i2", "(2,)", [1, 0, 0xFE, 0xFF])) == [1, -2])
    }

    @Test func `text has numbers in lines, with commas or in brackets`() throws {
        #expect(try numbers("1 2.5\n-3e-2\n") == [1, 2.5, -0.03])
        #expect(try numbers("1,2,\r\n3") == [1, 2, 3])
        #expect(try numbers(" [ 4 5 ]\n") == [4, 5])
    }

    @Test func `the shift and the scale of a network`() throws {
        let text = """
            <Nnet>
            <Splice> 2 2
            [ 0 ]
            <AddShift> 2 2
            <LearnRateCoef> 0 [ -8.25 3 ]
            <Rescale> 2 2
            <LearnRateCoef> 0 [ 0.25 2 ]
            </Nnet>
            """
        #expect(try numbers(text, .mean) == [8.25, -3])
        #expect(try numbers(text, .std) == [4, 0.5])
        #expect(try numbers(text.replacing("[ 0.25 2 ]", with: "[0.25\n2]"), .std) == [4, 0.5])
        #expect(try numbers(text.replacing("0.25 2", with: "1e-30 1e30"), .std) == [1 / 1e-30, 1e-30])
        #expect(throws: ArrayFileError.self) { try numbers(text.replacing("0.25 2", with: "0.25 0"), .std) }
        // The numbers of the other component are not taken.
        #expect(throws: ArrayFileError.self) { try numbers(text.replacing("[ -8.25 3 ]", with: ""), .mean) }
        #expect(throws: ArrayFileError.self) { try numbers(text.replacing("0.25 2", with: "0.25 1e-320"), .std) }
        #expect(throws: ArrayFileError.self) { try numbers(text.replacing("-8.25", with: "x"), .mean) }
        #expect(throws: ArrayFileError.self) { try numbers(text.replacing("<Rescale>", with: "<Scale>"), .std) }
    }

    @Test(arguments: ["", "1 two 3", "1 nan", "[ ]", "inf"]) func `anything else is refused`(text: String) throws {
        #expect(throws: ArrayFileError.self) { try numbers(text) }
    }

    @Test(arguments: [
        ("1 2 0", ColumnFile.Part.std, "0.0 in column 2"), ("1 -2 3", .std, "-2.0 in column 1"),
        ("1 nan 3", .std, "nan in column 1"), ("inf 1", .std, "inf in column 0"), ("1 nan", .mean, "nan in column 1"),
        ("1 -inf", .mean, "-inf in column 1"), ("1 2e31", .mean, "2e+31 in column 1"),
        ("<Rescale> 2 2 [ 0.5 0 ]", .std, "0.0 in column 1"), ("<Rescale> 2 2 [ nan 1 ]", .std, "nan in column 0"),
        ("<Rescale> 2 2 [ 1 1e-320 ]", .std, "1e-320 in column 1"),
    ]) func `a number that is out of range is named with its column`(
        text: String, part: ColumnFile.Part, words: String
    ) throws {
        let error = #expect(throws: ArrayFileError.self) { try numbers(text, part) }
        guard case .content(let path, _, let expected, let found)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(path == folder.path("columns") && found == words + " (counted from 0)")
        #expect(expected.contains("from \(part == .mean ? "-1e+30" : "1e-30") to 1e+30"))
    }

    @Test(arguments: [Data("PK\u{3}\u{4} mean.npy".utf8), Data([49, 0, 50])])
    func `bytes are not shown as words`(bytes: Data) throws {
        let error = #expect(throws: ArrayFileError.self) { try numbers(bytes) }
        guard case .content(_, _, _, let found)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(found == "a file of bytes that is no NPY array")
    }

    @Test func `arrays of other shapes are refused`() throws {
        #expect(throws: ArrayFileError.self) { try numbers(npy("<f8", "(2, 2)", bytes([1, 2, 3, 4]))) }
        #expect(throws: ArrayFileError.self) { try numbers(npy("<f8", "(3,)", bytes([1, 2]))) }
        #expect(throws: ArrayFileError.self) { try numbers(npy("<f8", "(0,)", [])) }
    }
}
