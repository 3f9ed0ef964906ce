/// A logarithmic frequency axis with the same number of points for every semitone, read from a magnitude spectrum.
///
/// Point p lies at f · 2^(−1/24) · 2^(p / 12·pointsPerNote), f being the lowest note's frequency: a note's points span the
/// semitone around it.
public struct MusicalConfiguration: Hashable, Sendable {
    /// The lowest note.
    public private(set) var lowest = MusicalPitch.note(24, name: "C1")
    /// Number of semitones: 89 reach from C1 to E8.
    public private(set) var notes = 89
    /// Points for each semitone.
    public private(set) var pointsPerNote = 8
    /// Frequency of A4 in Hz.
    public private(set) var tuning = 440.0

    /// The section with its defaults.
    public static let standard = MusicalConfiguration()

    private init() {}

    /// Checks the values; the end of the axis is checked against the sample rate once that is known.
    ///
    /// - Throws: `ConfigurationError` for a number or a frequency out of range.
    public init(
        lowest: MusicalPitch = standard.lowest, notes: Int = standard.notes,
        pointsPerNote: Int = standard.pointsPerNote, tuning: Double = standard.tuning
    ) throws(ConfigurationError) {
        (self.lowest, self.notes, self.pointsPerNote, self.tuning) = (lowest, notes, pointsPerNote, tuning)
        try validate()
    }

    /// Number of points.
    public var points: Int { notes * pointsPerNote }

    /// The frequency in Hz of every point, rising.
    public var frequencies: [Double] {
        let first = lowest.frequency(tuning: tuning) * exponential2(-1.0 / 24)
        return (0..<points).map { first * exponential2(Double($0) / Double(12 * pointsPerNote)) }
    }

    /// Checks that the three bins around every point exist.
    func check(at sampleRate: Double, fftLength: Int) throws(ConfigurationError) {
        let binWidth = sampleRate / Double(fftLength)
        // Bin 1 and the bin above each point have to exist.
        try require(
            fftLength >= 4, "frame.fft_length", found: "\(fftLength)", expected: "at least 4 for a musical axis")
        let allowed = frequencies.prefix { ($0 / binWidth).rounded(.down) + 1 <= Double(fftLength / 2) }.count
        try require(
            allowed >= pointsPerNote, "transform.lowest", found: lowest.text,
            expected: "a pitch whose semitone lies below half the sample rate (\(sampleRate / 2) Hz)")
        try require(
            allowed == points, "transform.notes", found: "\(notes)",
            expected: "1 to \(allowed / pointsPerNote), notes below half the sample rate (\(sampleRate / 2) Hz)")
    }
}

extension MusicalConfiguration {
    static let keys = [
        ConfigurationKey<Self>(
            "lowest", { $1(&$0.lowest) }, .pitch,
            "The lowest note, of the octaves -1 to 10, such as C1, F#3 or Bb-1, or its frequency in Hz."),
        ConfigurationKey(
            "notes", { $1(&$0.notes) }, .whole(1...240),
            "Number of semitones; the last has to lie below half the sample rate."),
        ConfigurationKey("points_per_note", { $1(&$0.pointsPerNote) }, .whole(1...1000), "Points for each semitone."),
        ConfigurationKey(
            "tuning", { $1(&$0.tuning) }, .frequency(1...20_000, "A4's frequency, 1 to 20000 Hz"), unit: "Hz",
            "Frequency of A4."),
    ]

    func validate() throws(ConfigurationError) {
        try Self.keys.check(self, in: TransformConfiguration.path)
        let frequency = lowest.frequency(tuning: tuning)
        try require(
            frequency.isFinite && frequency > 0, "transform.lowest", found: lowest.text,
            expected: ValueFormat<MusicalPitch>.pitch.allowed)
    }
}

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

    /// Reads a note such as `C1`, `F#3` or `Bb-1`, octaves −1 … 10; nil for anything else.
    public init?(note: String) {
        // A capital may be two letters; none of these has a sharp.
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

extension ValueFormat where Value == MusicalPitch {
    /// A note, a number of Hz, or a text such as `55 Hz`.
    fileprivate static var pitch: Self {
        Self(
            .either([.number(0...(.infinity), isOpenBelow: true), .quantity(.note), .quantity(.frequency)]),
            "a note such as C1 or F#3, or a frequency in Hz",
            read: { value, _ throws(ConfigurationError) in
                if let hertz = value.number, hertz > 0, hertz.isFinite { return .hertz(hertz) }
                guard let text = value.text else { return nil }
                if let note = MusicalPitch(note: text) { return note }
                guard FrequencyEdge.unit(of: text) != nil, let hertz = ValueFormat<Double>.hertz(text), hertz > 0 else {
                    return nil
                }
                return .hertz(hertz)
            },
            write: { pitch in
                switch pitch {
                case .note(_, let name): .text(name)
                case .hertz(let frequency): .number(frequency)
                }
            })
    }
}

/// 2 to the power of `exponent`, −1000 … 1000, within an ulp or two: this module imports no mathematics library.
///
/// The whole part is the exponent of the result; 2ᶠ of the rest, −½ … ½, is the power series of e^(f ln 2), whose terms
/// fall below 10⁻¹⁷ after fifteen. Summed from the smallest term on, so that roundings do not add up.
func exponential2(_ exponent: Double) -> Double {
    let whole = exponent.rounded()
    let x = (exponent - whole) * 0.693147180559945309417
    var sum = 1.0
    for n in (1...16).reversed() { sum = 1 + x / Double(n) * sum }
    return Double(sign: .plus, exponent: Int(whole), significand: sum)
}
