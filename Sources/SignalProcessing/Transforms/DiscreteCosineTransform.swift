import FeatureModel

/// A discrete cosine transform of type 1 to 4 and its exact inverse, for signals of one length.
///
/// `CosineTransformType` has the formulas, `CosineNormalization` the scaling. The results are exact to single
/// precision: within about 10⁻⁷ of the largest coefficient.
///
/// Nothing is allocated after `init`, except by the two functions that return arrays. Not safe to use from two threads at once.
public final class DiscreteCosineTransform {
    /// The type of `forward`.
    public let type: CosineTransformType
    /// Number of samples and of coefficients.
    public let length: Int
    /// The scaling of `forward`; `inverse` undoes it.
    public let normalization: CosineNormalization

    /// Maximum number of samples.
    public static let maximumSamples = 1 << 22

    private let there: Direction
    private let back: Direction
    /// A signal in single precision, and the samples after it that are read past its end.
    private let row: FloatBuffer

    /// Plans both directions.
    ///
    /// - Parameters:
    ///   - type: The type of `forward`.
    ///   - length: Number of samples, 1 … `maximumSamples`; from 2 for type 1.
    ///   - normalization: The scaling of `forward`.
    /// - Throws: `SignalError.transformLength`, or `.outOfMemory`.
    public init(
        type: CosineTransformType, length: Int, normalization: CosineNormalization = .none
    ) throws(SignalError) {
        self.type = type
        self.length = length
        self.normalization = normalization
        let allowed = type.minimumLength...Self.maximumSamples
        guard allowed.contains(length) else {
            throw .transformLength(name: "DCT-\(type.numeral)", length: length, allowed: allowed)
        }
        there = try Direction(type, length, normalization)
        let period = Double(type == .one ? length - 1 : length)
        back = try Direction(type.inverse, length, normalization, scale: normalization == .none ? 2 / period : 1)
        row = try FloatBuffer(count: length + 3)
    }

    /// A transform of single rows.
    private struct Direction {
        let transform: LaneCosine
        let scaling: CosineScaling

        init(
            _ type: CosineTransformType, _ length: Int, _ normalization: CosineNormalization, scale: Double = 1
        ) throws(SignalError) {
            scaling = CosineScaling(type, length: length, normalization, scale: scale)
            transform = try LaneCosine(
                type: type, length: length, window: LaneWindow(weights: scaling.weights), kernels: Kernels.narrow)
        }
    }

    /// The coefficients of a signal.
    ///
    /// - Parameters:
    ///   - samples: `length` samples.
    ///   - coefficients: Space for `length` coefficients; may be the same memory.
    public func forward(_ samples: UnsafeBufferPointer<Float>, into coefficients: UnsafeMutableBufferPointer<Float>) {
        run(there, samples, coefficients)
    }

    /// The signal that has these coefficients.
    ///
    /// - Parameters:
    ///   - coefficients: `length` coefficients, as `forward` gives them.
    ///   - samples: Space for `length` samples; may be the same memory.
    public func inverse(_ coefficients: UnsafeBufferPointer<Float>, into samples: UnsafeMutableBufferPointer<Float>) {
        run(back, coefficients, samples)
    }

    /// The coefficients of a signal of `length` samples.
    public func forward(_ samples: [Float]) -> [Float] { array(samples, forward) }

    /// The signal that has these `length` coefficients.
    public func inverse(_ coefficients: [Float]) -> [Float] { array(coefficients, inverse) }

    private func array(
        _ values: [Float], _ run: (UnsafeBufferPointer<Float>, UnsafeMutableBufferPointer<Float>) -> Void
    ) -> [Float] {
        [Float](unsafeUninitializedCapacity: length) { result, count in
            result.initialize(repeating: 0)
            values.withUnsafeBufferPointer { run($0, UnsafeMutableBufferPointer(rebasing: result[..<length])) }
            count = length
        }
    }

    private func run(
        _ direction: Direction, _ values: UnsafeBufferPointer<Float>,
        _ result: UnsafeMutableBufferPointer<Float>
    ) {
        precondition(
            values.count == length && result.count == length,
            "a transform of \(length) samples got \(values.count), and space for \(result.count)")
        guard let source = values.baseAddress, let target = result.baseAddress else { return }
        row.pointer.update(from: source, count: length)
        direction.transform.transform(FrameRun(first: row.pointer, stride: 0, count: 1))
        direction.transform.store(columns: length, into: target, width: length, rows: 1)
        direction.scaling.scaleEnds(target, count: length)
    }
}

extension CosineTransformType {
    /// I … IV
    fileprivate var numeral: String {
        switch self {
        case .one: "I"
        case .two: "II"
        case .three: "III"
        case .four: "IV"
        }
    }
}
