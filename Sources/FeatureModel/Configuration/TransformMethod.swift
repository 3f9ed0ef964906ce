/// What each frame is turned into.
public enum TransformMethod: Hashable, Sendable {
    /// Bins of the real Fourier transform.
    case fft(SpectrumConfiguration)
    /// The first `bins` coefficients of a discrete cosine transform; nil: all, fft_length.
    case dct(bins: Int?, type: CosineTransformType = .two, norm: CosineNormalization = .none)
    /// A bank of triangular filters over the real Fourier transform.
    case mel(MelConfiguration, deltas: DeltaConfiguration = .none)
    /// Mel-frequency cepstral coefficients.
    case mfcc(CepstrumConfiguration)
    /// Cepstral coefficients of bands evenly spaced in Hz.
    case lfcc(CepstrumConfiguration)
    /// A musical frequency axis over the magnitudes of the real Fourier transform.
    case musical(MusicalConfiguration)
    /// The samples of the frame themselves.
    case raw

    /// The name in a configuration.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// See the case of the same name in `TransformMethod`, all of them.
        case fft, dct, mel, mfcc, lfcc, musical, raw
    }

    /// Which transform it is.
    public var kind: Kind {
        switch self {
        case .fft: .fft
        case .dct: .dct
        case .mel: .mel
        case .mfcc: .mfcc
        case .lfcc: .lfcc
        case .musical: .musical
        case .raw: .raw
        }
    }

    /// The transform at a sample rate in Hz, with a number for an edge of half the rate; nil: the rate of the files.
    func resolved(at sampleRate: Double?) throws(ConfigurationError) -> TransformMethod {
        switch self {
        case .mel(let mel, let deltas): .mel(try mel.resolved(at: sampleRate), deltas: deltas)
        case .mfcc(let cepstrum): .mfcc(try cepstrum.resolved(at: sampleRate))
        case .lfcc(let cepstrum): .lfcc(try cepstrum.resolved(at: sampleRate))
        case .fft, .dct, .musical, .raw: self
        }
    }

    /// The filter bank; nil where the transform has none.
    public var bank: MelConfiguration? {
        switch self {
        case .mel(let mel, _): mel
        case .mfcc(let cepstrum), .lfcc(let cepstrum): cepstrum.bank
        case .fft, .dct, .musical, .raw: nil
        }
    }

    /// The cepstral coefficients; nil where the bands are the result.
    public var cepstrum: CepstrumConfiguration? {
        switch self {
        case .mfcc(let cepstrum), .lfcc(let cepstrum): cepstrum
        case .fft, .dct, .mel, .musical, .raw: nil
        }
    }

    /// The slopes over time.
    public var deltas: DeltaConfiguration {
        switch self {
        case .mel(_, let deltas): deltas
        case .mfcc(let cepstrum), .lfcc(let cepstrum): cepstrum.deltas
        case .fft, .dct, .musical, .raw: .none
        }
    }

    /// The number of values of a frame, without deltas, for frames of `frameLength` and transforms of `fftLength` samples, at a sample
    /// rate in Hz.
    ///
    /// - Throws: `ConfigurationError` for more than the transform has.
    public func bins(frameLength: Int, fftLength: Int, sampleRate: Double) throws(ConfigurationError) -> Int {
        let (asked, limit): (Int?, Int) =
            switch self {
            case .fft(let spectrum): (nil, try spectrum.count(fftLength: fftLength, sampleRate: sampleRate))
            case .dct(let bins, _, _): (bins, fftLength)
            case .mel(let mel, _): (mel.bins, mel.bins)
            case .mfcc(let cepstrum), .lfcc(let cepstrum): (cepstrum.bins, cepstrum.bins)
            case .musical(let musical): (musical.points, musical.points)
            case .raw: (frameLength, frameLength)
            }
        if case .dct(_, .one, _) = self, fftLength < 2 {
            throw .invalidValue(
                key: "frame.fft_length", found: "\(fftLength)", expected: "at least 2 for a DCT of type 1")
        }
        let bins = asked ?? limit
        try require(
            (1...limit).contains(bins), "transform.bins", found: "\(bins)",
            expected: "null or 1 to \(limit), what a transform of \(fftLength) samples has")
        return bins
    }
}

extension TransformMethod {
    /// What the values are, in words.
    public var longName: String {
        let slopes = ["", " with deltas", " with deltas and delta-deltas"][deltas.order]
        return switch self {
        case .fft: "spectrogram (real FFT)"
        case .dct(_, let type, _): "spectrogram (DCT-\(["I", "II", "III", "IV"][type.rawValue - 1]))"
        case .mel(let mel, _): mel.scale == .linear ? "linear filter bank" + slopes : "mel spectrogram" + slopes
        case .mfcc: "mel-frequency cepstral coefficients" + slopes
        case .lfcc: "linear-frequency cepstral coefficients" + slopes
        case .musical: "musical spectrum"
        case .raw: "waveform"
        }
    }
}

/// The four usual types of discrete cosine transform, by their numbers.
///
/// N is the number of samples x and of coefficients X; k, n = 0 … N−1. Each sum is half of what SciPy's
/// `scipy.fft.dct(x, type, norm=None)` and FFTW's r2r transforms give.
public enum CosineTransformType: Int, CaseIterable, Codable, Sendable {
    /// X[k] = ½ (x[0] + (−1)ᵏ x[N−1]) + Σ x[n] cos(πnk/(N−1)), the sum over n = 1 … N−2; needs two samples.
    case one = 1
    /// X[k] = Σ x[n] cos(πk(n + ½)/N). "The" cosine transform.
    case two = 2
    /// X[k] = ½ x[0] + Σ x[n] cos(πn(k + ½)/N), the sum over n = 1 … N−1. The inverse of type 2, except for a factor.
    case three = 3
    /// X[k] = Σ x[n] cos(π(2n + 1)(2k + 1)/4N).
    case four = 4

    /// The type of the inverse, except for a factor.
    public var inverse: CosineTransformType {
        switch self {
        case .one: .one
        case .two: .three
        case .three: .two
        case .four: .four
        }
    }

    /// The minimum number of samples.
    public var minimumLength: Int { self == .one ? 2 : 1 }
}

/// How the coefficients of a cosine transform are scaled.
public enum CosineNormalization: String, CaseIterable, Codable, Sendable {
    /// Unscaled: the sums of `CosineTransformType`.
    case none
    /// An orthogonal transform, which keeps the energy: `norm="ortho"` of `scipy.fft.dct`.
    ///
    /// The sums times √(2/N), with X[0] divided by √2 in type 2 and x[0] multiplied by √2 in type 3. In type 1, times
    /// √(2/(N−1)), the first and last sample multiplied and the first and last coefficient divided by √2.
    case ortho
}
