import Platform

/// The Cholesky factor of a symmetric, positive definite matrix A = L·Lᵀ.
///
/// Stored as the rows of Lᵀ, so that each step of a solution runs through neighbouring values.
struct CholeskyFactor: Sendable {
    let size: Int
    /// Lᵀ, `size` × `size`, row after row; what is left of the diagonal is not used.
    private let rows: [Double]

    /// Factors a matrix, of which the diagonal and what is right of it are read; nil: it is not positive definite.
    ///
    /// - Complexity: O(size³).
    init?(_ matrix: [Double], size: Int) {
        var rows = matrix
        var isDefinite = true
        rows.withUnsafeMutableBufferPointer { rows in
            for step in 0..<size {
                let pivot = rows[step * size + step]
                guard pivot > 0, pivot.isFinite else {
                    isDefinite = false
                    return
                }
                let root = pivot.squareRoot()
                rows[step * size + step] = root
                for column in step + 1..<max(size, step + 1) { rows[step * size + column] /= root }
                for row in step + 1..<max(size, step + 1) {
                    let factor = rows[step * size + row]
                    for column in row..<size { rows[row * size + column] -= factor * rows[step * size + column] }
                }
            }
        }
        guard isDefinite else { return nil }
        (self.size, self.rows) = (size, rows)
    }

    /// Replaces b by the solution of L·x = b.
    func solveLower(_ vector: UnsafeMutableBufferPointer<Double>) {
        rows.withUnsafeBufferPointer { rows in
            for step in 0..<size {
                let value = vector[step] / rows[step * size + step]
                vector[step] = value
                for index in step + 1..<max(size, step + 1) { vector[index] -= value * rows[step * size + index] }
            }
        }
    }

    /// Replaces the columns of a matrix of `size` rows by the solutions of A·x = column.
    func solve(_ matrix: inout [Double], columns: Int) {
        rows.withUnsafeBufferPointer { rows in
            matrix.withUnsafeMutableBufferPointer { matrix in
                func divide(_ row: Int) {
                    let pivot = rows[row * size + row]
                    for column in 0..<columns { matrix[row * columns + column] /= pivot }
                }
                func subtract(_ factor: Double, _ source: Int, from target: Int) {
                    for column in 0..<columns {
                        matrix[target * columns + column] -= factor * matrix[source * columns + column]
                    }
                }
                for step in 0..<size {
                    divide(step)
                    for row in step + 1..<max(size, step + 1) { subtract(rows[step * size + row], step, from: row) }
                }
                for step in (0..<size).reversed() {
                    for row in step + 1..<max(size, step + 1) { subtract(rows[step * size + row], row, from: step) }
                    divide(step)
                }
            }
        }
    }
}

/// Eigenvalues and eigenvectors of a symmetric matrix.
struct SymmetricEigen: Sendable {
    /// The eigenvalues, the greatest first.
    let values: [Double]
    /// The eigenvectors, of length 1, as the columns of a matrix with a row for each of the matrix's rows.
    let vectors: [Double]

    /// All of them, by Jacobi's cyclic rotations.
    ///
    /// - Complexity: About 10 · `size`³.
    init(_ matrix: [Double], size: Int) {
        var (matrix, vectors) = (matrix, [Double](repeating: 0, count: size * size))
        for index in 0..<size { vectors[index * size + index] = 1 }
        let total = matrix.reduce(0) { $0 + $1 * $1 }
        for _ in 0..<60 {
            var rest = 0.0
            for row in 0..<size {
                for column in 0..<size where row != column {
                    rest += matrix[row * size + column] * matrix[row * size + column]
                }
            }
            guard rest > 1e-26 * total else { break }
            for row in 0..<size {
                for column in row + 1..<max(size, row + 1) {
                    Self.rotate(&matrix, &vectors, size, row, column)
                }
            }
        }
        let order = (0..<size).sorted { (matrix[$1 * size + $1], $0) < (matrix[$0 * size + $0], $1) }
        values = order.map { matrix[$0 * size + $0] }
        var sorted = vectors
        for row in 0..<size {
            for (column, source) in order.enumerated() { sorted[row * size + column] = vectors[row * size + source] }
        }
        self.vectors = sorted
    }

