import FeatureModel

/// Why a transform cannot be set up.
public enum SignalError: Error, Hashable, Sendable {
    /// No memory for a buffer of this size.
    case outOfMemory(bytes: Int)
    /// FFTW has no plan for transforms of this length, or is not in this build.
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
