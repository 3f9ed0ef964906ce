import CKernels

/// Single precision to IEEE half precision and back, by arithmetic on bits.
///
/// Swift's own `Float16` does not exist on every platform, and libhdf5's conversion does not round to the nearest. Here every
/// value becomes the nearest half, of two equally near the one with an even last digit; from 65,520 on, which lies halfway
/// between the greatest half (65,504) and the next there would be, it becomes infinite. That is what NumPy does, for
/// values that are not numbers too: they keep the upper ten bits of their payload, unless those are 0.
package enum HalfPrecision {
    /// Minimum magnitude that becomes infinite.
    static let overflow: Float = 65_520

    /// The bits of the half nearest to a value.
    static func bits(_ value: Float) -> UInt16 {
        var half: UInt16 = 0
        withUnsafePointer(to: value) { veery_kernels_best().pointee.encode_halves($0, 1, &half) }
        return UInt16(littleEndian: half)
    }

    /// The value of a half, exactly.
    static func float(_ bits: UInt16) -> Float {
        var value: Float = 0
        withUnsafePointer(to: bits) { veery_kernels_best().pointee.decode_halves($0, 1, &value) }
        return value
    }

    /// Converts values in place: afterwards the halves, little-endian, are at the start of the buffer.
    ///
    /// - Returns: The bytes of the halves, two for each value.
    static func encode(_ values: UnsafeMutableBufferPointer<Float>) -> UnsafeRawBufferPointer {
        // Writing never overtakes reading: a half never ends after its value.
        if let start = values.baseAddress { veery_kernels_best().pointee.encode_halves(start, values.count, start) }
        return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(values)[..<(2 * values.count)])
    }

    /// The values of halves as they are stored; every half is a float.
    package static func floats(_ halves: UnsafeRawBufferPointer) -> [Float] {
        let halves = halves.assumingMemoryBound(to: UInt16.self)
        return [Float](unsafeUninitializedCapacity: halves.count) { values, count in
            count = halves.count
            decode(halves, into: UnsafeMutableBufferPointer(rebasing: values[..<count]))
        }
    }

    /// Converts halves, as many as there are `values`.
    ///
    /// - Precondition: `halves` and `values` have the same number of elements.
    static func decode(_ halves: UnsafeBufferPointer<UInt16>, into values: UnsafeMutableBufferPointer<Float>) {
        precondition(halves.count == values.count, "as many halves as values")
        guard let source = halves.baseAddress, let target = values.baseAddress else { return }
        veery_kernels_best().pointee.decode_halves(source, halves.count, target)
    }
}
