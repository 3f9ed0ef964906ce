import FeatureModel

/// What may be done to expected values before they are compared with given ones.
package enum FitModel: String, CaseIterable, Codable, Sendable {
    /// Nothing.
    case exact
    /// One factor above 0 and one offset for all values.
    case affine
    /// An offset for each bin.
    case binOffset = "bin_offset"
    /// A factor above 0 and an offset for each bin.
    case binAffine = "bin_affine"

    /// The number of free parameters for `bins` bins. A factor and an offset count as eight, not two: of two explanations that are
    /// equally good, one by up to three keys of a configuration is better.
    func parameters(bins: Int) -> Int {
        switch self {
        case .exact: 0
        case .affine: 8
        case .binOffset: bins + 8
        case .binAffine: 2 * bins + 8
        }
    }
}

/// Expected values brought to given ones by least squares.
package struct ValueFit: Hashable, Sendable {
    package let model: FitModel
    /// One factor for all bins, or one for each.
    package let factor: [Double]
    package let offset: [Double]
    package let rows: RowAlignment
    /// Root of the mean square of what is left, as a share of the range of the given values.
    package let residue: Double

    /// No change to rows as they come.
    static func unchanged(expectedRows: Int, givenRows: Int) -> ValueFit {
        let rows = RowAlignment(shift: 0, expectedRows: expectedRows, givenRows: givenRows)
        return ValueFit(model: .exact, factor: [1], offset: [0], rows: rows, residue: 0)
    }

    /// The fits of all models that the number of rows allows; none where no row has a partner.
    ///
    /// - Parameter range: The range of the given values.
    static func all(_ sums: PairSums, _ rows: RowAlignment, range: Double) -> [ValueFit] {
        let all = sums.all
        guard all.count > 0 else { return [] }
        func residue(_ squares: Double) -> Double { (squares / all.count).squareRoot() / range }
        var fits = [ValueFit(model: .exact, factor: [1], offset: [0], rows: rows, residue: residue(all.squared))]
        func line(_ bin: PairSums.Bin) -> (factor: Double, offset: Double) {
            let (xx, xy, _) = bin.centred
            let factor = xx > 0 && xy > 0 ? xy / xx : 0
            guard bin.count > 0 else { return (1, 0) }
            let (x, y) = (bin.x / bin.count + sums.origin.x, bin.y / bin.count + sums.origin.y)
            return (factor, y - factor * x)
        }
        if all.centred.xy > 0 {
            let line = line(all)
            fits.append(
                ValueFit(
                    model: .affine, factor: [line.factor], offset: [line.offset], rows: rows,
                    residue: residue(all.residueOfLine)))
        }
        // With fewer rows, the fit of each bin means nothing.
        let width = sums.bins.count
        if rows.count >= 6, width > 1 {
            fits.append(
                ValueFit(
                    model: .binOffset, factor: [1],
                    offset: sums.bins.map { $0.count > 0 ? $0.difference / $0.count : 0 }, rows: rows,
                    residue: residue(sums.bins.reduce(0) { $0 + $1.residueOfOffset })))
        }
        let lines = sums.bins.map(line)
        // Bins that do not follow the expected ones at all fit by an offset alone, which explains nothing.
        if rows.count >= 12, width > 1, 2 * lines.count(where: { $0.factor > 0 }) >= width {
            fits.append(
                ValueFit(
                    model: .binAffine, factor: lines.map(\.factor), offset: lines.map(\.offset), rows: rows,
                    residue: residue(sums.bins.reduce(0) { $0 + $1.residueOfLine })))
        }
        return fits
    }

    /// The given value that an expected one should have.
    func value(_ expected: Double, bin: Int) -> Double {
        factor[factor.count == 1 ? 0 : bin] * expected + offset[offset.count == 1 ? 0 : bin]
    }
}
