import FeatureModel

/// The rows of plans that keep double precision; the other ones have kernels for the same.
extension FrameTransform {
    /// The values of frames, at most `batch`, in double precision, in rows that are `width` values apart, and the energy of each, or 0.
    func exactValues(
        of frames: FrameRun, into values: UnsafeMutablePointer<Double>, width: Int,
        energies: UnsafeMutablePointer<Double>
    ) {
        var frames = frames
        var row = 0
        while frames.count > 0 {
            let group = frames.take(min(frames.count, groupRows))
            let sums = transform(group, into: values + row * width, width: width)
            for lane in 0..<group.count { energies[row + lane] = preparation.exactEnergy(sums[lane]) }
            row += group.count
        }
    }

    /// The values of a group, and the sums of squares of its lanes.
    private func transform(
        _ frames: FrameRun, into values: UnsafeMutablePointer<Double>, width: Int
    ) -> UnsafePointer<Double> {
        switch method {
        case .spectrum(let fourier, let loader, let spectrum):
            fourier.transform(frames, by: loader)
            store(spectrum, of: fourier, into: values, width: width, rows: frames.count)
            return loader.energies
        case .cosine(let cosine, let factors):
            cosine.transform(frames)
            cosine.store(columns: bins, into: values, width: width, rows: frames.count)
            for row in 0..<frames.count { scale(values + row * width, by: factors, squares: output == .power) }
            return cosine.energies
        case .samples:
            preconditionFailure("samples are single precision")
        }
    }

    private func store(
        _ spectrum: Spectrum, of fourier: LaneFFT, into values: UnsafeMutablePointer<Double>, width: Int, rows: Int
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
            fourier.store(second, columns: bins, into: values, width: width, rows: rows)
            guard output == .power else { return }
            for row in 0..<rows { square(values + row * width) }
        case .bands(let bank, let kind, let epsilon):
            fourier.powers(into: first)
            if kind == .magnitude {
                if epsilon > 0 { fourier.add(epsilon, to: first, count: fourier.bins) }
                fourier.takeExactRoots(first, count: fourier.bins)
            }
            fourier.bands(bank, of: first, into: second)
            fourier.store(second, columns: bins, into: values, width: width, rows: rows)
        case .musical(let axis):
            fourier.powers(into: first)
            fourier.takeExactRoots(first, count: fourier.bins)
            for row in 0..<rows {
                let target = values + row * width
                axis.apply(first.pointer + row, distance: fourier.groupLanes, into: target)
                guard output == .power else { continue }
                // A parabola below 0 has no power.
                for bin in 0..<bins { target[bin] = max(target[bin], 0) }
                square(target)
            }
        }
    }

    private func scale(_ row: UnsafeMutablePointer<Double>, by factors: CosineFactors, squares: Bool) {
        switch factors {
        case .all(let first, let factor):
            row[0] *= first
            for bin in 0..<bins { row[bin] *= factor }
        case .ends(let scaling): scaling.scaleEnds(row, count: bins)
        }
        if squares { square(row) }
    }

    private func square(_ row: UnsafeMutablePointer<Double>) {
        for bin in 0..<bins { row[bin] *= row[bin] }
    }
}
