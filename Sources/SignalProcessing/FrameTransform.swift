import FeatureModel

/// Transforms a batch of frames to powers, or amplitudes, the input of a scale.
///
/// Frames are prepared and multiplied by the window first. Owns the transform's input, and the buffers in between.
final class FrameTransform {
    private enum Method {
        case fourier(RealFFT, step: Int)
        case complex(RealFFT, step: Int)
        case bank(RealFFT, Boxed<MelFilterBank>, SpectrumKind)
        case musical(RealFFT, Boxed<MusicalAxis>)
        /// DCT-II by way of the Fourier transform; `first` and `factor` scale the coefficients.
        case cosine(RealFFT, Boxed<CosineTransform>, first: Float, factor: Float)
        /// The other types.
        case otherCosine(RealToRealTransform)
        /// The samples themselves, from index `offset` of the input on.
        case samples(DoubleBuffer, offset: Int)
        /// All but the other types, for lengths that have a transform over lanes.
        case lanes(LaneTransform)
    }

    /// Boxes a value of several arrays: matching its case of `Method` then counts one reference instead of one for each array.
    private final class Boxed<Value> {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    /// Values in a row.
    let bins: Int
    /// Rows per transform: input and output fit into half of a small first-level cache, so that a frame is still cached when
    /// its powers are computed.
    let batch: Int
    let output: PowerScale.Input

    private let method: Method
    private let preparation: FramePreparation
    private let preparesFrames: Bool
    private let length: Int
    /// The window, input, and a prepared frame; of a transform over lanes, nothing.
    private let window: FrameWindow
    private let input: DoubleBuffer
    private let rowStride: Int
    private let prepared: DoubleBuffer
    /// A spectrum's power.
    private let spectrum: AlignedBuffer
    /// A spectrum's real and imaginary parts; empty where not needed.
    private let real: DoubleBuffer
    private let imaginary: DoubleBuffer
    /// Coefficients of a cosine transform; empty for others.
    private let coefficients: AlignedBuffer

    /// - Throws: `SignalError` where memory runs out or FFTW has no plan.
    init(_ plan: FeaturePlan) throws(SignalError) {
        let fftLength = plan.geometry.fftLength
        length = plan.geometry.length
        bins = plan.spectrumBins
        let usesLanes = LaneTransform.serves(plan)
        batch = usesLanes ? LaneFFT.rows : Self.batch(fftLength: fftLength)
        output = Self.output(plan.configuration)
        preparation = FramePreparation(plan)
        preparesFrames = !preparation.isIdentity
        let order = Self.order(plan.configuration.transform)
        let offset = plan.placement.transformOffset(plan.geometry)
        let factor = Double(plan.configuration.audio.scale.factor)
        let lanes = LaneWindow(
            preparation: preparation.steps, weights: plan.window.map { $0 * LaneFFT.inputFactor * factor },
            offset: offset, order: order)
        method =
            usesLanes
            ? .lanes(try LaneTransform(plan, squares: output == .power, window: lanes))
            : try Self.method(plan, rows: batch)
        /// Factors of the samples on their way into the input.
        var inputWeights = [Double](repeating: 1, count: fftLength)
        switch method {
        case .fourier(let fourier, _), .complex(let fourier, _), .bank(let fourier, _, _), .musical(let fourier, _),
            .cosine(let fourier, _, _, _):
            (input, rowStride) = (fourier.input, fourier.rowStride)
            inputWeights = Array(repeating: fourier.inputFactor, count: fftLength)
        case .otherCosine(let transform):
            (input, rowStride) = (transform.input, transform.rowStride)
            inputWeights = transform.inputWeights
        case .samples(let samples, _): (input, rowStride) = (samples, fftLength)
        case .lanes: (input, rowStride) = (try DoubleBuffer(count: 0), 0)
        }
        window = FrameWindow(
            usesLanes ? [] : plan.window.enumerated().map { $1 * inputWeights[offset + $0] }, factor: factor,
            order: order, fftLength: fftLength, offset: offset)
        prepared = try DoubleBuffer(count: usesLanes || !preparesFrames ? 0 : length)
        // Loops run by eight, and filters read past the end.
        let past = if case .bank(_, let bank, _) = method { bank.value.readPastEnd } else { 0 }
        let size = usesLanes ? 0 : fftLength / 2 + 1 + max(8, past)
        spectrum = try AlignedBuffer(count: size)
        let (needsParts, isCosine) =
            switch method {
            case .complex, .bank(_, _, .real): (true, false)
            case .cosine, .otherCosine: (false, true)
            case .fourier, .bank, .musical, .samples, .lanes: (false, false)
            }
        real = try DoubleBuffer(count: needsParts ? size : 0)
        imaginary = try DoubleBuffer(count: needsParts ? size : 0)
        coefficients = try AlignedBuffer(count: isCosine ? fftLength : 0)
    }

