/// What brings recordings to the rate of features: a library, or the filter of another program, computed by Veery itself.
///
/// Resamplers differ by more than all else that front ends do: in the bands near half of the lower rate, and in how long they
/// are.
public enum ResamplingMethod: String, CaseIterable, Codable, Sendable {
    /// libsoxr's high quality, 20 bits.
    case soxrHQ = "soxr-hq"
    /// libsoxr's very high quality, 28 bits.
    case soxrVHQ = "soxr-vhq"
    /// libsoxr's medium quality, 16 bits.
    case soxrMQ = "soxr-mq"
    /// `torchaudio.functional.resample` with its defaults, which has Kaldi's filter: a sinc of six zeros under a Hann window.
    case torchaudio
    /// resampy 0.4's `kaiser_best`: a sinc of 50 zeros.
    case kaiserBest = "kaiser_best"
    /// resampy 0.4's `kaiser_fast`: a sinc of 24 zeros.
    case kaiserFast = "kaiser_fast"
    /// `scipy.signal.resample_poly` with its defaults: a sinc of ten zeros.
    case polyphase

    /// Whether libsoxr computes it.
    public var isSoxr: Bool {
        switch self {
        case .soxrHQ, .soxrVHQ, .soxrMQ: true
        case .torchaudio, .kaiserBest, .kaiserFast, .polyphase: false
        }
    }
}
