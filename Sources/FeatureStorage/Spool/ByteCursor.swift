/// Reads little-endian numbers and texts one after another; nil past the end.
struct ByteCursor {
    private var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    mutating func integer<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) -> Number? {
        let size = MemoryLayout<Number>.size
        guard rest.count >= size else { return nil }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[size...]) }
        return Number(littleEndian: rest.loadUnaligned(as: Number.self))
    }

    mutating func double() -> Double? { integer(UInt64.self).map(Double.init(bitPattern:)) }

    mutating func float() -> Float? { integer(UInt32.self).map(Float.init(bitPattern:)) }

    mutating func array<Element>(_ count: Int, _ next: (inout ByteCursor) -> Element?) -> [Element]? {
        var values: [Element] = []
        values.reserveCapacity(min(count, rest.count))
        for _ in 0..<count {
            guard let value = next(&self) else { return nil }
            values.append(value)
        }
        return values
    }

    mutating func text() -> String? {
        guard let length = integer(UInt32.self), rest.count >= Int(length) else { return nil }
        defer { rest = UnsafeRawBufferPointer(rebasing: rest[Int(length)...]) }
        return String(decoding: rest[..<Int(length)], as: UTF8.self)
    }
}
