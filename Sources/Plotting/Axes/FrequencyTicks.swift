import Presentation

/// Ticks at round frequencies on an axis of uneven bins, such as mel bands, where equal steps would be crowded at one end.
///
/// Rounder numbers have priority: powers of ten, then 5, 2 and 3, then the other digits, if far enough from the earlier ticks.
struct SpacedTicks {
    private(set) var ticks: [AxisTick] = []

    /// - Parameters:
    ///   - shift: the power of ten between hertz and what is printed: 0 for Hz, −3 for kHz.
    ///   - spacing: the minimum distance of neighbouring ticks, as a fraction of the axis' length.
    init(_ scale: FrequencyScale, shift: Int, spacing: Double) {
        let range = scale.range
        let top = max(range.upperBound, 1)
        let highest = RoundNumber.exponent(notAbove: top)
        let exponents = stride(from: highest, through: max(highest - 5, -1), by: -1)
        // Rounder numbers may be at the minimum distance; others need more room, so that the axis is not crowded.
        let tiers: [(digits: [Int], spacing: Double)] = [
            ([1], spacing), ([5], spacing), ([2], spacing), ([3], 1.25 * spacing), ([4, 6, 7, 8, 9], 1.25 * spacing),
        ]
        for tier in tiers {
            for exponent in exponents {
                for digits in tier.digits {
                    let number = RoundNumber(digits: digits, exponent: exponent)
                    guard let position = scale.position(number.value) else { continue }
                    add(RoundNumber(digits: digits, exponent: exponent + shift), at: position, spacing: tier.spacing)
                }
            }
        }
        if let zero = scale.position(0) { add(RoundNumber(digits: 0, exponent: 0), at: zero, spacing: spacing) }
        ticks.sort { $0.position < $1.position }
    }

    private mutating func add(_ number: RoundNumber, at position: Double, spacing: Double) {
        guard ticks.allSatisfy({ ($0.position - position).magnitude >= spacing }) else { return }
        ticks.append(AxisTick(position: position, label: number.decimals))
    }
}

/// Ticks at notes of the equal temperament: every C, and more notes of the octave if there is room.
enum NoteTicks {
    /// Sets of notes of an octave to mark, from few to all, with the semitones between the nearest two.
    private static let choices: [(notes: Set<Int>, gap: Double)] = [
        ([0], 12), ([0, 7], 5), ([0, 4, 7], 3), ([0, 2, 4, 7, 9], 2), (Set(0..<12), 1),
    ]

    /// The ticks, in rising order; empty if no note is within the axis.
    ///
    /// - Parameter spacing: The minimum distance of neighbouring ticks, as a fraction of the axis' length.
    static func ticks(_ scale: FrequencyScale, tuning: Double, spacing: Double) -> [AxisTick] {
        let ends = [scale.range.lowerBound, scale.range.upperBound].map {
            NoteName.number(hertz: max($0, 1e-3), tuning: tuning)
        }
        let (first, last) = (Int(ends[0].rounded(.up)), Int(ends[1].rounded(.down)))
        guard first <= last else { return [] }
        let positions = (first...last).map(NoteName.init(number:)).compactMap { note in
            scale.position(note.frequency(tuning: tuning)).map { (note: note, position: $0) }
        }
        // The smallest semitone decides, since bins need not lie evenly.
        let steps = zip(positions, positions.dropFirst()).map { $1.position - $0.position }
        let semitone = steps.min() ?? 1
        let fitting = choices.lastIndex { $0.gap * semitone >= spacing } ?? 0
        var chosen: [AxisTick] = []
        for choice in choices[fitting...] where chosen.isEmpty {
            for (note, position) in positions where choice.notes.contains(note.semitone) {
                // Octaves that are too close are left out.
                if let last = chosen.last, position - last.position < spacing { continue }
                chosen.append(AxisTick(position: position, label: note.printed))
            }
        }
        return chosen
    }
}
