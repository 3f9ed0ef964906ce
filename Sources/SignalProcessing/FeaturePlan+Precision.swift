import FeatureModel

/// In which precision rows are computed.
///
/// What a clip's own statistics, or its maximum, are subtracted from may hardly vary: then the last digit of a `Float` is a large part of
/// what is left. Such rows are double precision until that is done. All others are single precision as soon as they leave the
/// transform.
extension FeaturePlan {
    /// Whether a plan of the configuration computes rows in double precision up to their last step.
    package static func isPrecise(_ configuration: FeatureConfiguration) -> Bool {
        // Samples are single precision.
        guard configuration.transform.kind != .raw else { return false }
        return configuration.normalize.scope == .clip || configuration.scale.isRelativeToMaximum
    }

    /// Whether the values of a clip's rows are followed by their rests until the clip is normalised (`RowRests`).
    package var hasRests: Bool { isPrecise && configuration.rowNormalization.scope == .clip }

    /// The same of the rows of a `FeatureStream`, which are not resized.
    var computesRests: Bool { isPrecise && configuration.normalize.scope == .clip }

    /// Numbers in a row of a clip until the clip is normalised: its values, with their rests where it `hasRests`.
    package var rowWidth: Int { columns * (hasRests ? 2 : 1) }

    /// A row that is added before normalisation (`rows.fill`), of `rowWidth` numbers.
    ///
    /// - Parameter least: The least value of the clip's own rows, which is used with `rows.fill: min` alone.
    package func fillRow(least: Double) -> [Float] {
        let value = configuration.rows.fillsWithLeast ? least : configuration.rows.fill
        return Array(unsafeUninitializedCapacity: rowWidth) { row, count in
            guard let start = row.baseAddress else { return }
            RowRests.round(repeating: value, count: columns, into: start, keepsRests: hasRests)
            count = rowWidth
        }
    }

    /// The least value of rows of `rowWidth` numbers; ∞: there is none.
    package func least(of rows: UnsafeBufferPointer<Float>) -> Double {
        guard hasRests else { return rows.reduce(.infinity) { min($0, Double($1)) } }
        return stride(from: 0, to: rows.count, by: 2).reduce(.infinity) { least, index in
            min(least, Double(rows[index]) + Double(rows[index + 1]))
        }
    }

    /// Numbers in a row of a stream that keeps rests and is without the peak.
    package var streamedWidth: Int { streamedBins * (isPrecise ? 2 : 1) }
}
