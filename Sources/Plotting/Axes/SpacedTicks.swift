import Presentation

/// Ticks at round frequencies on an axis of uneven bins, such as mel bands or notes, where equal steps would crowd at
/// one end.
///
/// Rounder numbers are placed first: powers of ten, then 2 and 5, then the other digits; each only where it keeps its
/// distance from those that stand already.
struct SpacedTicks {
    /// The ticks, in rising order.
    private(set) var ticks: [AxisTick] = []

    /// - Parameters:
    ///   - shift: the power of ten between hertz and what is printed: 0 for Hz, −3 for kHz.
    ///   - spacing: the least distance of neighbouring ticks, as a fraction of the axis' length.
    init(_ scale: FrequencyScale, shift: Int, spacing: Double) {
        let range = scale.range
        let top = max(range.upperBound, 1)
        let highest = RoundNumber.exponent(notAbove: top)
        let exponents = stride(from: highest, through: max(highest - 5, -1), by: -1)
        // Rounder numbers stand at the least distance; the fillers need more room, so that the axis stays calm.
        let tiers: [(digits: [Int], spacing: Double)] = [
            ([1], spacing), ([5], spacing), ([2], spacing), ([3], 1.25 * spacing), ([4, 6, 7, 8, 9], 1.25 * spacing),
        ]
        for tier in tiers {
            for exponent in exponents {
                for digits in tier.digits {
                    let number = RoundNumber(digits: digits, exponent: exponent)
                    guard let position = scale.position(number.value) else { continue }
                    place(RoundNumber(digits: digits, exponent: exponent + shift), at: position, spacing: tier.spacing)
                }
            }
        }
        if let zero = scale.position(0) { place(RoundNumber(digits: 0, exponent: 0), at: zero, spacing: spacing) }
        ticks.sort { $0.position < $1.position }
    }

    private mutating func place(_ number: RoundNumber, at position: Double, spacing: Double) {
        guard ticks.allSatisfy({ ($0.position - position).magnitude >= spacing }) else { return }
        ticks.append(AxisTick(position: position, label: number.decimals))
    }
}
