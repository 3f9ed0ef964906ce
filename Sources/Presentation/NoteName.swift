import FeatureModel

/// A note of the equal temperament and its name.
package struct NoteName: Hashable, Sendable {
    /// Semitones above C of octave −1, as in MIDI: A4 is 69.
    package let number: Int
    /// How far a frequency lies above the note, in hundredths of a semitone: −50 … 50.
    package let cents: Int

    /// - Parameter tuning: The frequency of A4 in hertz, more than 0.
    package init(hertz: Double, tuning: Double) {
        let exact = Self.number(hertz: hertz, tuning: tuning)
        number = Int(exact.rounded())
        cents = Int(((exact - exact.rounded()) * 100).rounded())
    }

    package init(number: Int) {
        self.number = number
        cents = 0
    }

    /// The number of a frequency, with its fraction of a semitone; both frequencies are more than 0 Hz.
    package static func number(hertz: Double, tuning: Double) -> Double { 69 + 12 * logarithm2(hertz / tuning) }

    /// The note's frequency in hertz where A4 has `tuning` Hz.
    package func frequency(tuning: Double) -> Double { MusicalPitch.note(number, name: text).frequency(tuning: tuning) }

    /// Semitones above the C of its octave, 0 … 11.
    package var semitone: Int { (number % 12 + 12) % 12 }

    /// `C`, `F#`
    package var letter: String { MusicalPitch.letters[semitone] }

    /// The octave, 4 for A4.
    package var octave: Int { (number - semitone) / 12 - 1 }

    /// As a configuration has it: `A4`, `C#-1`
    package var text: String { letter + "\(octave)" }

    /// As it is printed: `A4`, `C♯−1`
    package var printed: String { text.replacing("#", with: "♯").replacing("-", with: "\u{2212}") }
}

/// The logarithm to base 2 of a positive number, within an ulp or two: this module has no mathematics library.
///
/// log₂ m = 2 artanh(s) / ln 2 with s = (m − 1) / (m + 1). For m from √½ to √2, |s| is below 0.172, and the terms of the series
/// sⁿ / n fall below 10⁻¹⁸ after n = 23.
private func logarithm2(_ number: Double) -> Double {
    let isLarge = number.significand > 1.414_213_562_373_095_1
    let significand = isLarge ? number.significand / 2 : number.significand
    let s = (significand - 1) / (significand + 1)
    var sum = 0.0
    for n in stride(from: 23, through: 1, by: -2) { sum = sum * s * s + 1 / Double(n) }
    return Double(number.exponent) + (isLarge ? 1 : 0) + 2 * s * sum * 1.442_695_040_888_963_4
}
