import FeatureModel

/// Rows or columns that others are made of by interpolation, as if both were areas of equal size whose outer edges meet.
struct ResizedAxis {
    /// How many there are before.
    let source: Int
    /// How many there are after.
    let target: Int
    let method: RowsConfiguration.ResizeMethod

    /// What a new row or column is made of: (1 - share) of `first`, and `share` of the one after it; share is 0 for the last.
    struct Position {
        let first: Int
        let share: Double
    }

    /// Where number `index`, from 0 to before `target`, is read.
    func position(_ index: Int) -> Position {
        let last = Double(source - 1)
        let scale = Double(source) / Double(target)
        switch method {
        case .nearest:
            // In whole numbers: a quotient that is rounded first may end just below the number that the product is.
            let (product, overflow) = index.multipliedReportingOverflow(by: source)
            return Position(first: overflow ? Int(Double(index) * scale) : product / target, share: 0)
        case .bilinear:
            let center = min(max((Double(index) + 0.5) * scale - 0.5, 0), last)
            let first = center.rounded(.down)
            return Position(first: Int(first), share: center - first)
        }
    }
}

extension FeaturePlan {
    /// Centres of columns, in Hz, as columns are resized.
    static func resized(_ centers: [Double], _ rows: RowsConfiguration) -> [Double] {
        guard let bins = rows.resizeBins, !centers.isEmpty else { return centers }
        let axis = ResizedAxis(source: centers.count, target: bins, method: rows.resizeMethod)
        return (0..<bins).map { bin in
            let position = axis.position(bin)
            let first = centers[position.first]
            return position.share == 0
                ? first : first * (1 - position.share) + centers[position.first + 1] * position.share
        }
    }
}
