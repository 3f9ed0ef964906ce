import Platform
import Presentation

/// Ticks at notes of the equal temperament: every C, and more notes of the octave where there is room.
struct NoteTicks {
    /// The ticks, in rising order; none where no note that has room lies within the axis.
    let ticks: [AxisTick]

    /// Notes of an octave to mark, the more the later, with the semitones between the nearest two.
    private static let choices: [(notes: Set<Int>, gap: Double)] = [
        ([0], 12), ([0, 7], 5), ([0, 4, 7], 3), ([0, 2, 4, 7, 9], 2), (Set(0..<12), 1),
    ]

    /// - Parameters:
    ///   - tuning: Frequency of A4 in hertz.
    ///   - spacing: The least distance of neighbouring ticks, as a fraction of the axis' length.
    init(_ scale: FrequencyScale, tuning: Double, spacing: Double) {
        let ends = [scale.range.lowerBound, scale.range.upperBound].map {
            NoteName.number(hertz: max($0, 1e-3), tuning: tuning)
        }
        let (first, last) = (Int(ends[0].rounded(.up)), Int(ends[1].rounded(.down)))
        guard first <= last else {
            ticks = []
            return
        }
        let positions = (first...last).map(NoteName.init(number:)).compactMap { note in
            scale.position(note.frequency(tuning: tuning)).map { (note: note, position: $0) }
        }
        // The least height of a semitone decides, since bins need not lie evenly.
        let steps = zip(positions, positions.dropFirst()).map { $1.position - $0.position }
        let semitone = steps.min() ?? 1
        let fitting = Self.choices.lastIndex { $0.gap * semitone >= spacing } ?? 0
        var chosen: [AxisTick] = []
        for choice in Self.choices[fitting...] where chosen.isEmpty {
            for (note, position) in positions where choice.notes.contains(note.semitone) {
                // Octaves that crowd are left out.
                if let last = chosen.last, position - last.position < spacing { continue }
                chosen.append(AxisTick(position: position, label: note.printed))
            }
        }
        ticks = chosen
    }
}
