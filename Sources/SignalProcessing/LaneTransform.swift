import FeatureModel

/// Transforms a batch of frames by `LaneFFT`: what `FrameTransform` does for lengths that have one.
///
/// Powers, roots and bands stay in lanes, and in double precision; rows are made of the results.
final class LaneTransform {
    private enum Method {
        case fourier(step: Int)
        case complex(step: Int)
        case bank(BandWeights, SpectrumKind)
        case musical(MusicalAxis)
        /// DCT-II; `first` and `factor` scale the coefficients.
        case cosine(CosineTurns, first: Float, factor: Float)
    }

    let fourier: LaneFFT
    /// Whether the result is a power, not an amplitude; of a cosine transform or a musical axis.
    private let squares: Bool
    private let bins: Int
    private let method: Method
    /// Numbers of a group in lanes: powers, or the first of two results.
    private let first: DoubleBuffer
    /// Bands, or imaginary parts.
    private let second: DoubleBuffer
    /// Imaginary parts that are not used.
    private let third: DoubleBuffer
    /// The magnitudes of a group in rows, for a musical axis.
    private let magnitudes: AlignedBuffer

    /// Whether a plan's transform has these loops.
    static func serves(_ plan: FeaturePlan) -> Bool {
        serves(plan.configuration.transform, fftLength: plan.geometry.fftLength)
    }

    static func serves(_ transform: TransformConfiguration, fftLength: Int) -> Bool {
        switch transform {
        case .raw: return false
        case .dct(_, let type, _) where type != .two: return false
        default: return LaneFFT.serves(length: fftLength)
        }
    }

    /// - Parameters:
    ///   - squares: Whether amplitudes are squared.
    ///   - window: The window of the frames, and what comes before it.
    /// - Throws: `SignalError` where memory runs out.
    init(_ plan: FeaturePlan, squares: Bool, window: LaneWindow) throws(SignalError) {
        let fftLength = plan.geometry.fftLength
        let configuration = plan.configuration
        self.squares = squares
        bins = plan.spectrumBins
        fourier = try LaneFFT(length: fftLength, window: window)
        var (firstCount, secondCount, thirdCount, magnitudeCount) = (fourier.bins, 0, 0, 0)
        switch configuration.transform {
        case .fft(_, let step):
            let isComplex = configuration.scale.kind == .complex
            method = isComplex ? .complex(step: step) : .fourier(step: step)
            if isComplex { secondCount = fourier.bins }
        case .dct(_, _, let norm):
            let isOrthogonal = norm == .ortho
            method = .cosine(
                CosineTurns(length: fftLength), first: isOrthogonal ? Float(0.5.squareRoot()) : 1,
                factor: isOrthogonal ? Float((2 / Double(fftLength)).squareRoot()) : 1)
            firstCount = fftLength
        case .musical(let musical):
            method = .musical(MusicalAxis(musical, fftLength: fftLength, sampleRate: plan.sampleRate))
            magnitudeCount = fourier.bins * fourier.groupRows
        case .raw: preconditionFailure("samples have no transform")
        case .mel, .mfcc, .lfcc:
            guard let bank = plan.filterBank, let kind = configuration.transform.bank?.spectrum else {
                preconditionFailure("a plan of bands has a filter bank")
            }
            method = .bank(bank.bandWeights, kind)
            secondCount = bank.bands
            if kind == .real { thirdCount = fourier.bins }
        }
        first = try fourier.buffer(count: firstCount)
        second = try fourier.buffer(count: secondCount)
        third = try fourier.buffer(count: thirdCount)
        magnitudes = try AlignedBuffer(count: magnitudeCount)
    }

    /// The values of frames, in rows that are `width` values apart, and the energy of each; 0 where it is not measured.
    func values(
        of frames: FrameRun, into values: UnsafeMutablePointer<Float>, width: Int, energy: (Int, Double) -> Void
    ) {
        var frames = frames
        var row = 0
        while frames.count > 0 {
            let part = frames.take(min(frames.count, fourier.groupRows))
            fourier.transform(part)
            for lane in 0..<part.count { energy(row + lane, fourier.energies[lane]) }
            group(rows: part.count, into: values + row * width, width: width)
            row += part.count
        }
    }

    private func group(rows: Int, into values: UnsafeMutablePointer<Float>, width: Int) {
        switch method {
        case .fourier(let step):
            fourier.powers(into: first)
            fourier.store(first, step: step, columns: bins, into: values, width: width, rows: rows)
        case .complex(let step):
            fourier.spectra(real: first, imaginary: second)
            fourier.store(first, step: step, columns: bins / 2, into: values, width: width, rows: rows)
            fourier.store(second, step: step, columns: bins / 2, into: values + bins / 2, width: width, rows: rows)
        case .bank(let bank, .real):
            fourier.spectra(real: first, imaginary: third)
            fourier.bands(bank, of: first, into: second)
            fourier.store(second, columns: bins, squares: squares, into: values, width: width, rows: rows)
        case .bank(let bank, let kind):
            fourier.powers(into: first)
            if kind == .magnitude { fourier.takeRoots(first, count: fourier.bins) }
            fourier.bands(bank, of: first, into: second)
            fourier.store(second, columns: bins, into: values, width: width, rows: rows)
        case .musical(let axis):
            fourier.powers(into: first)
            fourier.takeRoots(first, count: fourier.bins)
            let magnitudes = magnitudes.pointer
            fourier.store(first, columns: fourier.bins, into: magnitudes, width: fourier.bins, rows: rows)
            for row in 0..<rows {
                let target = values + row * width
                axis.apply(magnitudes + row * fourier.bins, into: target)
                guard squares else { continue }
                // A parabola below 0 has no power.
                for bin in 0..<bins { target[bin] = max(target[bin], 0) * max(target[bin], 0) }
            }
        case .cosine(let turns, let firstFactor, let factor):
            fourier.coefficients(turns, into: first)
            let isUnscaled = firstFactor == 1 && factor == 1
            fourier.store(
                first, columns: bins, squares: squares && isUnscaled, into: values, width: width, rows: rows)
            guard !isUnscaled else { return }
            for row in 0..<rows {
                let target = values + row * width
                target[0] *= firstFactor
                for bin in 0..<bins { target[bin] *= factor }
                if squares { for bin in 0..<bins { target[bin] *= target[bin] } }
            }
        }
    }
}

extension FeaturePlan {
    /// The project's own transform, `lanes 1`, if it computes the rows: their bits do not depend on the processor then. Nil: FFTW
    /// computes them.
    package var ownTransform: String? { LaneTransform.serves(self) ? ownTransformVersion() : nil }

    /// Whether FFTW computes anything: rows, or the pages of the equaliser.
    package var usesFFTW: Bool { Self.usesFFTW(configuration, fftLength: geometry.fftLength) }

    /// The same of a configuration.
    package static func usesFFTW(_ configuration: FeatureConfiguration, fftLength: Int) -> Bool {
        let transform = configuration.transform
        return configuration.condition.dctFilter != nil
            || (transform != .raw && !LaneTransform.serves(transform, fftLength: fftLength))
    }
}

/// The name and number of the project's own transform.
public func ownTransformVersion() -> String { LaneFFT.version }

/// The instructions of the innermost loops: sse2, avx2, avx512, or baseline.
public func instructionSet() -> String { String(cString: Kernels.best.pointee.name) }