    /// A musical point is an amplitude, which may be negative, as is a band of real parts; both are stored as such only as a
    /// magnitude.
    private static func output(_ configuration: FeatureConfiguration) -> PowerScale.Input {
        let kind = configuration.scale.kind
        let isMusical = if case .musical = configuration.transform { true } else { false }
        let isSigned = isMusical || configuration.transform.bank?.spectrum == .real
        return kind == .linear || kind == .complex || isSigned && kind == .magnitude ? .amplitude : .power
    }

    private static func order(_ transform: TransformConfiguration) -> FrameWindow.Order {
        if case .dct(_, .two, _) = transform { .evenThenOddReversed } else { .natural }
    }

    private static func batch(fftLength: Int) -> Int {
        let (limit, row) = (16 << 10, 2 * fftLength * MemoryLayout<Double>.size)
        return [16, 8, 4, 2].first { $0 * row <= limit } ?? 1
    }

    private static func method(_ plan: FeaturePlan, rows: Int) throws(SignalError) -> Method {
        let fftLength = plan.geometry.fftLength
        let configuration = plan.configuration
        if case .dct(_, let type, let norm) = configuration.transform, type != .two {
            return .otherCosine(try RealToRealTransform(type: type, length: fftLength, normalization: norm, rows: rows))
        }
        if case .raw = configuration.transform {
            let offset = plan.placement.transformOffset(plan.geometry)
            return .samples(try DoubleBuffer(count: rows * fftLength), offset: offset)
        }
        let fourier = try RealFFT(length: fftLength, rows: rows)
        switch configuration.transform {
        case .fft(_, let step):
            return configuration.scale.kind == .complex ? .complex(fourier, step: step) : .fourier(fourier, step: step)
        case .dct(_, _, let norm):
            let isOrthogonal = norm == .ortho
            return .cosine(
                fourier, Boxed(CosineTransform(length: fftLength)), first: isOrthogonal ? Float(0.5.squareRoot()) : 1,
                factor: isOrthogonal ? Float((2 / Double(fftLength)).squareRoot()) : 1)
        case .musical(let musical):
            return .musical(fourier, Boxed(MusicalAxis(musical, fftLength: fftLength, sampleRate: plan.sampleRate)))
        case .mel, .mfcc, .lfcc:
            guard let bank = plan.filterBank, let kind = configuration.transform.bank?.spectrum else {
                preconditionFailure("a plan of bands has a filter bank")
            }
            return .bank(fourier, Boxed(bank), kind)
        case .raw: preconditionFailure("samples have no transform")
        }
    }

    /// The values of frames, at most `batch`, in rows that are `width` values apart, and the energy of each, or 0. Up to seven
    /// values may be written past the last row's end.
    func values(
        of frames: FrameRun, into values: UnsafeMutablePointer<Float>, width: Int, energies: UnsafeMutablePointer<Float>
    ) {
        if case .lanes(let transform) = method {
            return transform.values(of: frames, into: values, width: width) { energies[$0] = preparation.energy($1) }
        }
        for row in 0..<frames.count { energies[row] = fillInput(row: row, frames[row], rest: frames.rest) }
        execute()
        self.values(rows: frames.count, into: values, width: width)
    }

