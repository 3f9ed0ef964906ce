import CFFTW
import FeatureModel

/// Single-precision numbers; see `NumberBuffer`.
typealias AlignedBuffer = NumberBuffer<Float>
/// Double-precision numbers, for transforms; see `NumberBuffer`.
typealias DoubleBuffer = NumberBuffer<Double>

/// Numbers at an address aligned for FFTW's SIMD code, initially zero.
///
/// FFTW's results can differ in the last bit with the alignment of a buffer, so all its buffers are of this type.
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

/// Why a transform cannot be set up.
public enum SignalError: Error, Hashable, Sendable {
    /// No memory for a buffer of this size.
    case outOfMemory(bytes: Int)
    /// FFTW has no plan for transforms of this length.
    case noPlan(length: Int)
    /// The transform is not defined, or not supported, for this number of samples.
    case transformLength(name: String, length: Int, allowed: ClosedRange<Int>)
}

extension SignalError: CustomStringConvertible {
    /// The error as one sentence for a person.
    public var description: String {
        switch self {
        case .outOfMemory(let bytes): "no memory for a buffer of \(bytes) bytes"
        case .noPlan(let length): "FFTW gave no plan for a transform of \(length) samples"
        case .transformLength(let name, let length, let allowed):
            "\(name): expected a length from \(allowed.lowerBound) to \(allowed.upperBound) samples, found \(length)"
        }
    }
}

extension SignalError: SystemFaultReporting {
    package var isSystemFault: Bool {
        guard case .outOfMemory = self else { return false }
        return true
    }
}
