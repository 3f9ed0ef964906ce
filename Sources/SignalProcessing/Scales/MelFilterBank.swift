import FeatureModel
import Numerics

/// A bank of overlapping triangular filters over the bins of a spectrum.
///
/// Band b rises from the corner b to 1 (before normalisation) at the corner b + 1 and falls to 0 at the corner b + 2,
/// the corners being evenly spaced in mel from `low` to `high`. The sides are straight in Hz as in `librosa.filters.mel`
/// and `torchaudio.functional.melscale_fbanks`, or in mel as in HTK's and Kaldi's banks. Symmetric ones are straight in Hz and
/// reach 0 as far above the corner b + 1 as the corner b is below it, as in SpeechBrain's `Filterbank`. A `FrequencyWarp` moves the
/// corners first.
public struct MelFilterBank: Sendable {
    /// Number of bands.
    public let bands: Int
    /// Number of bins of the power spectrum: fft_length/2 + 1.
    public let spectrumBins: Int
    /// The frequency of each band's peak in the signal, in Hz; rising, or falling as `MelConfiguration.order` says.
    public let centers: [Double]
    /// Bands between two bins of the spectrum, which are always 0.
    public let emptyBands: [Int]

    /// The weights, as the loops take them.
    let bandWeights: BandWeights

    /// Computes the weights in double precision.
    ///
    /// - Parameters:
    ///   - mel: The bank.
    ///   - fftLength: Length of the transform in samples.
    ///   - sampleRate: In Hz.
    public init(_ mel: MelConfiguration, fftLength: Int, sampleRate: Double) {
        self.init(mel, fftLength: fftLength, sampleRate: sampleRate, isExact: false)
    }

    /// - Parameter isExact: Whether the weights remain in double precision; those of real parts always do.
    init(_ mel: MelConfiguration, fftLength: Int, sampleRate: Double, isExact: Bool) {
        bands = mel.bins
        spectrumBins = fftLength / 2 + 1
        func axis(_ frequency: Double) -> Double {
            mel.triangles == .mel ? mel.scale.mel(fromHertz: frequency) : frequency
        }
        let low = mel.scale.mel(fromHertz: mel.low)
        // A bank of another rate has its bands at the same bins, so at other frequencies of the signal.
        let rate = mel.rate ?? sampleRate
        let high = mel.scale.mel(fromHertz: mel.high ?? rate / 2)
        let step = (high - low) / Double(mel.bins + 1)
        let even = (0...mel.bins + 1).map { mel.scale.hertz(fromMel: low + Double($0) * step) }
        let warp = mel.warp.pieces(from: mel.low, to: mel.high ?? rate / 2, nyquist: rate / 2)
        let corners = warp.map { warp in even.map { warp($0) } } ?? even
        let isDescending = mel.order == .descending
        let peaks = rate == sampleRate ? corners : corners.map { $0 * (sampleRate / rate) }
        centers = isDescending ? peaks[1...mel.bins].reversed() : Array(peaks[1...mel.bins])

        var exact: [(first: Int, weights: [Double])] = []
        var emptyBands: [Int] = []
        let binWidth = rate / Double(fftLength)
        for band in 0..<mel.bins {
            let (left, center) = (corners[band], corners[band + 1])
            let right = mel.triangles == .symmetric ? 2 * center - left : corners[band + 2]
            let (rise, peak, fall) = (axis(left), axis(center), axis(right))
            let norm = mel.norm == .slaney ? 2 / (right - left) : 1
            let first = min(max(Int(left / binWidth), 0), spectrumBins - 1)
            let last = min(Int(right / binWidth) + 1, spectrumBins - 1)
            let triangle = (first...max(first, last)).map { bin in
                let position = axis(Double(bin) * binWidth)
                return max(0, min((position - rise) / (peak - rise), (fall - position) / (fall - peak))) * norm
            }
            let used = triangle.indices.filter { triangle[$0] > 0 }
            guard let start = used.first, let end = used.last else {
                emptyBands.append(isDescending ? mel.bins - 1 - band : band)
                exact.append((0, []))
                continue
            }
            exact.append((first + start, Array(triangle[start...end])))
        }
        if isDescending { exact.reverse() }
        // Real parts of either sign cancel each other, and rounded weights would show in what is left.
        bandWeights =
            mel.spectrum == .real || isExact
            ? BandWeights(exact) : BandWeights(exact.map { (first: $0.first, weights: $0.weights.map { Float($0) }) })
        self.emptyBands = emptyBands.sorted()
    }

    /// The weight of a bin of the spectrum in a band.
    ///
    /// - Complexity: O(band).
    public func weight(band: Int, bin: Int) -> Float {
        let offset = bin - Int(bandWeights.first[band])
        guard (0..<Int(bandWeights.counts[band])).contains(offset) else { return 0 }
        let start = bandWeights.counts[..<band].reduce(0) { $0 + Int($1) }
        return Float(bandWeights.weights[start + offset])
    }
}

extension MelScale {
    /// The break of Slaney's scale from linear to logarithmic: 1000 Hz is 15 mel, 200/3 Hz a mel.
    private static let slaneyBreak = (hertz: 1000.0, mel: 15.0, hertzPerMel: 200.0 / 3)
    /// Above the break, 27 mel are a factor of 6.4.
    private static let slaneyStep = PortableMath.log(6.4) / 27

    /// The mel value of a frequency in Hz, 0 or more.
    ///
    /// Slaney: f · 3/200 below 1000 Hz, 15 + 27 · ln(f/1000)/ln 6.4 from there (Auditory Toolbox, 1998).
    /// HTK: 2595 · log₁₀(1 + f/700) (The HTK Book). Linear: f.
    public func mel(fromHertz frequency: Double) -> Double {
        switch self {
        case .linear: frequency
        case .htk: 2595 * PortableMath.log10(1 + frequency / 700)
        case .slaney:
            frequency < Self.slaneyBreak.hertz
                ? frequency / Self.slaneyBreak.hertzPerMel
                : Self.slaneyBreak.mel + PortableMath.log(frequency / Self.slaneyBreak.hertz) / Self.slaneyStep
        }
    }

    /// The frequency in Hz of a mel value, 0 or more: the inverse of `mel(fromHertz:)`.
    public func hertz(fromMel mel: Double) -> Double {
        switch self {
        case .linear: mel
        case .htk: 700 * (PortableMath.power10(mel / 2595) - 1)
        case .slaney:
            mel < Self.slaneyBreak.mel
                ? mel * Self.slaneyBreak.hertzPerMel
                : Self.slaneyBreak.hertz * PortableMath.exp(Self.slaneyStep * (mel - Self.slaneyBreak.mel))
        }
    }
}
