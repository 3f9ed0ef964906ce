import FeatureModel

/// Transforms a batch of frames to powers, or amplitudes, the input of a scale.
///
/// Frames are prepared and multiplied by the window first. Powers, roots and bands stay in lanes, and in double precision; rows are
/// made of the results, in the precision of their type. Nothing is allocated after `init`. Not safe to use from two threads at once.
final class FrameTransform {
    enum Method {
        case spectrum(LaneFFT, LaneLoader, Spectrum)
        case cosine(LaneCosine, CosineFactors)
        /// The samples themselves.
        case samples(LaneLoader)
    }

    /// What a row has of a spectrum.
    enum Spectrum {
        case powers(first: Int, step: Int)
        case parts(first: Int, step: Int)
        case bands(BandWeights, SpectrumKind, epsilon: Double)
        case musical(MusicalAxis)
    }

    /// What scales the coefficients of a cosine transform in rows.
    enum CosineFactors {
        /// Type 2: the first coefficient, and all.
        case all(first: Double, factor: Double)
        /// The other types, whose samples have factors, too.
        case ends(CosineScaling)

        var areOne: Bool {
            switch self {
            case .all(let first, let factor): first == 1 && factor == 1
            case .ends(let scaling): scaling.first == 1 && scaling.last == 1
            }
        }
    }

    /// Values in a row.
    let bins: Int
    /// Rows per call, at most.
    let batch: Int
    let output: PowerScale.Input

    let method: Method
    let preparation: FramePreparation
    /// Frames that are transformed at a time, at most.
    let groupRows: Int
    /// Numbers of a group in lanes: powers, or the first of two results.
    let first: DoubleBuffer
    /// Bands, imaginary parts, or the magnitudes of a group in rows, of their type, for a musical axis.
    let second: DoubleBuffer
    /// Imaginary parts that are not used.
    let third: DoubleBuffer

    /// - Throws: `SignalError.outOfMemory`; of FFTW, `.noPlan`.
    init(_ plan: FeaturePlan) throws(SignalError) {
        let configuration = plan.configuration
        let engine = configuration.transform.engine
        let fftLength = plan.geometry.fftLength
        bins = plan.spectrumBins
        output = Self.output(configuration)
        preparation = FramePreparation(plan, inputFactor: LaneFFT.inputFactor(length: fftLength))
        let offset = plan.placement.transformOffset(plan.geometry)
        let factor = Double(configuration.audio.scale.factor)
        let steps = preparation.steps
        func window(_ weights: [Double], offset: Int) -> LaneWindow {
            LaneWindow(preparation: steps, weights: weights.map { $0 * factor }, offset: offset)
        }
        var (firstCount, secondCount, thirdCount) = (0, 0, 0)
        switch configuration.transform.method {
        case .dct(_, let type, let norm):
            let scaling = CosineScaling(type, length: fftLength, type == .two ? .none : norm)
            let factors: CosineFactors =
                if type != .two {
                    .ends(scaling)
                } else if norm == .ortho {
                    .all(first: 0.5.squareRoot(), factor: (2 / Double(fftLength)).squareRoot())
                } else {
                    .all(first: 1, factor: 1)
                }
            let weights = plan.window.enumerated().map { $1 * scaling.weights[offset + $0] }
            let cosine = try LaneCosine(
                type: type, length: fftLength, window: window(weights, offset: offset), engine: engine)
            method = .cosine(cosine, factors)
            groupRows = cosine.groupRows
        case .raw:
            let loops = LaneLoops(length: bins)
            method = .samples(try LaneLoader(window(plan.window, offset: 0), length: bins, step: 1, loops))
            (groupRows, firstCount) = (loops.groupRows, bins)
        default:
            let fourier = try LaneFFT(length: fftLength, engine: engine)
            let spectrum = Self.spectrum(plan)
            groupRows = fourier.groupRows
            firstCount = fourier.bins
            switch spectrum {
            case .powers: break
            case .parts, .musical: secondCount = fourier.bins
            case .bands(let bank, let kind, _):
                secondCount = bank.first.count
                if kind == .real { thirdCount = fourier.bins }
            }
            let weights = plan.window.map { $0 * fourier.inputFactor }
            method = .spectrum(fourier, try fourier.loader(window(weights, offset: offset)), spectrum)
        }
        batch = fftLength > LaneLoops.maximumWideLength ? groupRows : LaneFFT.rows
        first = try DoubleBuffer(count: firstCount * groupRows)
        second = try DoubleBuffer(count: secondCount * groupRows)
        third = try DoubleBuffer(count: thirdCount * groupRows)
    }

    private static func spectrum(_ plan: FeaturePlan) -> Spectrum {
        let transform = plan.configuration.transform
        if case .fft(let spectrum) = transform.method {
            let first = spectrum.first(fftLength: plan.geometry.fftLength, sampleRate: plan.sampleRate)
            return plan.configuration.scale.kind == .complex
                ? .parts(first: first, step: spectrum.step) : .powers(first: first, step: spectrum.step)
        }
        if case .musical(let musical) = transform.method {
            let length = plan.geometry.fftLength
            return .musical(MusicalAxis(musical, fftLength: length, sampleRate: plan.sampleRate))
        }
        guard let bank = plan.filterBank, let mel = transform.bank else {
            preconditionFailure("a plan of bands has a filter bank")
        }
        return .bands(bank.bandWeights, mel.spectrum, epsilon: mel.epsilon)
    }

