/// Bytes that records are put together in: grows, never shrinks, and is used again and again.
package struct ByteBuffer: ~Copyable {
    @usableFromInline package var storage: UnsafeMutableRawBufferPointer
    /// Bytes in use.
    @usableFromInline package var count = 0

    @inlinable
    package init(capacity: Int) { storage = .allocate(byteCount: capacity, alignment: 64) }

    @inlinable
    deinit { storage.deallocate() }

    /// The bytes in use, valid until the next change.
    @inlinable
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<count]) }

    /// Forgets the bytes from `count` on.
    @inlinable
    package mutating func truncate(to count: Int) { self.count = min(count, self.count) }

    /// Appends bytes.
    @inlinable
    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        UnsafeMutableRawBufferPointer(rebasing: storage[count...]).copyMemory(from: bytes)
        count += bytes.count
    }

    /// Appends a number, little-endian.
    @inlinable
    package mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number.littleEndian) { append($0) }
    }

    /// Appends a number in IEEE format, little-endian.
    @inlinable
    package mutating func append(_ number: Double) { append(number.bitPattern) }

    /// Appends numbers in IEEE format, little-endian.
    @inlinable
    package mutating func append(_ numbers: ArraySlice<Double>) { append(numbers) { $0.bitPattern } }

    /// Appends numbers in IEEE format, little-endian.
    @inlinable
    package mutating func append(_ numbers: ArraySlice<Float>) { append(numbers) { $0.bitPattern } }

    @inlinable
    @inline(__always)
    package mutating func append<Number, Bits: FixedWidthInteger>(
        _ numbers: ArraySlice<Number>, bits: (Number) -> Bits
    ) {
        let size = MemoryLayout<Bits>.size
        reserve(numbers.count * size)
        for number in numbers {
            storage.storeBytes(of: bits(number).littleEndian, toByteOffset: count, as: Bits.self)
            count += size
        }
    }

    /// Appends a text, preceded by its length in bytes.
    @inlinable
    package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            append(UInt32(utf8.count))
            append(UnsafeRawBufferPointer(utf8))
        }
    }

    /// Overwrites a number at `offset`, which has to be in use.
    @inlinable
    package mutating func set<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
        precondition(offset >= 0 && offset + MemoryLayout<Number>.size <= count, "offset out of range")
        storage.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
    }

    /// Reads up to `most` bytes into the buffer, in place of what it holds.
    ///
    /// - Parameter read: Returns how many it has read.
    @inlinable
    package mutating func fill<Failure: Error>(
        most: Int, by read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
    ) throws(Failure) {
        count = 0
        reserve(most)
        count = min(try read(UnsafeMutableRawBufferPointer(rebasing: storage[..<most])), most)
    }

    /// Reads into the buffer, in place of what it holds.
    @inlinable
    package mutating func fill<Failure: Error>(
        count: Int, by read: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        self.count = 0
        reserve(count)
        try read(UnsafeMutableRawBufferPointer(rebasing: storage[..<count]))
        self.count = count
    }

    @usableFromInline
    package mutating func reserve(_ more: Int) {
        guard count + more > storage.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(2 * storage.count, count + more), alignment: 64)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: storage[..<count]))
        storage.deallocate()
        storage = larger
    }
}
