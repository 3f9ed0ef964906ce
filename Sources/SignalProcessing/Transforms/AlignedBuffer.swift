import CFFTW

/// Single-precision numbers; see `NumberBuffer`.
typealias AlignedBuffer = NumberBuffer<Float>
/// Double-precision numbers, which transforms compute with; see `NumberBuffer`.
typealias DoubleBuffer = NumberBuffer<Double>

/// Numbers at an address that suits FFTW's SIMD code, zero at first.
///
/// FFTW's results can differ in the last bit with the alignment of a buffer, so every buffer it sees is one of these.
final class NumberBuffer<Number: BinaryFloatingPoint> {
    let pointer: UnsafeMutablePointer<Number>
    let count: Int

    /// - Throws: `SignalError.outOfMemory`.
    init(count: Int) throws(SignalError) {
        let bytes = max(count, 1) * MemoryLayout<Number>.stride
        guard let memory = fftw_malloc(bytes) else { throw .outOfMemory(bytes: bytes) }
        pointer = memory.bindMemory(to: Number.self, capacity: max(count, 1))
        pointer.initialize(repeating: 0, count: count)
        self.count = count
    }

    deinit { fftw_free(pointer) }
}
