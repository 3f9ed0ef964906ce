/// Reads little-endian numbers and texts one after another; nil past the end.
@frozen
public struct ByteCursor {
    @usableFromInline internal var rest: UnsafeRawBufferPointer

    /// Starts at the first byte; the bytes have to outlive the cursor.
    @inlinable
    public init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    /// The next integer.
    @inlinable
    public mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
        let size = MemoryLayout<Number>.size
        guard rest.count >= size else { return nil }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[size...]) }
        return Number(littleEndian: rest.loadUnaligned(as: Number.self))
    }

    /// The next number in IEEE format.
    @inlinable
    public mutating func double() -> Double? { integer(UInt64.self).map(Double.init(bitPattern:)) }

    /// `count` numbers in IEEE format.
    @inlinable
    public mutating func doubles(_ count: Int) -> [Double]? {
        numbers(count) { Double(bitPattern: UInt64(littleEndian: $0)) }
    }

    /// `count` numbers in IEEE format.
    @inlinable
    public mutating func floats(_ count: Int) -> [Float]? {
        numbers(count) { Float(bitPattern: UInt32(littleEndian: $0)) }
    }

    @inlinable
    @inline(__always)
    internal mutating func numbers<Bits: FixedWidthInteger, Number>(
        _ count: Int, _ number: (Bits) -> Number
    ) -> [Number]? {
        let size = MemoryLayout<Bits>.size
        guard count >= 0, count <= rest.count / size else { return nil }
        let source = rest
        rest = UnsafeRawBufferPointer(rebasing: rest[(count * size)...])
        return Array(unsafeUninitializedCapacity: count) { target, filled in
            for index in 0..<count {
                target.initializeElement(
                    at: index, to: number(source.loadUnaligned(fromByteOffset: index * size, as: Bits.self)))
            }
            filled = count
        }
    }

    /// The next text, preceded by its length in bytes.
    @inlinable
    public mutating func text() -> String? {
        guard let length = integer(UInt32.self), rest.count >= Int(length) else { return nil }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[Int(length)...]) }
        return String(decoding: rest[..<Int(length)], as: UTF8.self)
    }
}
