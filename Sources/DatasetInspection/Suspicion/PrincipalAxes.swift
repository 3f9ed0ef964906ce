import Concurrency
import Platform

/// Maps the vectors of clips to few dimensions in which distances compare clips: each value is standardised (minus the mean, divided
/// by the standard deviation over clips), projected on the greatest principal axes, and each projection is divided by the fourth root of
/// its variance, halfway between principal components and whitened ones.
struct PrincipalAxes: Sendable {
    static let maximumAxes = 64
    /// Axes whose variance is less than this share of the greatest are noise of rounding.
    private static let leastVariance = 1e-9

    /// Number of axes; 0: all vectors are equal.
    let count: Int
    /// The variance along each axis, the greatest first.
    let variances: [Double]
    private let dimension: Int
    private let mean: [Float]
    /// `dimension` × `count`.
    private let weights: [Float]

    /// - Parameters:
    ///   - vectors: Vectors of some clips, one after another, `dimension` values each; at least one.
    ///   - jobs: Number of threads; the result does not depend on it.
    init(of vectors: [Float], dimension: Int, jobs: Int) throws {
        let clips = vectors.count / dimension
        var (mean, deviation) = ([Double](repeating: 0, count: dimension), [Double](repeating: 0, count: dimension))
        for (index, value) in vectors.enumerated() { mean[index % dimension] += Double(value) }
        for index in mean.indices { mean[index] /= Double(clips) }
        for (index, value) in vectors.enumerated() {
            let difference = Double(value) - mean[index % dimension]
            deviation[index % dimension] += difference * difference
        }
        let scale = deviation.indices.map { index in
            let root = (deviation[index] / Double(clips)).squareRoot()
            // The deviation of equal values may be an error of rounding.
            return root > 1e-6 * mean[index].magnitude ? 1 / root : 0
        }
        let standard = vectors.indices.map { index in
            Float((Double(vectors[index]) - mean[index % dimension]) * scale[index % dimension])
        }
        let covariance = try Self.covariance(of: standard, dimension, jobs: jobs)
        let wanted = min(Self.maximumAxes, dimension, max(clips - 1, 1))
        let eigen = SymmetricEigen(greatest: wanted, of: covariance, size: dimension)
        let greatest = eigen.values.first ?? 0
        variances = Array(eigen.values.prefix { $0 > Self.leastVariance * greatest && $0 > 0 })
        count = variances.count
        var weights: [Float] = []
        weights.reserveCapacity(dimension * count)
        for row in 0..<dimension {
            for axis in 0..<count {
                let unit = eigen.vectors[row * eigen.values.count + axis] * scale[row]
                weights.append(Float(unit / variances[axis].squareRoot().squareRoot()))
            }
        }
        (self.dimension, self.weights, self.mean) = (dimension, weights, mean.map { Float($0) })
    }

    /// The mean of the products of all pairs of values.
    private static func covariance(of vectors: [Float], _ dimension: Int, jobs: Int) throws -> [Double] {
        let clips = vectors.count / dimension
        let band = 32
        let bands = try WorkerPool.map((dimension + band - 1) / band, jobs: jobs, worker: {}) { _, part in
            let rows = part * band..<min((part + 1) * band, dimension)
            var sums = [Double](repeating: 0, count: rows.count * dimension)
            sums.withUnsafeMutableBufferPointer { sums in
                vectors.withUnsafeBufferPointer { vectors in
                    for clip in 0..<clips {
                        for row in rows {
                            let factor = Double(vectors[clip * dimension + row])
                            let start = (row - rows.lowerBound) * dimension
                            for column in row..<dimension {
                                sums[start + column] += factor * Double(vectors[clip * dimension + column])
                            }
                        }
                    }
                }
            }
            return sums
        }
        var covariance = bands.flatMap(\.self)
        for row in 0..<dimension {
            for column in row..<dimension {
                covariance[row * dimension + column] /= Double(clips)
                covariance[column * dimension + row] = covariance[row * dimension + column]
            }
        }
        return covariance
    }

    /// Writes the `count` coordinates of a vector of `dimension` values.
    func project(_ vector: UnsafeBufferPointer<Float>, into result: UnsafeMutableBufferPointer<Float>) {
        for axis in 0..<count { result[axis] = 0 }
        weights.withUnsafeBufferPointer { weights in
            // Four values at a time, so that the sums are read and written less often.
            var index = 0
            while index + 4 <= dimension {
                let (a, b) = (vector[index] - mean[index], vector[index + 1] - mean[index + 1])
                let (c, d) = (vector[index + 2] - mean[index + 2], vector[index + 3] - mean[index + 3])
                let start = index * count
                for axis in 0..<count {
                    result[axis] +=
                        (a * weights[start + axis] + b * weights[start + count + axis])
                        + (c * weights[start + 2 * count + axis] + d * weights[start + 3 * count + axis])
                }
                index += 4
            }
            for index in index..<dimension {
                let value = vector[index] - mean[index]
                for axis in 0..<count { result[axis] += value * weights[index * count + axis] }
            }
        }
    }
}
