import FeatureModel

/// Multiplies a frame by its window on the way into a transform's input, in the order which that transform wants.
struct FrameWindow {
    /// The order of the samples in the transform's input.
    enum Order {
        /// As they come.
        case natural
        /// Even places forwards, then odd places backwards: x₀ x₂ x₄ … x₅ x₃ x₁ (see `CosineTransform`).
        case evenThenOddReversed
    }

    private let coefficients: [Float]
    private let order: Order
    private let fftLength: Int
    private let offset: Int

    /// - Parameters:
    ///   - coefficients: The window, as long as a frame.
    ///   - factor: Multiplies every coefficient: a scale of the samples.
    ///   - fftLength: Length of the transform; samples before and past the frame are zero.
    ///   - offset: Place of the frame's first sample in the transform's input.
    init(_ coefficients: [Double], factor: Float, order: Order, fftLength: Int, offset: Int = 0) {
        self.coefficients = coefficients.map { Float($0) * factor }
        self.order = order
        self.offset = offset
        self.fftLength = fftLength
    }

    /// Writes the windowed frame into a row of the transform's input.
    ///
    /// - Parameters:
    ///   - frame: As many samples as the window has.
    ///   - row: Room for `fftLength` samples; those beside the frame are left as they are (zero).
    @inline(__always)
    func apply(_ frame: UnsafePointer<Float>, into row: UnsafeMutablePointer<Float>) {
        coefficients.withUnsafeBufferPointer { window in
            guard let window = window.baseAddress else { return }
            switch order {
            case .natural: multiply(frame, window, into: row + offset)
            case .evenThenOddReversed: multiplyReordered(frame, window, into: row)
            }
        }
    }

    @inline(__always)
    private func multiply(
        _ frame: UnsafePointer<Float>, _ window: UnsafePointer<Float>, into row: UnsafeMutablePointer<Float>
    ) {
        let length = coefficients.count
        var n = 0
        while n + 8 <= length {
            row.store(frame.eight(at: n) * window.eight(at: n), at: n)
            n += 8
        }
        while n < length {
            row[n] = frame[n] * window[n]
            n += 1
        }
    }

    @inline(__always)
    private func multiplyReordered(
        _ frame: UnsafePointer<Float>, _ window: UnsafePointer<Float>, into row: UnsafeMutablePointer<Float>
    ) {
        let length = coefficients.count
        var n = 0
        // Even and odd places change roles where the frame begins at an odd one; a rare case, done singly.
        while offset == 0, n + 16 <= length {
            let low = frame.eight(at: n) * window.eight(at: n)
            let high = frame.eight(at: n + 8) * window.eight(at: n + 8)
            row.store(low.evens(with: high), at: n / 2)
            row.store(low.odds(with: high).reversed, at: fftLength - n / 2 - 8)
            n += 16
        }
        while n < length {
            let place = offset + n
            row[place % 2 == 0 ? place / 2 : fftLength - 1 - place / 2] = frame[n] * window[n]
            n += 1
        }
    }
}
