/// Why a transform could not be set up.
public enum SignalError: Error, Hashable, Sendable {
    /// No memory for a buffer of so many bytes.
    case outOfMemory(bytes: Int)
    /// FFTW has no plan for transforms of this length.
    case noPlan(length: Int)
    /// The transform of this name is not defined, or not offered, for so many samples.
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
