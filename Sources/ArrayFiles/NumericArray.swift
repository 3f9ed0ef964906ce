/// An array as a file has it, in single precision: the last axis varies fastest.
package struct NumericArray: Hashable, Sendable {
    /// Length of each axis; empty: a single number.
    package let shape: [Int]
    /// The values.
    package let values: [Float]

    /// - Precondition: There is a value for each element.
    package init(shape: [Int], values: [Float]) {
        precondition(Self.count(shape) == values.count, "an array needs a value for each element")
        (self.shape, self.values) = (shape, values)
    }

    /// The number of elements; nil: an axis is negative, or there are more than memory holds.
    static func count(_ shape: [Int]) -> Int? {
        // An axis of length 0 must not hide one after it that is too long.
        var count = 1
        for extent in shape {
            guard extent >= 0 else { return nil }
            let (product, overflow) = count.multipliedReportingOverflow(by: max(extent, 1))
            guard !overflow, product < 1 << 40 else { return nil }
            count = product
        }
        return shape.contains(0) ? 0 : count
    }

    /// The array whose values come with the first axis varying fastest, as Fortran stores them.
    static func ofFortran(shape: [Int], values: [Float]) -> NumericArray {
        guard shape.count > 1, !values.isEmpty else { return NumericArray(shape: shape, values: values) }
        var steps = [1]
        for extent in shape.dropLast() { steps.append((steps.last ?? 1) * extent) }
        var ordered: [Float] = []
        ordered.reserveCapacity(values.count)
        var index = [Int](repeating: 0, count: shape.count)
        var offset = 0
        while true {
            ordered.append(values[offset])
            var axis = shape.count - 1
            while axis >= 0 {
                index[axis] += 1
                offset += steps[axis]
                if index[axis] < shape[axis] { break }
                offset -= steps[axis] * shape[axis]
                index[axis] = 0
                axis -= 1
            }
            if axis < 0 { return NumericArray(shape: shape, values: ordered) }
        }
    }
}

/// How a file stores a number.
struct ElementType: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case float, brainFloat, signed, unsigned
    }

    let kind: Kind
    /// Bytes of a number: 1, 2, 4 or 8.
    let size: Int
    var isBigEndian = false

    /// Appends the numbers that bytes hold.
    func append(_ bytes: UnsafeRawBufferPointer, to values: inout [Float]) {
        let count = bytes.count / size
        values.reserveCapacity(values.count + count)
        if self == ElementType(kind: .float, size: 4) {
            for index in 0..<count {
                let bits = bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
                values.append(Float(bitPattern: UInt32(littleEndian: bits)))
            }
            return
        }
        for index in 0..<count { values.append(value(bits(bytes, index))) }
    }

    /// The number at an index in double precision, exactly.
    func exactNumber(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Double {
        let bits = bits(bytes, index)
        let shift = UInt64(64 - 8 * size)
        return switch kind {
        case .float where size == 8: Double(bitPattern: bits)
        case .unsigned: Double(bits)
        case .signed: Double(Int64(bitPattern: bits << shift) >> Int64(shift))
        case .float, .brainFloat: Double(value(bits))
        }
    }

    private func bits(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
        var bits: UInt64 = 0
        for byte in 0..<size {
            bits = bits << 8 | UInt64(bytes[index * size + (isBigEndian ? byte : size - 1 - byte)])
        }
        return bits
    }

    private func value(_ bits: UInt64) -> Float {
        switch kind {
        case .float where size == 2: return Self.half(UInt16(truncatingIfNeeded: bits))
        case .float where size == 4: return Float(bitPattern: UInt32(truncatingIfNeeded: bits))
        case .float: return Float(Double(bitPattern: bits))
        case .brainFloat: return Float(bitPattern: UInt32(truncatingIfNeeded: bits) << 16)
        case .unsigned: return Float(bits)
        case .signed:
            let shift = UInt64(64 - 8 * size)
            return Float(Int64(bitPattern: bits << shift) >> Int64(shift))
        }
    }

    /// A number in half precision.
    private static func half(_ bits: UInt16) -> Float {
        let sign: Float = bits >> 15 == 0 ? 1 : -1
        let (exponent, fraction) = (Int(bits >> 10 & 0x1F), Float(bits & 0x3FF))
        switch exponent {
        case 0: return sign * fraction * 0x1p-24
        case 31: return fraction == 0 ? sign * .infinity : .nan
        default: return sign * (1 + fraction / 1024) * Float(sign: .plus, exponent: exponent - 15, significand: 1)
        }
    }
}
