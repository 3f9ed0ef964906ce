import CKernels

/// The passes and tables of a complex transform over lanes; see `fourier.h`.
struct LanePlan {
    private let length: Int
    private let radices: [Int32]
    private let turns: [Double]
    private let positions: [Int32]
    private let cosines: [Double]
    private let sines: [Double]

    /// The radices of the passes, whose product is `length`; nil where it has other prime factors than 2, 3 and 5.
    ///
    /// As many eights as there are without a two at the end: 16 is 4 · 4. They come first, so that the parts of a long transform
    /// are short at once.
    static func radices(of length: Int) -> [Int]? {
        var rest = length
        func count(_ factor: Int) -> Int {
            var count = 0
            while rest % factor == 0 { (rest, count) = (rest / factor, count + 1) }
            return count
        }
        let (twos, threes, fives) = (count(2), count(3), count(5))
        guard rest == 1 else { return nil }
        let fours = [0, twos > 1 ? 2 : 0, 1][twos % 3]
        let eights = (twos - 2 * fours) / 3
        let factors = [(8, eights), (5, fives), (4, fours), (3, threes), (2, twos == 1 ? 1 : 0)]
        return factors.flatMap { Array(repeating: $0.0, count: $0.1) }
    }

    /// - Parameter length: Number of complex numbers, at least 1; nil where there are no radices.
    init?(length: Int) {
        guard let radices = Self.radices(of: length) else { return nil }
        self.length = length
        self.radices = radices.map(Int32.init)
        var turns: [Double] = []
        var part = length
        for radix in radices {
            let numbers = part / radix
            for j in 1..<max(numbers, 1) {
                for q in 1..<radix {
                    let point = UnitCircle.point(j * q, of: part)
                    turns += [point.cosine, -point.sine]
                }
            }
            part = numbers
        }
        self.turns = turns
        positions = (0..<length).map { k in
            var (position, rest, part) = (0, k, length)
            for radix in radices {
                part /= radix
                position += rest % radix * part
                rest /= radix
            }
            return Int32(position)
        }
        let points = (0...length / 2).map { UnitCircle.point($0, of: 2 * length) }
        cosines = points.map(\.cosine)
        sines = points.map { -$0.sine }
    }

    /// Calls `body` with the tables.
    @inline(__always)
    func withPlan(_ body: (UnsafePointer<veery_lane_plan>) -> Void) {
        radices.withUnsafeBufferPointer { radices in
            turns.withUnsafeBufferPointer { turns in
                positions.withUnsafeBufferPointer { positions in
                    cosines.withUnsafeBufferPointer { cosines in
                        sines.withUnsafeBufferPointer { sines in
                            guard let positions = positions.baseAddress, let cosines = cosines.baseAddress,
                                let sines = sines.baseAddress
                            else { return }
                            // Without passes, these two have no address; any will do.
                            var plan = veery_lane_plan(
                                length: length, radices: radices.baseAddress ?? positions,
                                turns: turns.baseAddress ?? cosines, positions: positions, cosines: cosines,
                                sines: sines)
                            body(&plan)
                        }
                    }
                }
            }
        }
    }
}
