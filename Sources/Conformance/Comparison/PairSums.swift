import FeatureModel

/// Sums over pairs of an expected value x and a given value y, from which every fit by least squares follows.
///
/// In double precision, over the distances from the first pair, bin by bin. Pairs with a value that is not finite are left out.
struct PairSums {
    /// The sums of a bin.
    struct Bin {
        var count = 0.0
        var x = 0.0
        var y = 0.0
        var xx = 0.0
        var xy = 0.0
        var yy = 0.0
        /// The sums of y − x, and of its square.
        var difference = 0.0
        var squared = 0.0

        mutating func add(_ other: Bin) {
            count += other.count
            x += other.x
            y += other.y
            xx += other.xx
            xy += other.xy
            yy += other.yy
            difference += other.difference
            squared += other.squared
        }

        /// Sums of squared distances from the means, and of their products.
        var centred: (xx: Double, xy: Double, yy: Double) {
            guard count > 0 else { return (0, 0, 0) }
            return (max(0, xx - x * x / count), xy - x * y / count, max(0, yy - y * y / count))
        }

        /// What is left of y by its line over x with a positive factor.
        var residueOfLine: Double {
            let (xx, xy, yy) = centred
            return xx > 0 && xy > 0 ? max(0, yy - xy * xy / xx) : yy
        }

        /// What is left of y by x and an offset.
        var residueOfOffset: Double { count > 0 ? max(0, squared - difference * difference / count) : 0 }
    }

    private(set) var bins: [Bin]
    /// What the values are distances from.
    private(set) var origin = (x: 0.0, y: 0.0)
    /// Given values that are infinite or not a number.
    private(set) var nonFinite = 0

    /// - Precondition: Both matrices have the same number of bins.
    init(expected: FeatureMatrix, given: FeatureMatrix, _ rows: RowAlignment) {
        precondition(expected.bins == given.bins, "pairs need the same number of bins")
        let width = expected.bins
        bins = Array(repeating: Bin(), count: width)
        guard rows.count > 0 else { return }
        let pairs = rows.count * width
        let (xStart, yStart) = (rows.expectedStart * width, rows.givenStart * width)
        expected.values.withUnsafeBufferPointer { xs in
            given.values.withUnsafeBufferPointer { ys in
                let first = (0..<pairs).first { xs[xStart + $0].isFinite && ys[yStart + $0].isFinite }
                guard let first else {
                    nonFinite = pairs
                    return
                }
                let (x0, y0) = (Double(xs[xStart + first]), Double(ys[yStart + first]))
                origin = (x0, y0)
                for bin in 0..<width {
                    var sums = Bin()
                    for row in 0..<rows.count {
                        let index = row * width + bin
                        let (given, expected) = (Double(ys[yStart + index]), Double(xs[xStart + index]))
                        guard given.isFinite, expected.isFinite else {
                            nonFinite += 1
                            continue
                        }
                        let (x, y, difference) = (expected - x0, given - y0, given - expected)
                        sums.count += 1
                        sums.x += x
                        sums.y += y
                        sums.xx += x * x
                        sums.xy += x * y
                        sums.yy += y * y
                        sums.difference += difference
                        sums.squared += difference * difference
                    }
                    bins[bin] = sums
                }
            }
        }
    }

    var all: Bin { bins.reduce(into: Bin()) { $0.add($1) } }
}