    /// Puts a frame into a row of the input, and returns its energy, or 0.
    private func fillInput(row: Int, _ frame: UnsafePointer<Float>, rest: Int?) -> Float {
        let target = input.pointer + row * rowStride
        guard preparesFrames else {
            window.apply(frame, into: target)
            return 0
        }
        let energy = preparation.apply(frame, rest: rest, length: length, into: prepared.pointer)
        window.apply(UnsafePointer(prepared.pointer), into: target)
        return energy
    }

    /// Transforms all rows of the input.
    private func execute() {
        switch method {
        case .fourier(let fourier, _), .complex(let fourier, _), .bank(let fourier, _, _), .musical(let fourier, _),
            .cosine(let fourier, _, _, _):
            fourier.execute()
        case .otherCosine(let transform): transform.execute()
        case .samples, .lanes: break
        }
    }

    /// The values of the first `rows` rows of the input.
    ///
    /// The method is matched once for all rows: a match costs more than some of the loops.
    private func values(rows: Int, into values: UnsafeMutablePointer<Float>, width: Int) {
        let spectrum = spectrum.pointer
        switch method {
        case .fourier(let fourier, let step):
            for row in 0..<rows {
                let values = values + row * width
                fourier.power(row: row, into: spectrum)
                if step == 1 {
                    values.update(from: spectrum, count: bins)
                } else {
                    for bin in 0..<bins { values[bin] = spectrum[bin * step] }
                }
            }
        case .complex(let fourier, let step):
            for row in 0..<rows {
                let values = values + row * width
                fourier.spectrum(row: row, real: real.pointer, imaginary: imaginary.pointer)
                for bin in 0..<bins / 2 {
                    values[bin] = Float(real.pointer[bin * step])
                    values[bins / 2 + bin] = Float(imaginary.pointer[bin * step])
                }
            }
        case .bank(let fourier, let bank, let kind):
            for row in 0..<rows {
                let values = values + row * width
                guard kind != .real else {
                    // Parts of either sign cancel each other: in double precision.
                    fourier.spectrum(row: row, real: real.pointer, imaginary: imaginary.pointer)
                    bank.value.bandWeights.apply(real.pointer, squares: output == .power, into: values)
                    continue
                }
                fourier.power(row: row, into: spectrum)
                if kind == .magnitude { takeRoots(count: fourier.bins) }
                bank.value.apply(spectrum, into: values)
            }
        case .musical(let fourier, let axis):
            for row in 0..<rows {
                let values = values + row * width
                fourier.power(row: row, into: spectrum)
                takeRoots(count: fourier.bins)
                axis.value.apply(spectrum, into: values)
                guard output == .power else { continue }
                // A parabola below 0 has no power.
                for bin in 0..<bins { values[bin] = max(values[bin], 0) * max(values[bin], 0) }
            }
        case .cosine(let fourier, let cosine, let first, let factor):
            for row in 0..<rows {
                fourier.coefficients(row: row, by: cosine.value, into: coefficients.pointer)
                coefficients.pointer[0] *= first
                keepCoefficients(factor, into: values + row * width)
            }
        case .otherCosine(let transform):
            for row in 0..<rows {
                transform.coefficients(row: row, into: coefficients.pointer)
                keepCoefficients(1, into: values + row * width)
            }
        case .samples(let input, let offset):
            for row in 0..<rows {
                let (source, values) = (input.pointer + row * rowStride + offset, values + row * width)
                for sample in 0..<bins { values[sample] = Float(source[sample]) }
            }
        case .lanes: break
        }
    }

    /// The coefficients, or their squares.
    private func keepCoefficients(_ factor: Float, into values: UnsafeMutablePointer<Float>) {
        let source = coefficients.pointer
        if factor != 1 { for bin in 0..<bins { source[bin] *= factor } }
        guard output == .power else { return values.update(from: source, count: bins) }
        for bin in 0..<bins { values[bin] = source[bin] * source[bin] }
    }

    /// Powers to magnitudes.
    private func takeRoots(count: Int) {
        let spectrum = spectrum.pointer
        for bin in 0..<count { spectrum[bin] = spectrum[bin].squareRoot() }
    }
}
