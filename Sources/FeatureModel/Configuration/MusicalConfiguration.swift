/// A logarithmic frequency axis with the same number of points for every semitone, read from a magnitude spectrum.
///
/// Point p lies at f · 2^(−1/24) · 2^(p / 12·pointsPerNote), f being the lowest note's frequency: a note's points span the
/// semitone around it.
public struct MusicalConfiguration: Hashable, Sendable {
    /// The lowest note. Default: C1.
    public let lowest: MusicalPitch
    /// Number of semitones. Default: 89, up to E8 from C1.
    public let notes: Int
    /// Points for each semitone. Default: 8.
    public let pointsPerNote: Int
    /// Frequency of A4 in Hz. Default: 440.
    public let tuning: Double

    /// The most notes and the most points a note.
    public static let most = (notes: 240, pointsPerNote: 1000)
    static let keys = ["lowest", "notes", "points_per_note", "tuning"]

    /// Checks and keeps the values; whether the axis ends below half the sample rate is checked when that is known.
    ///
    /// - Throws: `ConfigurationError` for a number or a frequency out of range.
    public init(
        lowest: MusicalPitch = .note(24, name: "C1"), notes: Int = 89, pointsPerNote: Int = 8, tuning: Double = 440
    ) throws(ConfigurationError) {
        for (key, value, most) in [
            ("notes", notes, Self.most.notes), ("points_per_note", pointsPerNote, Self.most.pointsPerNote),
        ] {
            guard (1...most).contains(value) else {
                throw .invalidValue(
                    key: "transform.\(key)", found: "\(value)", expected: "a whole number from 1 to \(most)")
            }
        }
        guard tuning.isFinite, (1...20_000).contains(tuning) else {
            throw .invalidValue(key: "transform.tuning", found: "\(tuning)", expected: "A4's frequency, 1 to 20000 Hz")
        }
        let frequency = lowest.frequency(tuning: tuning)
        guard frequency.isFinite, frequency > 0 else {
            throw .invalidValue(
                key: "transform.lowest", found: lowest.text, expected: "a note such as C1, or a frequency in Hz")
        }
        self.lowest = lowest
        self.notes = notes
        self.pointsPerNote = pointsPerNote
        self.tuning = tuning
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
        // The bin above the one that a point lies in has to be there, and so has bin 1.
        guard fftLength >= 4 else {
            throw .invalidValue(
                key: "frame.fft_length", found: "\(fftLength)", expected: "at least 4 for a musical axis")
        }
        let allowed = frequencies.prefix { ($0 / binWidth).rounded(.down) + 1 <= Double(fftLength / 2) }.count
        guard allowed >= pointsPerNote else {
            throw .invalidValue(
                key: "transform.lowest", found: lowest.text,
                expected: "a pitch whose semitone lies below half the sample rate (\(sampleRate / 2) Hz)")
        }
        guard allowed == points else {
            throw .invalidValue(
                key: "transform.notes", found: "\(notes)",
                expected: "1 to \(allowed / pointsPerNote), notes below half the sample rate (\(sampleRate / 2) Hz)")
        }
    }

    init(_ section: SectionReader) throws {
        try self.init(
            lowest: section.value(
                "lowest", default: .note(24, name: "C1"), expected: "a note such as C1 or F#3, or a frequency in Hz"),
            notes: section.integer("notes", default: 89, in: 1...Self.most.notes),
            pointsPerNote: section.integer("points_per_note", default: 8, in: 1...Self.most.pointsPerNote),
            tuning: section.frequency(
                "tuning", default: 440, expected: "A4's frequency, 1 to 20000 Hz", where: { (1...20_000).contains($0) })
        )
    }

    func encode(to container: inout KeyedEncodingContainer<AnyCodingKey>) throws {
        try container.encode(lowest, forKey: AnyCodingKey("lowest"))
        try container.encode(notes, forKey: AnyCodingKey("notes"))
        try container.encode(pointsPerNote, forKey: AnyCodingKey("points_per_note"))
        try container.encode(tuning, forKey: AnyCodingKey("tuning"))
    }
}
