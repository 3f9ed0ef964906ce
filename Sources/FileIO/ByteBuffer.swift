/// A reusable buffer for assembling records; grows, never shrinks.
///
/// Public and inlinable, like `ByteCursor`, so that its generic functions are specialised in other
/// modules.
@frozen
public struct ByteBuffer: ~Copyable {
    @usableFromInline internal var storage: UnsafeMutableRawBufferPointer
    @usableFromInline internal var used = 0

    /// Bytes in use.
    @inlinable
    public var count: Int { used }

    /// An empty buffer.
    @inlinable
    public init(capacity: Int) { storage = .allocate(byteCount: capacity, alignment: 64) }

    @inlinable
    deinit { storage.deallocate() }

    /// The bytes in use, valid until the next change.
    @inlinable
    public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<used]) }

    /// Drops the bytes from `count` on.
    @inlinable
    public mutating func truncate(to count: Int) { used = min(count, used) }

    /// Appends bytes.
    @inlinable
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        UnsafeMutableRawBufferPointer(rebasing: storage[used...]).copyMemory(from: bytes)
        used += bytes.count
    }

    /// Appends a number, little-endian.
    @inlinable
    public mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { append($0) }
    }

    /// Appends a number in IEEE format, little-endian.
    @inlinable
    public mutating func append(_ number: Double) { append(number.bitPattern) }

    /// Appends numbers in IEEE format, little-endian.
    @inlinable
    public mutating func append(_ numbers: ArraySlice<Double>) { append(numbers) { $0.bitPattern } }

    /// Appends numbers in IEEE format, little-endian.
    @inlinable
    public mutating func append(_ numbers: ArraySlice<Float>) { append(numbers) { $0.bitPattern } }

    @inlinable
    @inline(__always)
    internal mutating func append<Number, Bits: FixedWidthInteger>(
        _ numbers: ArraySlice<Number>, bits: (Number) -> Bits
    ) {
        let size = MemoryLayout<Bits>.size
        reserve(numbers.count * size)
        for number in numbers {
            storage.storeBytes(of: bits(number).littleEndian, toByteOffset: used, as: Bits.self)
            used += size
        }
    }

    /// Appends a text, preceded by its length in bytes.
    @inlinable
    public mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            append(UInt32(utf8.count))
            append(UnsafeRawBufferPointer(utf8))
        }
    }

    /// Overwrites a number at `offset`, within the bytes in use.
    @inlinable
    public mutating func set<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
        precondition(offset >= 0 && offset + MemoryLayout<Number>.size <= used, "offset out of range")
        storage.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
    }

    /// Reads up to `maximum` bytes over the contents.
    ///
    /// - Parameter read: Returns the number of bytes read.
    @inlinable
    public mutating func fill<Failure: Error>(
        upTo maximum: Int, by read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        used = 0
        reserve(maximum)
        used = min(try read(UnsafeMutableRawBufferPointer(rebasing: storage[..<maximum])), maximum)
    }

    /// Reads `count` bytes over the contents.
    @inlinable
    public mutating func fill<Failure: Error>(
        count: Int, by read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        try fill(upTo: count) { bytes throws(Failure) in
            try read(bytes)
            return count
        }
    }

    @usableFromInline
    internal mutating func reserve(_ more: Int) {
        guard used + more > storage.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(2 * storage.count, used + more), alignment: 64)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[..<used]))
        storage.deallocate()
        storage = larger
    }
}
