/// Where the frames lie on the signal.
public enum FrameAlignment: String, CaseIterable, Codable, Sendable {
    /// Frame i begins at sample i · hop; only whole frames count: 1 + ⌊(samples − length) / hop⌋ of them.
    ///
    /// The same as Kaldi's `--snip-edges=true`.
    case start
    /// The middle of frame i lies at sample i · hop; the signal is continued past its ends by `EdgePadding`.
    ///
    /// There are 1 + ⌊samples / hop⌋ frames when `fft_length` is even, as in librosa and torchaudio.
    case center
    /// The middle of frame i lies at sample (i + ½) · hop; the signal is mirrored past its ends, its first and last sample
    /// repeated: … x₁ x₀ | x₀ x₁ …
    ///
    /// There are ⌊(samples + hop/2) / hop⌋ frames: Kaldi's `--snip-edges=false`.
    case kaldi
}
