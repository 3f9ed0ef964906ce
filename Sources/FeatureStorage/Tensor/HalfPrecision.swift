/// Single precision to IEEE half precision and back, by arithmetic on bits.
///
/// Swift's own `Float16` does not exist on every platform, and libhdf5's conversion does not round to the nearest. Here every
/// value becomes the nearest half, of two equally near the one with an even last digit; from 65,520 on, which lies halfway
/// between the greatest half (65,504) and the next there would be, it becomes infinite. That is what NumPy does, for
/// values that are not numbers too: they keep the upper ten bits of their payload, unless those are 0.
enum HalfPrecision {
    /// The least magnitude that becomes infinite.
    static let overflow: Float = 65_520

    /// The bits of the half nearest to a value.
    static func bits(_ value: Float) -> UInt16 { UInt16(truncatingIfNeeded: bits(SIMD8(repeating: value))[0]) }

    /// The value of a half, exactly.
    static func float(_ bits: UInt16) -> Float { floats(SIMD8(repeating: bits))[0] }

    /// Converts values in place: the halves, little-endian, stand at the beginning of the buffer afterwards.
    ///
    /// - Returns: The bytes of the halves, two for each value.
    static func encode(_ values: UnsafeMutableBufferPointer<Float>) -> UnsafeRawBufferPointer {
        let bytes = UnsafeMutableRawBufferPointer(values)
        var index = 0
        // What is written never reaches what is still to be read: a half stands at most where its value stood.
        while index + 8 <= values.count {
            let eight = bytes.loadUnaligned(fromByteOffset: 4 * index, as: SIMD8<Float>.self)
            bytes.storeBytes(
                of: SIMD8<UInt16>(truncatingIfNeeded: bits(eight)), toByteOffset: 2 * index, as: SIMD8<UInt16>.self)
            index += 8
        }
        while index < values.count {
            let half = bits(bytes.loadUnaligned(fromByteOffset: 4 * index, as: Float.self))
            bytes.storeBytes(of: half.littleEndian, toByteOffset: 2 * index, as: UInt16.self)
            index += 1
        }
        return UnsafeRawBufferPointer(rebasing: bytes[..<(2 * values.count)])
    }

    /// Converts halves, as many as `values` has room for.
    ///
    /// - Precondition: `halves` and `values` have the same number of elements.
    static func decode(_ halves: UnsafeBufferPointer<UInt16>, into values: UnsafeMutableBufferPointer<Float>) {
        precondition(halves.count == values.count, "as many halves as values")
        let (source, target) = (UnsafeRawBufferPointer(halves), UnsafeMutableRawBufferPointer(values))
        var index = 0
        while index + 8 <= halves.count {
            let eight = source.loadUnaligned(fromByteOffset: 2 * index, as: SIMD8<UInt16>.self)
            target.storeBytes(of: floats(eight), toByteOffset: 4 * index, as: SIMD8<Float>.self)
            index += 8
        }
        while index < halves.count {
            values[index] = float(halves[index])
            index += 1
        }
    }

    /// Where an exponent stands in the bits of a Float.
    private static let exponent: UInt32 = 23

    @inline(__always)
    private static func bits(_ values: SIMD8<Float>) -> SIMD8<UInt32> {
        let all = SIMD8<UInt32>(bitPattern: values)
        let sign = all & 0x8000_0000
        let magnitude = all ^ sign
        // Normal halves: the exponent is biased by 15, not 127; half of the last digit that stays is added, less one unless
        // that digit is odd. A carry into the exponent is right, up to infinity.
        let odd = (magnitude &>> 13) & 1
        var half = (magnitude &- ((127 - 15) &<< exponent) &+ 0xFFF &+ odd) &>> 13
        // Smaller ones: added to a half, where a unit in the last place is that of subnormal halves (2^-24), the processor
        // rounds them.
        let magic = SIMD8<UInt32>(repeating: (127 - 1) &<< exponent)
        let sum = SIMD8<Float>(bitPattern: magnitude) + SIMD8<Float>(bitPattern: magic)
        half.replace(
            with: SIMD8<UInt32>(bitPattern: sum) &- magic,
            where: magnitude .< SIMD8(repeating: (127 - 14) &<< exponent))
        half.replace(with: 0x7C00, where: magnitude .>= SIMD8(repeating: (127 + 16) &<< exponent))
        let infinity = SIMD8<UInt32>(repeating: 0xFF &<< exponent)
        var payload = (magnitude &>> 13) & 0x3FF
        payload.replace(with: 1, where: payload .== 0)
        half.replace(with: payload | 0x7C00, where: magnitude .> infinity)
        return half | (sign &>> 16)
    }

    @inline(__always)
    private static func floats(_ halves: SIMD8<UInt16>) -> SIMD8<Float> {
        let wide = SIMD8<UInt32>(truncatingIfNeeded: halves)
        let sign = (wide & 0x8000) &<< 16
        let exponents = wide & 0x7C00
        var bits = ((wide & 0x7FFF) &<< 13) &+ ((127 - 15) &<< exponent)
        bits.replace(with: bits &+ ((127 - 15) &<< exponent), where: exponents .== 0x7C00)
        // Subnormal halves: 1.x times 2^-14, less 2^-14.
        let least = SIMD8<UInt32>(repeating: (127 - 14) &<< exponent)
        let small = SIMD8<Float>(bitPattern: bits &+ (1 &<< exponent)) - SIMD8<Float>(bitPattern: least)
        bits.replace(with: SIMD8<UInt32>(bitPattern: small), where: exponents .== 0)
        return SIMD8<Float>(bitPattern: bits | sign)
    }
}

extension SIMD8<UInt32> {
    fileprivate init(bitPattern values: SIMD8<Float>) { self = unsafeBitCast(values, to: SIMD8<UInt32>.self) }
}

extension SIMD8<Float> {
    fileprivate init(bitPattern bits: SIMD8<UInt32>) { self = unsafeBitCast(bits, to: SIMD8<Float>.self) }
}