    /// A musical point is an amplitude, which may be negative, as is a band of real parts; both are stored as such only as a
    /// magnitude.
    private static func output(_ configuration: FeatureConfiguration) -> PowerScale.Input {
        let kind = configuration.scale.kind
        let isMusical = configuration.transform.kind == .musical
        let isSigned = isMusical || configuration.transform.bank?.spectrum == .real
        return kind == .linear || kind == .complex || isSigned && kind == .magnitude ? .amplitude : .power
    }

    /// The values of frames, at most `batch`, in rows that are `width` values apart, and the energy of each, or 0.
    func values<Number: RowNumber>(
        of frames: FrameRun, into values: UnsafeMutablePointer<Number>, width: Int,
        energies: UnsafeMutablePointer<Number>
    ) {
        var frames = frames
        var row = 0
        while frames.count > 0 {
            let group = frames.take(min(frames.count, groupRows))
            let sums = transform(group, into: values + row * width, width: width)
            for lane in 0..<group.count { energies[row + lane] = Number(preparation.energy(sums[lane])) }
            row += group.count
        }
    }

    /// The values of a group, and the sums of squares of its lanes.
    private func transform<Number: RowNumber>(
        _ frames: FrameRun, into values: UnsafeMutablePointer<Number>, width: Int
    ) -> UnsafePointer<Double> {
        switch method {
        case .spectrum(let fourier, let loader, let spectrum):
            fourier.transform(frames, by: loader)
            store(spectrum, of: fourier, into: values, width: width, rows: frames.count)
            return loader.energies
        case .cosine(let cosine, let factors):
            cosine.transform(frames)
            let squares = output == .power
            cosine.store(
                columns: bins, squares: squares && factors.areOne, into: values, width: width, rows: frames.count)
            guard !factors.areOne else { return cosine.energies }
            for row in 0..<frames.count { scale(values + row * width, by: factors, squares: squares) }
            return cosine.energies
        case .samples(let loader):
            loader.load(frames, into: first)
            loader.store(first, columns: bins, into: values, width: width, rows: frames.count)
            return loader.energies
        }
    }

    private func store<Number: RowNumber>(
        _ spectrum: Spectrum, of fourier: LaneFFT, into values: UnsafeMutablePointer<Number>, width: Int, rows: Int
    ) {
        switch spectrum {
        case .powers(let lowest, let step):
            fourier.powers(into: first)
            fourier.store(first, from: lowest, step: step, columns: bins, into: values, width: width, rows: rows)
        case .parts(let lowest, let step):
            fourier.spectra(real: first, imaginary: second)
            fourier.store(first, from: lowest, step: step, columns: bins / 2, into: values, width: width, rows: rows)
            fourier.store(
                second, from: lowest, step: step, columns: bins / 2, into: values + bins / 2, width: width, rows: rows)
        case .bands(let bank, .real, _):
            fourier.spectra(real: first, imaginary: third)
            fourier.bands(bank, of: first, into: second)
            fourier.store(second, columns: bins, squares: output == .power, into: values, width: width, rows: rows)
        case .bands(let bank, let kind, let epsilon):
            fourier.powers(into: first)
            if kind == .magnitude {
                if epsilon > 0 { fourier.add(epsilon, to: first, count: fourier.bins) }
                fourier.takeRoots(first, count: fourier.bins, as: Number.self)
            }
            fourier.bands(bank, of: first, into: second)
            fourier.store(second, columns: bins, into: values, width: width, rows: rows)
        case .musical(let axis):
            fourier.powers(into: first)
            fourier.takeRoots(first, count: fourier.bins, as: Number.self)
            let magnitudes = UnsafeMutableRawPointer(second.pointer).bindMemory(to: Number.self, capacity: second.count)
            fourier.store(first, columns: fourier.bins, into: magnitudes, width: fourier.bins, rows: rows)
            axis.apply(magnitudes, distance: fourier.bins, into: values, width: width, rows: rows)
            guard output == .power else { return }
            for row in 0..<rows {
                let target = values + row * width
                // A parabola below 0 has no power.
                for bin in 0..<bins { target[bin] = max(target[bin], 0) }
                square(target)
            }
        }
    }

    private func scale<Number: RowNumber>(
        _ row: UnsafeMutablePointer<Number>, by factors: CosineFactors, squares: Bool
    ) {
        switch factors {
        case .all(let first, let factor):
            let factor = Number(factor)
            row[0] *= Number(first)
            for bin in 0..<bins { row[bin] *= factor }
        case .ends(let scaling): scaling.scaleEnds(row, count: bins)
        }
        if squares { square(row) }
    }

    private func square<Number: RowNumber>(_ row: UnsafeMutablePointer<Number>) {
        for bin in 0..<bins { row[bin] *= row[bin] }
    }
}
