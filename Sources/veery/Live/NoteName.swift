import Foundation

/// The names of notes.
struct NoteName: Hashable {
    /// Semitones above C of octave -1: A4 is 69.
    let number: Int
    /// How far a frequency lies above the note, in hundredths of a semitone: -50 … 50.
    let cents: Int

    private static let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]

    /// The note nearest to a frequency.
    ///
    /// - Parameters:
    ///   - hertz: More than 0.
    ///   - tuning: The frequency of A4, more than 0.
    init(hertz: Double, tuning: Double) {
        let place = 69 + 12 * log2(hertz / tuning)
        number = Int(place.rounded())
        cents = Int(((place - place.rounded()) * 100).rounded())
    }

    /// The note of a number.
    init(number: Int) {
        self.number = number
        cents = 0
    }

    /// `C`, `F#`
    var letter: String { Self.names[((number % 12) + 12) % 12] }

    /// The octave, that of A4 being 4.
    var octave: Int { Int((Double(number) / 12).rounded(.down)) - 1 }

    /// `A4`
    var text: String { letter + "\(octave)" }
}
