/// Memory that grows as it is needed, aligned for any number.
struct GrowingRoom: ~Copyable {
    private var storage = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 64)

    /// All of it.
    var filled: UnsafeRawBufferPointer { UnsafeRawBufferPointer(storage) }

    /// Room for so many bytes; what was in it is lost if it grows.
    mutating func room(_ count: Int) -> UnsafeMutableRawBufferPointer {
        if storage.count < count {
            storage.deallocate()
            storage = .allocate(byteCount: count, alignment: 64)
        }
        return UnsafeMutableRawBufferPointer(rebasing: storage[..<count])
    }

    deinit { storage.deallocate() }
}
