import ArrayFiles
import FeatureModel

/// An array as rows of bins, and what had to be done to its axes for that.
package struct ArrayLayout: Hashable, Sendable {
    /// A difference in shape that changes no value.
    package enum Step: String, CaseIterable, Codable, Sendable {
        /// Axes of length 1 were left out.
        case extraAxes = "extra_axes"
        /// Rows and bins were swapped.
        case transposed
        /// One axis held all rows one after another.
        case flattened
        /// Several rows were side by side in one.
        case stacked
        /// Rows were grouped into patches without overlap, along an axis of its own.
        case patches
        /// Rows that belong side by side in one had an axis of their own.
        case apart
        /// The channels came before the rows, not within them.
        case channelsFirst = "channels_first"
        /// The channels of a row lay in one axis with its bins.
        case channelsJoined = "channels_joined"
        /// Rows of one repeated value after the expected ones were left out.
        case filledRows = "filled_rows"
        /// A column before the bins was left out.
        case firstColumn = "first_column"
        /// A column after the bins was left out.
        case lastColumn = "last_column"

        /// Whether it is one of the axes alone: the array is the same table of rows and bins.
        var isOfAxes: Bool { self == .extraAxes || self == .transposed }
    }

    /// Rows and bins.
    package let matrix: FeatureMatrix
    /// What was done, in this order.
    package let steps: [Step]
    /// The rows that the step `filledRows` left out: their number and their value.
    package var padding: (count: Int, value: Float)? { paddedRows.map { ($0.count, $0.value) } }
    private let paddedRows: PaddedRows?

    private struct PaddedRows: Hashable {
        let count: Int
        let value: Float
    }

    private init(_ matrix: FeatureMatrix, _ steps: [Step], _ paddedRows: PaddedRows? = nil) {
        (self.matrix, self.steps, self.paddedRows) = (matrix, steps, paddedRows)
    }

    /// Usual numbers of bins, which distinguish an axis of bins from one of rows.
    private static let usualBins: Set = [
        12, 13, 20, 23, 24, 26, 32, 36, 39, 40, 60, 64, 80, 96, 100, 120, 128, 160, 161, 201, 229, 256, 257, 513, 1025,
    ]

    /// The ways to read an array as rows of bins, the likeliest first; none: it has another number of axes, or no values.
    ///
    /// - Parameters:
    ///   - rows: The number that is expected.
    ///   - bins: Likewise.
    ///   - patch: The shape of patches, where rows are expected to be grouped.
    ///   - channels: Channels of the recording, where each may have bins of its own in a row.
    ///   - isChannelled: Whether each is expected to.
    package static func candidates(
        _ array: NumericArray, rows: Int, bins: Int, patch: PatchShape? = nil, channels: Int = 1,
        isChannelled: Bool = false
    ) -> [ArrayLayout] {
        guard !array.values.isEmpty else { return [] }
        if let patch, let layout = grouped(array, patch, bins: bins) { return [layout] }
        if let layout = channelled(array, bins: bins, channels, isExpected: isChannelled) { return [layout] }
        var shape = array.shape.filter { $0 != 1 }
        var steps: [Step] = shape.count < array.shape.count && array.shape.count > 2 ? [.extraAxes] : []
        if shape.count < 2, array.shape.count >= 2 {
            // A single row, or a single bin.
            let long = shape.first ?? 1
            shape = array.shape.last == 1 && long != bins || bins == 1 ? [long, 1] : [1, long]
            if array.shape.suffix(2) != shape[...] { steps.append(.transposed) }
            return [ArrayLayout(FeatureMatrix(bins: shape[1], values: array.values), steps)]
        }
        if array.shape.count < 2 {
            guard array.values.count % bins == 0 else { return [] }
            return [ArrayLayout(FeatureMatrix(bins: bins, values: array.values), steps + [.flattened])]
        }
        if shape.count == 3, shape[2] == bins || usualBins.contains(shape[2]),
            abs(shape[0] * shape[1] - rows) < shape[1]
        {
            return [ArrayLayout(FeatureMatrix(bins: shape[2], values: array.values), steps + [.patches])]
        }
        guard shape.count == 2 else { return [] }
        if let count = stacked(shape, rows: rows, bins: bins) {
            return [ArrayLayout(FeatureMatrix(bins: shape[1] / count, values: array.values), steps + [.stacked])]
        }
        func layout(isTransposed: Bool) -> ArrayLayout {
            guard isTransposed else { return ArrayLayout(FeatureMatrix(bins: shape[1], values: array.values), steps) }
            return ArrayLayout(transposed(array.values, rows: shape[0], columns: shape[1]), steps + [.transposed])
        }
        switch (shape[0] == bins, shape[1] == bins) {
        case (true, true): return [layout(isTransposed: false), layout(isTransposed: true)]
        case (false, true): return [layout(isTransposed: false)]
        case (true, false): return [layout(isTransposed: true)]
        case (false, false): break
        }
        // Another number of bins: the axis that is not a number of rows, or a usual number of bins, or the shorter one.
        let fits = shape.map { abs($0 - rows) <= 3 }
        let isUsual = shape.map(usualBins.contains)
        let isTransposed =
            fits[0] != fits[1] ? fits[1] : isUsual[0] != isUsual[1] ? isUsual[0] : shape[0] < shape[1]
        return [layout(isTransposed: isTransposed)]
    }

    /// An array whose rows are grouped as patches, maybe with bins before rows or with the rows apart; nil: it has another shape.
    private static func grouped(_ array: NumericArray, _ patch: PatchShape, bins: Int) -> ArrayLayout? {
        let one = patch.isStacked ? [patch.length * bins] : [patch.length, bins]
        var shape = array.shape[...]
        var steps: [Step] = []
        while shape.count > one.count + 1, let index = shape.firstIndex(of: 1) {
            shape.remove(at: index)
            steps = [.extraAxes]
        }
        let matrix = FeatureMatrix(bins: bins, values: array.values.count % bins == 0 ? array.values : [])
        if shape.dropFirst() == one[...] { return ArrayLayout(matrix, steps) }
        if shape.count == 2, shape.last == bins { return ArrayLayout(matrix, steps + [.apart]) }
        guard !patch.isStacked, shape.dropFirst() == [bins, patch.length] else { return nil }
        let size = bins * patch.length
        let values = stride(from: 0, to: array.values.count, by: size).flatMap {
            transposed(Array(array.values[$0..<($0 + size)]), rows: bins, columns: patch.length).values
        }
        return ArrayLayout(FeatureMatrix(bins: bins, values: values), steps + [.transposed])
    }

    /// An array in which each channel has bins of its own; nil: it has another shape.
    private static func channelled(
        _ array: NumericArray, bins: Int, _ channels: Int, isExpected: Bool
    ) -> ArrayLayout? {
        guard channels > 1 || isExpected else { return nil }
        let width = channels * bins
        if isExpected, array.shape.count == 2, array.shape[1] == width, channels > 1 {
            return ArrayLayout(FeatureMatrix(bins: width, values: array.values), [.channelsJoined])
        }
        var shape = array.shape[...]
        while shape.count > 3, shape.first == 1 { shape.removeFirst() }
        guard shape.count == 3, shape.last == bins, shape.contains(channels) else { return nil }
        let steps: [Step] = shape.count < array.shape.count ? [.extraAxes] : []
        if shape[shape.startIndex + 1] == channels {
            return ArrayLayout(FeatureMatrix(bins: width, values: array.values), steps)
        }
        guard shape.first == channels, channels > 1 else { return nil }
        let count = shape[shape.startIndex + 1]
        var values: [Float] = []
        values.reserveCapacity(array.values.count)
        for row in 0..<count {
            for channel in 0..<channels {
                let start = (channel * count + row) * bins
                values.append(contentsOf: array.values[start..<(start + bins)])
            }
        }
        return ArrayLayout(FeatureMatrix(bins: width, values: values), steps + [.channelsFirst])
    }

    /// How many rows are side by side in one; nil: just one.
    private static func stacked(_ shape: [Int], rows: Int, bins: Int) -> Int? {
        // An axis that is one of bins or of rows is that.
        guard !shape.contains(bins), !shape.contains(where: { abs($0 - rows) <= 3 }) else { return nil }
        return (2...8).first { count in
            let width = shape[1] / count
            return shape[1] % count == 0 && abs(shape[0] * count - rows) < count && shape[0] > 1
                && (width == bins || usualBins.contains(width))
        }
    }

    private static func transposed(_ values: [Float], rows: Int, columns: Int) -> FeatureMatrix {
        var turned: [Float] = []
        turned.reserveCapacity(values.count)
        for column in 0..<columns { for row in 0..<rows { turned.append(values[row * columns + column]) } }
        return FeatureMatrix(bins: rows, values: turned)
    }

    /// The layout without its first or its last column, such as one of energies next to the bins; nil: another step, or one column.
    func without(_ column: Step) -> ArrayLayout? {
        let (first, last) = (column == .firstColumn, column == .lastColumn)
        guard first || last, matrix.bins > 1 else { return nil }
        let values = (0..<matrix.rows).flatMap { first ? matrix[row: $0].dropFirst() : matrix[row: $0].dropLast() }
        return ArrayLayout(FeatureMatrix(bins: matrix.bins - 1, values: values), steps + [column], paddedRows)
    }

    /// The layout without the rows after `rows`, if they all hold one value: padding with a constant.
    package func withoutPadding(after rows: Int) -> ArrayLayout {
        guard matrix.rows > rows + 1, rows > 0, paddedRows == nil, let value = matrix.values.last else { return self }
        var kept = matrix.rows
        while kept > rows, matrix[row: kept - 1].allSatisfy({ $0 == value }) { kept -= 1 }
        guard kept <= rows + 1, kept < matrix.rows - 1 else { return self }
        return ArrayLayout(
            FeatureMatrix(bins: matrix.bins, values: Array(matrix.values[..<(kept * matrix.bins)])),
            steps + [.filledRows], PaddedRows(count: matrix.rows - kept, value: value))
    }
}
