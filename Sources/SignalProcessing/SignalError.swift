/// Why a transform could not be set up.
public enum SignalError: Error, Hashable, Sendable {
    /// No memory for a buffer of so many single-precision numbers.
    case outOfMemory(floats: Int)
    /// FFTW has no plan for transforms of this length.
    case noPlan(length: Int)
}

extension SignalError: CustomStringConvertible {
    /// The error as one sentence for a person.
    public var description: String {
        switch self {
        case .outOfMemory(let floats): "no memory for a buffer of \(floats) numbers (\(floats * 4) bytes)"
        case .noPlan(let length): "FFTW gave no plan for a transform of \(length) samples"
        }
    }
}
