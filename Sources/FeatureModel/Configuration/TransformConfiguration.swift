/// What each frame is turned into.
public enum TransformConfiguration: Hashable, Sendable {
    /// Of the first `bins` bins of the real Fourier transform, from 0 Hz up, every `step`-th; nil: of all, fft_length/2 + 1.
    case fft(bins: Int?, step: Int = 1)
    /// The first `bins` coefficients of a discrete cosine transform; nil: all, fft_length.
    case dct(bins: Int?, type: CosineTransformType = .two, norm: CosineNormalization = .none)
    /// A bank of triangular filters over the real Fourier transform.
    case mel(MelConfiguration, deltas: DeltaConfiguration = .none)
    /// Mel-frequency cepstral coefficients.
    case mfcc(CepstrumConfiguration)
    /// Cepstral coefficients of bands that are evenly spaced in Hz.
    case lfcc(CepstrumConfiguration)
    /// A musical frequency axis over the magnitudes of the real Fourier transform.
    case musical(MusicalConfiguration)

    /// The name in a configuration.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// See the case of the same name in `TransformConfiguration`, all of them.
        case fft, dct, mel, mfcc, lfcc, musical
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
        }
    }

    /// The transform at a sample rate in Hz, with a number for an edge of half of it; nil: the files' own.
    func resolved(at sampleRate: Double?) throws(ConfigurationError) -> TransformConfiguration {
        switch self {
        case .mel(let mel, let deltas): .mel(try mel.resolved(at: sampleRate), deltas: deltas)
        case .mfcc(let cepstrum): .mfcc(try cepstrum.resolved(at: sampleRate))
        case .lfcc(let cepstrum): .lfcc(try cepstrum.resolved(at: sampleRate))
        case .fft, .dct, .musical: self
        }
    }

    /// The filter bank; nil where the transform has none.
    public var bank: MelConfiguration? {
        switch self {
        case .mel(let mel, _): mel
        case .mfcc(let cepstrum), .lfcc(let cepstrum): cepstrum.bank
        case .fft, .dct, .musical: nil
        }
    }

    /// The coefficients that are made of the bands; nil where the bands are the result.
    public var cepstrum: CepstrumConfiguration? {
        switch self {
        case .mfcc(let cepstrum), .lfcc(let cepstrum): cepstrum
        case .fft, .dct, .mel, .musical: nil
        }
    }

    /// The slopes over time.
    public var deltas: DeltaConfiguration {
        switch self {
        case .mel(_, let deltas): deltas
        case .mfcc(let cepstrum), .lfcc(let cepstrum): cepstrum.deltas
        case .fft, .dct, .musical: .none
        }
    }

    /// The number of values a frame becomes, deltas left out, for transforms of `fftLength` samples.
    ///
    /// - Throws: `ConfigurationError` where more are asked for than the transform has.
    public func bins(fftLength: Int) throws(ConfigurationError) -> Int {
        if case .fft(_, let step) = self, !(1...Self.greatestStep).contains(step) {
            throw .invalidValue(
                key: "transform.step", found: "\(step)", expected: "a whole number from 1 to \(Self.greatestStep)")
        }
        let (asked, most): (Int?, Int) =
            switch self {
            case .fft(let bins, _): (bins, fftLength / 2 + 1)
            case .dct(let bins, _, _): (bins, fftLength)
            case .mel(let mel, _): (mel.bins, mel.bins)
            case .mfcc(let cepstrum), .lfcc(let cepstrum): (cepstrum.bins, cepstrum.bins)
            case .musical(let musical): (musical.points, musical.points)
            }
        if case .dct(_, .one, _) = self, fftLength < 2 {
            throw .invalidValue(
                key: "frame.fft_length", found: "\(fftLength)", expected: "at least 2 for a DCT of type 1")
        }
        let bins = asked ?? most
        guard (1...most).contains(bins) else {
            throw .invalidValue(
                key: "transform.bins", found: "\(bins)",
                expected: "null or 1 to \(most), what a transform of \(fftLength) samples has")
        }
        if case .fft(_, let step) = self { return (bins + step - 1) / step }
        return bins
    }
}

extension TransformConfiguration {
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
        }
    }
}
