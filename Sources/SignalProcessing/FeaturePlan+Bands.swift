import FeatureModel

extension FeaturePlan {
    /// The weights of the bands, or of the points of a musical axis, as they are used: in the order of the columns, before cepstra
    /// and slopes. Nil: values are single bins, coefficients or samples.
    package var bands: [SpectrumBand]? {
        if case .musical(let musical) = configuration.transform.method {
            return MusicalAxis(musical, fftLength: geometry.fftLength, sampleRate: sampleRate).bands
        }
        guard let filterBank else { return nil }
        let rows = filterBank.bandWeights
        var start = 0
        return rows.first.indices.map { band in
            let count = Int(rows.counts[band])
            defer { start += count }
            return SpectrumBand(
                center: filterBank.centers[band], firstBin: Int(rows.first[band]),
                weights: Array(rows.weights[start..<start + count]))
        }
    }

    /// The coefficients that the samples of a frame are multiplied by.
    package var windowCoefficients: [Double] { window }
}
