import FeatureModel

/// Multiplies a frame by its window on the way into a transform's input, in that transform's order.
struct FrameWindow {
    /// The order of the samples in the transform's input.
    enum Order {
        /// In order of time.
        case natural
        /// Even samples forwards, then odd samples backwards: x₀ x₂ x₄ … x₅ x₃ x₁ (see `CosineTransform`).
        case evenThenOddReversed
    }

    private let coefficients: [Double]
    /// The same in the order of the transform's input; empty for the natural order and for frames with an offset.
    private let folded: [Double]
    private let order: Order
    private let fftLength: Int
    private let offset: Int

    /// - Parameters:
    ///   - coefficients: The window, as long as a frame.
    ///   - factor: Multiplies every coefficient: the scale of the samples.
    ///   - fftLength: Length of the transform; samples before and past the frame are zero.
    ///   - offset: Index of the frame's first sample in the transform's input.
    init(_ coefficients: [Double], factor: Double, order: Order, fftLength: Int, offset: Int = 0) {
        self.coefficients = coefficients.map { $0 * factor }
        if order == .evenThenOddReversed, offset == 0 {
            var folded = [Double](repeating: 0, count: fftLength)
            for (n, value) in self.coefficients.enumerated() {
                folded[n % 2 == 0 ? n / 2 : fftLength - 1 - n / 2] = value
            }
            self.folded = folded
        } else {
            folded = []
        }
        self.order = order
        self.offset = offset
        self.fftLength = fftLength
    }

    /// Writes the windowed frame into a row of the transform's input.
    ///
    /// - Parameters:
    ///   - frame: A frame as long as the window.
    ///   - row: Space for `fftLength` samples; those outside the frame are not written and stay zero.
    func apply(_ frame: UnsafePointer<Float>, into row: UnsafeMutablePointer<Double>) {
        if !folded.isEmpty {
            folded.withUnsafeBufferPointer { weights in
                guard let weights = weights.baseAddress else { return }
                Kernels.best.pointee.fold(frame, weights, coefficients.count, fftLength, row)
            }
            return
        }
        guard order == .natural else { return applyPlainly(frame, into: row) }
        coefficients.withUnsafeBufferPointer { window in
            guard let window = window.baseAddress else { return }
            Kernels.best.pointee.window(frame, window, coefficients.count, row + offset)
        }
    }

    /// The same for a frame in double precision.
    func apply(_ frame: UnsafePointer<Double>, into row: UnsafeMutablePointer<Double>) {
        applyPlainly(frame, into: row)
    }

    @inline(__always)
    private func applyPlainly<Sample: BinaryFloatingPoint>(
        _ frame: UnsafePointer<Sample>, into row: UnsafeMutablePointer<Double>
    ) {
        coefficients.withUnsafeBufferPointer { window in
            guard let window = window.baseAddress else { return }
            let length = coefficients.count
            switch order {
            case .natural:
                let row = row + offset
                for n in 0..<length { row[n] = Double(frame[n]) * window[n] }
            case .evenThenOddReversed:
                for n in 0..<length {
                    let index = offset + n
                    row[index % 2 == 0 ? index / 2 : fftLength - 1 - index / 2] = Double(frame[n]) * window[n]
                }
            }
        }
    }
}
