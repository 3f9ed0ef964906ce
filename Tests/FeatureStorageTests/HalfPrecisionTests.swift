import CKernels
import FileIO
import Foundation
import TestSupport
import Testing

@testable import FeatureStorage

/// Conversion between single and half precision, against the definition and against NumPy.
struct HalfPrecisionTests {
    /// The value of a half by its definition, in double precision.
    private func value(_ half: UInt16) -> Double {
        let (exponent, fraction) = (Int(half >> 10) & 31, Double(half & 1023))
        let magnitude =
            switch exponent {
            case 0: fraction * 0x1p-24
            case 31: fraction == 0 ? Double.infinity : .nan
            default: (1024 + fraction) * Double(sign: .plus, exponent: exponent - 25, significand: 1)
            }
        return half & 0x8000 == 0 ? magnitude : -magnitude
    }

    @Test func `every half becomes its value, and is found again`() {
        for half in UInt16.min...UInt16.max {
            let float = HalfPrecision.float(half)
            let expected = value(half)
            if expected.isNaN {
                #expect(float.isNaN)
            } else {
                #expect(Double(float) == expected && (float.sign == .minus) == (half & 0x8000 != 0))
            }
            #expect(HalfPrecision.bits(float) == half, "\(String(half, radix: 16))")
        }
    }

    @Test func `midpoints go to the even neighbour, and their own neighbours to the nearer one`() {
        for half in UInt16(0)..<0x7C00 {
            // What would follow the greatest half is 65,536.
            let (lower, upper) = (value(half), half == 0x7BFF ? 65_536 : value(half + 1))
            let middle = Float((lower + upper) / 2)
            #expect(Double(middle) == (lower + upper) / 2)
            for sign: Float in [1, -1] {
                let bit: UInt16 = sign < 0 ? 0x8000 : 0
                #expect(HalfPrecision.bits(sign * middle) == (half + half % 2) | bit)
                #expect(HalfPrecision.bits(sign * middle.nextDown) == half | bit)
                #expect(HalfPrecision.bits(sign * middle.nextUp) == (half + 1) | bit)
            }
        }
    }

    @Test func `from 65520 on values are infinite`() {
        #expect(HalfPrecision.overflow == 65_520)
        #expect(HalfPrecision.bits(HalfPrecision.overflow) == 0x7C00)
        #expect(HalfPrecision.bits(-HalfPrecision.overflow) == 0xFC00)
        #expect(HalfPrecision.bits(HalfPrecision.overflow.nextDown) == 0x7BFF)
        for large in [65_536, 1e6, .greatestFiniteMagnitude, .infinity] as [Float] {
            #expect(HalfPrecision.bits(large) == 0x7C00 && HalfPrecision.bits(-large) == 0xFC00)
        }
    }

    @Test func `NaN remains NaN, whatever its payload`() {
        for payload in [1, 0x1FFF, 0x2000, 0x3F_FFFF, 0x40_0000, 0x7F_FFFF] as [UInt32] {
            #expect(HalfPrecision.float(HalfPrecision.bits(Float(bitPattern: 0x7F80_0000 | payload))).isNaN)
            #expect(HalfPrecision.bits(Float(bitPattern: 0xFF80_0000 | payload)) & 0x8000 != 0)
        }
    }

    /// What `half.json` holds.
    private struct Golden: Decodable {
        let step: UInt32
        let count: Int
        let xxh3: String
    }

    @Test func `millions of values of every kind become what NumPy makes of them`() throws {
        let golden = try Fixtures.golden("half.json", as: Golden.self)
        let halves = (0..<UInt32(golden.count)).map { HalfPrecision.bits(Float(bitPattern: $0 &* golden.step)) }
        #expect(halves.withUnsafeBytes { XXH3Hash128.checksum(of: $0).hex } == golden.xxh3)
    }

    @Test func `the loops of all instructions convert alike`() throws {
        let sets = (0..<4).compactMap { veery_kernels_set($0)?.pointee }
        let values = (0..<UInt32(1_000_003)).map { Float(bitPattern: $0 &* 2_654_435_761) }
        let every = Array(UInt16.min...UInt16.max) + [0x3C00, 1, 0xFC01]
        let results = sets.map { loops in
            var halves = [UInt16](repeating: 1, count: values.count + 1)
            loops.encode_halves(values, values.count, &halves)
            var floats = [Float](repeating: 9, count: every.count + 1)
            loops.decode_halves(every, every.count, &floats)
            return (halves, floats)
        }
        let (halves, floats) = try #require(results.first)
        #expect(halves.last == 1 && floats.last == 9)
        for other in results.dropFirst() {
            #expect(other.0 == halves && other.1.map(\.bitPattern) == floats.map(\.bitPattern))
        }
    }

    @Test(arguments: [0, 1, 7, 8, 9, 16, 1001]) func `a buffer is converted in place, and back`(count: Int) {
        var random = RandomSource(seed: 41)
        let values = random.samples(count).map { $0 * 1000 }
        var buffer = values
        let halves = buffer.withUnsafeMutableBufferPointer { Array(HalfPrecision.encode($0)) }
        let expected = values.map(HalfPrecision.bits)
        #expect(halves == expected.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })
        var back = [Float](repeating: -1, count: count)
        expected.withUnsafeBufferPointer { halves in
            back.withUnsafeMutableBufferPointer { HalfPrecision.decode(halves, into: $0) }
        }
        #expect(back == expected.map(HalfPrecision.float))
    }
}
