import FeatureModel

/// resampy 0.4's `kaiser_best` and `kaiser_fast`: a sinc under a Kaiser window, stored at a number of times from one zero to the
/// next, between which its values are interpolated.
///
/// Where the rate falls, the original steps through the stored values by a whole number, rounded down, so that its filter is a
/// little wider than its formula. And it computes the position of a sample in double precision: one that is a whole number of
/// input samples may come out a little before it, where the wider filter starts anew.
struct KaiserTable: PhaseDesign {
    /// The stored half of a filter.
    struct Filter: Sendable {
        /// Stored values from one zero to the next.
        let precision: Int
        let values: [Double]

        /// 50 zeros.
        static let best = Filter(zeros: 50, precision: 8192, rollOff: 0.9173473712608761, beta: 12.984585247040012)
        /// 24 zeros.
        static let fast = Filter(zeros: 24, precision: 512, rollOff: 0.8682120388377784, beta: 9.903224437265536)

        private init(zeros: Int, precision: Int, rollOff: Double, beta: Double) {
            self.precision = precision
            let (count, top) = (zeros * precision, kaiser(0, beta: beta))
            values = (0...count).map { index in
                let time = Double(index) / Double(precision)
                return rollOff * sinc(rollOff * time) * kaiser(Double(index) / Double(count), beta: beta) / top
            }
        }
    }

    let ratio: RateRatio
    private let filter: Filter
    /// The new rate over the old one, and what times of the filter are multiplied by.
    private let (factor, scale): (Double, Double)
    /// The distance of two samples of the input in the stored values.
    private let step: Int
    /// The distance of two samples of the output in those of the input, rounded as the original has it.
    private let increment: Double

    init(_ ratio: RateRatio, _ filter: Filter) {
        (self.ratio, self.filter) = (ratio, filter)
        factor = Double(ratio.up) / Double(ratio.down)
        scale = min(1, factor)
        step = max(1, Int(scale * Double(filter.precision)))
        increment = 1 / factor
    }

    /// Whether the filter of a method has a step of its own between two samples; true of every other method.
    static func divides(_ input: Int, _ output: Int, _ method: ResamplingMethod) -> Bool {
        let filter: Filter? = method == .kaiserFast ? .fast : nil
        return filter.map { Double(output) / Double(input) * Double($0.precision) >= 1 } ?? true
    }

    var reach: (before: Int, after: Int) {
        let most = filter.values.count / step
        return (most - 1, most)
    }

    func weigh(_ phase: Int, into row: UnsafeMutablePointer<Double>) {
        let (before, after) = reach
        let part = phase == ratio.up ? 1 : Double(ratio.position(phase).part) / Double(ratio.up)
        let left = scale * part
        row.update(repeating: 0, count: before + 1 + after)
        wing(from: left, into: row + before, by: -1)
        wing(from: scale - left, into: row + before + 1, by: 1)
    }

    /// Writes the weights of samples on one side, the nearest first, from a time of the filter on.
    private func wing(from time: Double, into row: UnsafeMutablePointer<Double>, by direction: Int) {
        let position = time * Double(filter.precision)
        let offset = Int(position)
        let share = position - Double(offset)
        filter.values.withUnsafeBufferPointer { values in
            for index in 0..<max(0, (values.count - offset) / step) {
                let entry = offset + index * step
                let value = values[entry]
                // After the last value, the original has a copy of it.
                let next = values[min(entry + 1, values.count - 1)]
                row[direction * index] = scale * (value + share * (next - value))
            }
        }
    }

    func isLate(_ output: Int) -> Bool {
        let position = Double(output) * increment
        return position < Double(output / ratio.up * ratio.down)
    }

    func count(of samples: Int) -> Int { ratio.scaled(samples, roundedUp: false) }
}
