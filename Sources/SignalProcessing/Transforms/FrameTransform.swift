import FeatureModel

/// From a batch of windowed frames to the powers, or amplitudes, that a scale turns into values.
///
/// Owns the transform's input, which `FrameWindow` fills, and the buffers in between.
final class FrameTransform {
    private enum Method {
        case fourier(step: Int)
        case complex(step: Int)
        case cosine(CosineTransform)
        case bank(MelFilterBank, SpectrumKind)
        case musical(MusicalAxis)
    }

    /// Values in a row.
    let bins: Int
    /// What the values are.
    let output: PowerScale.Input
    /// The order that a frame's samples have to have in the input.
    let order: FrameWindow.Order
    /// What samples have to be multiplied by on the way in.
    var inputFactor: Float { fourier.inputFactor }

    private let fourier: RealFFT
    private let method: Method
    /// A spectrum's power, or its real part.
    private let spectrum: AlignedBuffer
    /// A spectrum's imaginary part; empty where it is not needed.
    private let imaginary: AlignedBuffer
    /// Coefficients of a cosine transform; empty where it is another.
    private let coefficients: AlignedBuffer

    /// - Throws: `SignalError` where memory or a plan is not to be had.
    init(_ plan: FeaturePlan) throws(SignalError) {
        let configuration = plan.configuration
        let fftLength = plan.geometry.fftLength
        bins = plan.spectrumBins
        fourier = try RealFFT(length: fftLength)
        let kind = configuration.scale.kind
        switch configuration.transform {
        case .fft(_, let step):
            method = kind == .complex ? .complex(step: step) : .fourier(step: step)
            output = kind == .complex ? .amplitude : .power
        case .dct:
            method = .cosine(CosineTransform(length: fftLength))
            output = kind == .linear ? .amplitude : .power
        case .musical(let musical):
            method = .musical(MusicalAxis(musical, fftLength: fftLength, sampleRate: plan.sampleRate))
            output = kind == .magnitude ? .amplitude : .power
        case .mel, .mfcc, .lfcc:
            guard let bank = plan.filterBank, let spectrum = configuration.transform.bank?.spectrum else {
                preconditionFailure("a plan of bands has a filter bank")
            }
            method = .bank(bank, spectrum)
            output = .power
        }
        if case .cosine = method { order = .evenThenOddReversed } else { order = .natural }
        let size = fourier.bins + MelFilterBank.readPastEnd
        spectrum = try AlignedBuffer(count: size)
        switch method {
        case .complex: (imaginary, coefficients) = (try AlignedBuffer(count: size), try AlignedBuffer(count: 0))
        case .cosine: (imaginary, coefficients) = (try AlignedBuffer(count: size), try AlignedBuffer(count: fftLength))
        default: (imaginary, coefficients) = (try AlignedBuffer(count: 0), try AlignedBuffer(count: 0))
        }
    }

    /// Where the frame of a row goes, 0 ..< `RealFFT.batch`.
    @inline(__always)
    func input(row: Int) -> UnsafeMutablePointer<Float> { fourier.input.pointer + row * fourier.rowStride }

    /// Transforms all rows of the input.
    func execute() { fourier.execute() }

    /// The values of a row. Up to seven values may be written past its end.
    func values(row: Int, into values: UnsafeMutablePointer<Float>) {
        let spectrum = spectrum.pointer
        switch method {
        case .fourier(let step):
            fourier.power(row: row, into: spectrum)
            keep(spectrum, step: step, count: bins, into: values)
        case .complex(let step):
            fourier.spectrum(row: row, real: spectrum, imaginary: imaginary.pointer)
            keep(spectrum, step: step, count: bins / 2, into: values)
            keep(imaginary.pointer, step: step, count: bins / 2, into: values + bins / 2)
        case .cosine(let cosine):
            let coefficients = coefficients.pointer
            fourier.spectrum(row: row, real: spectrum, imaginary: imaginary.pointer)
            cosine.coefficients(real: spectrum, imaginary: imaginary.pointer, into: coefficients)
            keepCoefficients(coefficients, into: values)
        case .bank(let bank, let kind):
            fourier.power(row: row, into: spectrum)
            if kind == .magnitude { takeRoots(spectrum) }
            bank.apply(spectrum, into: values)
        case .musical(let axis):
            fourier.power(row: row, into: spectrum)
            takeRoots(spectrum)
            axis.apply(spectrum, into: values)
            guard output == .power else { return }
            // Where the parabola falls below 0 there is no power.
            for bin in 0..<bins { values[bin] = max(values[bin], 0) * max(values[bin], 0) }
        }
    }

    private func keep(
        _ source: UnsafePointer<Float>, step: Int, count: Int, into values: UnsafeMutablePointer<Float>
    ) {
        guard step > 1 else { return values.update(from: source, count: count) }
        for bin in 0..<count { values[bin] = source[bin * step] }
    }

    private func keepCoefficients(_ source: UnsafePointer<Float>, into values: UnsafeMutablePointer<Float>) {
        guard output == .power else { return values.update(from: source, count: bins) }
        for bin in 0..<bins { values[bin] = source[bin] * source[bin] }
    }

    private func takeRoots(_ spectrum: UnsafeMutablePointer<Float>) {
        var bin = 0
        // Behind the spectrum there is room for eight values.
        while bin < fourier.bins {
            spectrum.store(spectrum.eight(at: bin).squareRoot(), at: bin)
            bin += 8
        }
    }
}
