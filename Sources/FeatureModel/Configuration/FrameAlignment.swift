/// Where the frames lie on the signal.
public enum FrameAlignment: String, CaseIterable, Codable, Sendable {
    /// Frame i begins at sample i · hop; only whole frames count: 1 + ⌊(samples − length) / hop⌋ of them.
    case start
    /// The middle of frame i lies at sample i · hop; the signal is continued past its ends by `EdgePadding`.
    ///
    /// There are 1 + ⌊samples / hop⌋ frames when `fft_length` is even, as in librosa and torchaudio.
    case center
}
