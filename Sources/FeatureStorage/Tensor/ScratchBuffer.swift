/// A buffer that grows as needed, aligned for any number.
struct ScratchBuffer: ~Copyable {
    private var storage = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 64)

    /// All bytes.
    var contents: UnsafeRawBufferPointer { UnsafeRawBufferPointer(storage) }

    /// The first `count` bytes. What they held is lost if the buffer grows.
    mutating func reserve(_ count: Int) -> UnsafeMutableRawBufferPointer {
        if storage.count < count {
            storage.deallocate()
            storage = .allocate(byteCount: count, alignment: 64)
        }
        return UnsafeMutableRawBufferPointer(rebasing: storage[..<count])
    }

    deinit { storage.deallocate() }
}
