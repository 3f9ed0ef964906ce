import FeatureModel
import Platform

extension MelScale {
    /// Where Slaney's scale turns from linear to logarithmic: 1000 Hz is 15 mel, 200/3 Hz a mel.
    private static let slaneyBreak = (hertz: 1000.0, mel: 15.0, hertzPerMel: 200.0 / 3)
    /// Above the break, 27 mel are a factor of 6.4.
    private static let slaneyStep = log(6.4) / 27

    /// The mel value of a frequency in Hz, 0 or more.
    ///
    /// Slaney: f · 3/200 below 1000 Hz, 15 + 27 · ln(f/1000)/ln 6.4 from there (Auditory Toolbox, 1998).
    /// HTK: 2595 · log₁₀(1 + f/700) (The HTK Book). Linear: f.
    public func mel(fromHertz frequency: Double) -> Double {
        switch self {
        case .linear: frequency
        case .htk: 2595 * log10(1 + frequency / 700)
        case .slaney:
            frequency < Self.slaneyBreak.hertz
                ? frequency / Self.slaneyBreak.hertzPerMel
                : Self.slaneyBreak.mel + log(frequency / Self.slaneyBreak.hertz) / Self.slaneyStep
        }
    }

    /// The frequency in Hz of a mel value, 0 or more: the inverse of `mel(fromHertz:)`.
    public func hertz(fromMel mel: Double) -> Double {
        switch self {
        case .linear: mel
        case .htk: 700 * (pow(10, mel / 2595) - 1)
        case .slaney:
            mel < Self.slaneyBreak.mel
                ? mel * Self.slaneyBreak.hertzPerMel
                : Self.slaneyBreak.hertz * exp(Self.slaneyStep * (mel - Self.slaneyBreak.mel))
        }
    }
}