    /// A rotation after which the value at a row and a column is 0 (Golub and Van Loan, Matrix Computations, 8.5).
    private static func rotate(
        _ matrix: inout [Double], _ vectors: inout [Double], _ size: Int, _ one: Int, _ other: Int
    ) {
        let value = matrix[one * size + other]
        guard value != 0 else { return }
        let ratio = (matrix[other * size + other] - matrix[one * size + one]) / (2 * value)
        let tangent = (ratio < 0 ? -1 : 1) / (ratio.magnitude + (1 + ratio * ratio).squareRoot())
        let cosine = 1 / (1 + tangent * tangent).squareRoot()
        let sine = tangent * cosine
        for index in 0..<size {
            let (a, b) = (matrix[index * size + one], matrix[index * size + other])
            matrix[index * size + one] = cosine * a - sine * b
            matrix[index * size + other] = sine * a + cosine * b
        }
        for index in 0..<size {
            let (a, b) = (matrix[one * size + index], matrix[other * size + index])
            matrix[one * size + index] = cosine * a - sine * b
            matrix[other * size + index] = sine * a + cosine * b
        }
        for index in 0..<size {
            let (a, b) = (vectors[index * size + one], vectors[index * size + other])
            vectors[index * size + one] = cosine * a - sine * b
            vectors[index * size + other] = sine * a + cosine * b
        }
    }

    /// The greatest ones, by subspace iteration (Golub and Van Loan, 8.2.4): exact to rounding where the eigenvalues fall fast,
    /// and a close approximation of the subspace where they do not.
    ///
    /// - Parameters:
    ///   - matrix: Positive semidefinite, `size` × `size`.
    ///   - count: How many, at most `size`.
    /// - Complexity: 40 · `size`² · (`count` + 16).
    init(greatest count: Int, of matrix: [Double], size: Int) {
        let width = min(count + 16, size)
        guard width < size else {
            let all = SymmetricEigen(matrix, size: size)
            var vectors: [Double] = []
            for row in 0..<size { vectors += all.vectors[row * size..<row * size + min(count, size)] }
            (values, self.vectors) = (Array(all.values.prefix(count)), vectors)
            return
        }
        // A basis as rows, each of `size` values, which starts with numbers that look random.
        var state: UInt64 = 0
        var basis = (0..<width * size).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) * 0x1p-53 - 0.5
        }
        Self.orthonormalise(&basis, size: size)
        for _ in 0..<20 {
            basis = Self.product(of: matrix, with: basis, size: size)
            Self.orthonormalise(&basis, size: size)
        }
        let image = Self.product(of: matrix, with: basis, size: size)
        var inner = [Double](repeating: 0, count: width * width)
        for row in 0..<width {
            for column in 0..<width {
                var sum = 0.0
                for index in 0..<size { sum += basis[row * size + index] * image[column * size + index] }
                inner[row * width + column] = sum
            }
        }
        let found = SymmetricEigen(inner, size: width)
        var vectors = [Double](repeating: 0, count: size * count)
        for source in 0..<width {
            for index in 0..<size {
                let value = basis[source * size + index]
                for column in 0..<count {
                    vectors[index * count + column] += value * found.vectors[source * width + column]
                }
            }
        }
        (values, self.vectors) = (Array(found.values.prefix(count)), vectors)
    }

    /// The products of a symmetric matrix with vectors that are rows.
    private static func product(of matrix: [Double], with rows: [Double], size: Int) -> [Double] {
        var result = [Double](repeating: 0, count: rows.count)
        result.withUnsafeMutableBufferPointer { result in
            rows.withUnsafeBufferPointer { rows in
                matrix.withUnsafeBufferPointer { matrix in
                    for start in stride(from: 0, to: rows.count, by: size) {
                        for index in 0..<size {
                            let factor = rows[start + index]
                            for column in 0..<size { result[start + column] += factor * matrix[index * size + column] }
                        }
                    }
                }
            }
        }
        return result
    }

    /// Makes vectors that are rows orthogonal and of length 1, by modified Gram-Schmidt, twice. A vector that depends on those before
    /// becomes 0.
    private static func orthonormalise(_ rows: inout [Double], size: Int) {
        rows.withUnsafeMutableBufferPointer { rows in
            for start in stride(from: 0, to: rows.count, by: size) {
                var before = 0.0
                for index in 0..<size { before += rows[start + index] * rows[start + index] }
                for _ in 0..<2 {
                    for other in stride(from: 0, to: start, by: size) {
                        var sum = 0.0
                        for index in 0..<size { sum += rows[start + index] * rows[other + index] }
                        for index in 0..<size { rows[start + index] -= sum * rows[other + index] }
                    }
                }
                var norm = 0.0
                for index in 0..<size { norm += rows[start + index] * rows[start + index] }
                let factor = norm > 1e-24 * before && norm > 0 ? 1 / norm.squareRoot() : 0
                for index in 0..<size { rows[start + index] *= factor }
            }
        }
    }
}
