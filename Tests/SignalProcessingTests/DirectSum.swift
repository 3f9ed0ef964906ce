import FeatureModel
import Foundation

#if arch(x86_64)
    /// More digits than double precision, where the processor has them.
    typealias LongDouble = Float80
#else
    typealias LongDouble = Double
#endif

extension CosineTransformType {
    /// The angle of sample n in coefficient k, in steps of π/4P, P the number of samples; of type 1, one less.
    func steps(_ n: Int, _ k: Int) -> Int {
        switch self {
        case .one: 4 * n * k
        case .two: 2 * k * (2 * n + 1)
        case .three: 2 * n * (2 * k + 1)
        case .four: (2 * n + 1) * (2 * k + 1)
        }
    }
}

/// Transforms as sums in double precision: O(N²), and nothing in common with the code they check.
enum DirectSum {
    /// X[k] = Σ x[n] · exp(−2πikn/N), k = 0 … N/2.
    static func fourier(_ x: [Float]) -> (real: [Double], imaginary: [Double]) {
        let count = x.count
        let cosines = table(count) { cos(2 * .pi * $0 / Double(count)) }
        let sines = table(count) { -sin(2 * .pi * $0 / Double(count)) }
        return (
            sums(x.map(Double.init), count: count / 2 + 1, table: cosines, start: { _ in 0 }, step: { $0 }),
            sums(x.map(Double.init), count: count / 2 + 1, table: sines, start: { _ in 0 }, step: { $0 })
        )
    }

    /// X[k] = Σ x[n] · cos(πk(n + ½)/N), k = 0 … N−1: the DCT-II, unscaled.
    static func cosine(_ x: [Float]) -> [Double] {
        let count = x.count
        let cosines = table(4 * count) { cos(.pi * $0 / Double(2 * count)) }
        return sums(x.map(Double.init), count: count, table: cosines, start: { $0 }, step: { 2 * $0 })
    }

    /// x[n] = (X[0] + 2 Σ X[k] · cos(πk(n + ½)/N)) / N: the DCT-III, scaled to be the inverse of `cosine`.
    static func inverseCosine(_ coefficients: [Float]) -> [Double] {
        let count = coefficients.count
        let cosines = table(4 * count) { cos(.pi * $0 / Double(2 * count)) }
        var doubled = coefficients.map { 2 * Double($0) }
        doubled[0] /= 2
        return sums(doubled, count: count, table: cosines, start: { _ in 0 }, step: { 2 * $0 + 1 })
            .map { $0 / Double(count) }
    }

    private static func table(_ count: Int, _ value: (Double) -> Double) -> [Double] {
        (0..<count).map { value(Double($0)) }
    }

    /// Σ over n of x[n] · table[(start(k) + n · step(k)) mod table length], for k = 0 ..< count.
    private static func sums(
        _ x: [Double], count: Int, table: [Double], start: (Int) -> Int, step: (Int) -> Int
    ) -> [Double] {
        x.withUnsafeBufferPointer { x in
            table.withUnsafeBufferPointer { table in
                (0..<count).map { k in
                    var (sum, index, n) = (0.0, start(k) % table.count, 0)
                    let step = step(k) % table.count
                    while n < x.count {
                        sum += x[n] * table[index]
                        index += step
                        if index >= table.count { index -= table.count }
                        n += 1
                    }
                    return sum
                }
            }
        }
    }
}
