import Platform

/// Coordinates of clips, such as those of `PrincipalAxes`: `axes` values a clip.
struct ClipPoints: Sendable {
    let axes: Int
    let values: [Float]

    var count: Int { axes > 0 ? values.count / axes : 0 }

    func squaredDistance(_ one: Int, _ other: Int) -> Float {
        values.withUnsafeBufferPointer { values in
            // Eight sums, which are added up at the end: the processor then adds them at once.
            var sums = SIMD8<Float>.zero
            let bytes = UnsafeRawBufferPointer(values)
            let (first, second, size) = (4 * one * axes, 4 * other * axes, 4 * axes)
            var offset = 0
            while offset + 32 <= size {
                let difference =
                    bytes.loadUnaligned(fromByteOffset: first + offset, as: SIMD8<Float>.self)
                    - bytes.loadUnaligned(fromByteOffset: second + offset, as: SIMD8<Float>.self)
                sums += difference * difference
                offset += 32
            }
            var sum = sums.sum()
            for axis in offset / 4..<axes {
                let difference = values[one * axes + axis] - values[other * axes + axis]
                sum += difference * difference
            }
            return sum
        }
    }
}

/// The Nyström features of a Gaussian kernel k(x, y) = exp(−|x − y|²/2σ²): for landmarks z₁ … z_m, φ(x) = L⁻¹·(k(z₁, x) … k(z_m, x))
/// with L·Lᵀ = (k(zᵢ, zⱼ)), so that φ(x)·φ(y) ≈ k(x, y), and = where all points are landmarks (Williams and Seeger, 2001).
struct KernelFeatures: Sendable {
    /// Number of landmarks, and of features.
    let count: Int
    private let axes: Int
    /// The landmarks' coordinates, `axes` × `count`.
    private let landmarks: [Float]
    /// −1/2σ².
    private let factor: Double
    private let cholesky: CholeskyFactor

    /// - Parameters:
    ///   - landmarks: Indices of points, at least one.
    ///   - variance: σ², greater than 0.
    init?(_ points: ClipPoints, landmarks: [Int], variance: Double) {
        (axes, count) = (points.axes, landmarks.count)
        var transposed = [Float](repeating: 0, count: axes * count)
        for (column, landmark) in landmarks.enumerated() {
            for axis in 0..<axes { transposed[axis * count + column] = points.values[landmark * axes + axis] }
        }
        self.landmarks = transposed
        factor = -1 / (2 * variance)
        var matrix = [Double](repeating: 0, count: count * count)
        for row in 0..<count {
            for column in row..<count {
                matrix[row * count + column] =
                    exp(factor * Double(points.squaredDistance(landmarks[row], landmarks[column])))
            }
            // Landmarks that are equal would make the matrix singular.
            matrix[row * count + row] += 1e-6
        }
        guard let cholesky = CholeskyFactor(matrix, size: count) else { return nil }
        self.cholesky = cholesky
    }

    /// Writes the `count` features of a point of `axes` coordinates.
    ///
    /// - Parameter scratch: `count` values.
    func write(
        of point: UnsafeBufferPointer<Float>, into features: UnsafeMutableBufferPointer<Double>,
        scratch: UnsafeMutableBufferPointer<Float>
    ) {
        for index in 0..<count { scratch[index] = 0 }
        landmarks.withUnsafeBufferPointer { landmarks in
            for axis in 0..<axes {
                let value = point[axis]
                let start = axis * count
                for index in 0..<count {
                    let difference = value - landmarks[start + index]
                    scratch[index] += difference * difference
                }
            }
        }
        for index in 0..<count { features[index] = exp(factor * Double(scratch[index])) }
        cholesky.solveLower(features)
    }
}

extension KernelFeatures {
    /// Three times the median, over some points, of the squared distance to the tenth nearest of them; 1 if that is 0.
    static func variance(of points: ClipPoints, sample: [Int]) -> Double {
        let nearest = sample.map { one in
            let distances = sample.map { points.squaredDistance(one, $0) }.sorted()
            // The first is the point itself.
            return distances[min(10, distances.count - 1)]
        }.sorted()
        let median = nearest.isEmpty ? 0 : Double(nearest[nearest.count / 2])
        return median > 0 ? 3 * median : 1
    }
}
