/// A pitch: a note of the equal temperament, or a frequency.
///
/// In a configuration: `C1`, `F#3`, `Bb-1`, a number of Hz, or a text such as `55 Hz`.
public enum MusicalPitch: Hashable, Sendable {
    /// Semitones above C of octave −1 (MIDI's number of the note: A4 is 69), and its name.
    case note(Int, name: String)
    /// A frequency in Hz, more than 0.
    case hertz(Double)

    /// The notes of an octave, from C up.
    package static let letters = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]

    /// Reads a note such as `C1`, `F#3` or `Bb-1`, octaves −1 … 10; nil where it is none.
    public init?(note: String) {
        // One letter may have two as its capital, but none of these has a sharp.
        guard let letter = note.first?.uppercased(), var number = Self.letters.firstIndex(of: letter)
        else { return nil }
        var rest = note.dropFirst()
        if rest.first == "#" || rest.first == "b" {
            number += rest.first == "#" ? 1 : -1
            rest = rest.dropFirst()
        }
        guard let octave = Int(rest), (-1...10).contains(octave), rest.first != "+" else { return nil }
        self = .note(number + 12 * (octave + 1), name: note)
    }

    /// The frequency in Hz where A4 has `tuning` Hz.
    public func frequency(tuning: Double) -> Double {
        switch self {
        case .note(let number, _): tuning * exponential2((Double(number) - 69) / 12)
        case .hertz(let frequency): frequency
        }
    }

    /// The note's name or the frequency, for messages.
    var text: String {
        switch self {
        case .note(_, let name): "'\(name)'"
        case .hertz(let frequency): "\(frequency) Hz"
        }
    }
}

extension MusicalPitch: Codable {
    /// Reads a note or a number of Hz.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let frequency = try? container.decode(Double.self), frequency > 0, frequency.isFinite {
            self = .hertz(frequency)
        } else if let text = try? container.decode(String.self), let note = MusicalPitch(note: text) {
            self = note
        } else if let text = try? container.decode(String.self), FrequencyEdge.unit(of: text) != nil,
            case .hertz(let frequency)? = FrequencyEdge(text: text), frequency > 0
        {
            self = .hertz(frequency)
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "neither a note nor a frequency")
        }
    }

    /// Writes the note's name or the number of Hz.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .note(_, let name): try container.encode(name)
        case .hertz(let frequency): try container.encode(frequency)
        }
    }
}
