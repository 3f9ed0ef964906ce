import Platform

/// Ticks at notes of the equal temperament: every C, and more notes of the octave where there is room.
struct NoteTicks {
    /// The ticks, in rising order; none where no note that has room lies within the axis.
    let ticks: [AxisTick]

    private static let names = ["C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B"]
    /// Notes of an octave to mark, the more the later, with the semitones between the nearest two.
    private static let choices: [(notes: Set<Int>, gap: Double)] = [
        ([0], 12), ([0, 7], 5), ([0, 4, 7], 3), ([0, 2, 4, 7, 9], 2), (Set(0..<12), 1),
    ]

    /// - Parameters:
    ///   - tuning: Frequency of A4 in hertz.
    ///   - spacing: The least distance of neighbouring ticks, as a fraction of the axis' length.
    init(_ scale: FrequencyScale, tuning: Double, spacing: Double) {
        func note(_ hertz: Double) -> Double { 69 + 12 * log2(hertz / tuning) }
        let first = Int(note(max(scale.range.lowerBound, 1e-3)).rounded(.up))
        let last = Int(note(max(scale.range.upperBound, 1e-3)).rounded(.down))
        guard first <= last else {
            ticks = []
            return
        }
        let positions = (first...last).compactMap { number -> (number: Int, position: Double)? in
            scale.position(tuning * exp2(Double(number - 69) / 12)).map { (number, $0) }
        }
        // The least height of a semitone decides, since bins need not lie evenly.
        let steps = zip(positions, positions.dropFirst()).map { $1.position - $0.position }
        let semitone = steps.min() ?? 1
        let fitting = Self.choices.lastIndex { $0.gap * semitone >= spacing } ?? 0
        var chosen: [AxisTick] = []
        for choice in Self.choices[fitting...] where chosen.isEmpty {
            for (number, position) in positions where choice.notes.contains(Self.modulo(number)) {
                // Octaves that crowd are left out.
                if let last = chosen.last, position - last.position < spacing { continue }
                chosen.append(AxisTick(position: position, label: Self.name(number)))
            }
        }
        ticks = chosen
    }

    /// The name of a note by MIDI's number: 69 is "A4", 61 "C♯4".
    static func name(_ number: Int) -> String {
        names[modulo(number)] + "\((number - modulo(number)) / 12 - 1)".replacingMinus
    }

    private static func modulo(_ number: Int) -> Int { (number % 12 + 12) % 12 }
}

extension String {
    fileprivate var replacingMinus: String { first == "-" ? "\u{2212}" + String(dropFirst()) : self }
}
