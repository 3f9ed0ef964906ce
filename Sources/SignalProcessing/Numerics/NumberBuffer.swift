import FeatureModel
import Platform

/// Single-precision numbers; see `NumberBuffer`.
typealias FloatBuffer = NumberBuffer<Float>
/// Double-precision numbers, for transforms; see `NumberBuffer`.
typealias DoubleBuffer = NumberBuffer<Double>

/// Numbers that begin on a cache line, initially zero.
final class NumberBuffer<Number: BitwiseCopyable & Numeric> {
    let pointer: UnsafeMutablePointer<Number>
    let count: Int

    /// A cache line, and a vector of the widest instructions.
    private static var alignment: Int { 64 }

    /// - Throws: `SignalError.outOfMemory`.
    init(count: Int) throws(SignalError) {
        let bytes = max(count, 1) * MemoryLayout<Number>.stride
        var memory: UnsafeMutableRawPointer?
        guard posix_memalign(&memory, Self.alignment, bytes) == 0, let memory else {
            throw .outOfMemory(bytes: bytes)
        }
        pointer = memory.bindMemory(to: Number.self, capacity: max(count, 1))
        pointer.initialize(repeating: 0, count: max(count, 1))
        self.count = count
    }

    deinit { free(pointer) }
}
