import CFFTW

/// Single-precision numbers at an address that suits FFTW's SIMD code, zero at first.
///
/// FFTW's results can differ in the last bit with the alignment of a buffer, so every buffer it sees is one of these.
final class AlignedBuffer {
    let pointer: UnsafeMutablePointer<Float>
    let count: Int

    /// - Throws: `SignalError.outOfMemory`.
    init(count: Int) throws(SignalError) {
        guard let pointer = fftwf_alloc_real(max(count, 1)) else { throw .outOfMemory(floats: count) }
        pointer.initialize(repeating: 0, count: count)
        self.pointer = pointer
        self.count = count
    }

    deinit { fftwf_free(pointer) }
}
