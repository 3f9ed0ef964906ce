/// `scipy.signal.resample_poly` with its defaults: a sinc with zeros at the lower rate, ten on each side, under a Kaiser window of
/// beta 5, whose weights have a sum of 1.
struct KaiserSinc: PhaseDesign {
    let ratio: RateRatio
    /// The higher of the two rates in lowest terms: what the times of the weights are fractions of.
    private let unit: Int
    /// What the weights are multiplied by.
    private let factor: Double

    private static let zeros = 10
    private static let beta = 5.0
    /// For a longer filter, the sum of its weights over `unit` differs from that of one with this by less than 1e-10.
    private static let longestSum = 4096

    init(_ ratio: RateRatio) {
        self.ratio = ratio
        unit = max(ratio.up, ratio.down)
        let summed = min(unit, Self.longestSum)
        var sum = Self.value(0)
        for index in 1...(Self.zeros * summed) { sum += 2 * Self.value(Double(index) / Double(summed)) }
        factor = Double(ratio.up) / (sum * Double(unit) / Double(summed))
    }

    private static func value(_ time: Double) -> Double {
        sinc(time) * kaiser(time / Double(zeros), beta: beta)
    }

    var reach: (before: Int, after: Int) {
        let half = Self.zeros * unit
        return (half / ratio.up, (half + ratio.up - 1) / ratio.up)
    }

    func weigh(_ phase: Int, into row: UnsafeMutablePointer<Double>) {
        let (reach, part, half) = (reach, ratio.position(phase).part, Self.zeros * unit)
        for index in 0...(reach.before + reach.after) {
            let distance = part - (index - reach.before) * ratio.up
            row[index] = abs(distance) > half ? 0 : factor * Self.value(Double(distance) / Double(unit))
        }
    }

    func count(of samples: Int) -> Int { ratio.scaled(samples, roundedUp: true) }
}
