import FeatureModel
import SignalProcessing

/// The features that an array is compared with.
package enum ExpectedFeatures {
    /// The configuration without a normalisation over a dataset, of which a single array knows nothing.
    ///
    /// - Throws: Never in practice: sections that are valid apart are valid together.
    package static func comparable(
        _ configuration: FeatureConfiguration
    ) throws(ConfigurationError) -> FeatureConfiguration {
        guard configuration.normalize.scope == .dataset else { return configuration }
        return try configuration.with(normalize: NormalizeConfiguration.none)
    }

    /// The features of all signals of a clip, side by side in each row.
    ///
    /// - Throws: `SignalError` where memory runs out.
    package static func rows(of signals: [[Float]], _ plan: FeaturePlan) throws(SignalError) -> FeatureMatrix {
        guard signals.count > 1 else { return try rows(of: signals.first ?? [], plan) }
        var all: [FeatureMatrix] = []
        for signal in signals { all.append(try rows(of: signal, plan)) }
        var values: [Float] = []
        let count = all.map(\.rows).min() ?? 0
        values.reserveCapacity(count * plan.bins * all.count)
        for row in 0..<count { for matrix in all { values.append(contentsOf: matrix[row: row]) } }
        return FeatureMatrix(bins: plan.bins * all.count, values: values)
    }

    /// The features of a signal, normalised by its own statistics or by constants if that is configured, with the rows that are
    /// added; of patches, the rows of one after another.
    ///
    /// - Throws: `SignalError` where memory runs out.
    package static func rows(of samples: [Float], _ plan: FeaturePlan) throws(SignalError) -> FeatureMatrix {
        let rows = FeatureMatrix(bins: plan.bins, values: try normalized(samples, plan))
        guard plan.storesOtherRowCount else { return rows }
        let arrangement = try RowArrangement(plan)
        var (values, arranged): ([Float], [Float]) = (rows.values, [])
        arranged.reserveCapacity(plan.storedRowCount(rows.rows) * rows.bins)
        arrangement.start()
        values.withUnsafeMutableBufferPointer { rows in arrangement.push(rows) { arranged.append(contentsOf: $0) } }
        arrangement.finish { arranged.append(contentsOf: $0) }
        return FeatureMatrix(bins: rows.bins, values: arranged)
    }

    /// The values of all rows, normalised likewise.
    private static func normalized(_ samples: [Float], _ plan: FeaturePlan) throws(SignalError) -> [Float] {
        var values = try plan.rows(of: samples, keepsRests: true)
        let hasRests = plan.hasRests
        let normalize = plan.configuration.rowNormalization
        let statistics: BinStatistics?
        switch normalize.scope {
        case .none, .dataset: statistics = nil
        case .constant: statistics = BinStatistics(bins: plan.bins)
        case .clip:
            let accumulator = try StatisticsAccumulator(bins: plan.bins, hasRests: hasRests)
            values.withUnsafeBufferPointer { accumulator.add($0) }
            statistics = accumulator.statistics()
        }
        let normalizer = statistics.map { Normalizer(normalize, statistics: $0) }
        let count = values.withUnsafeMutableBufferPointer { values in
            (normalizer?.apply(values, hasRests: hasRests) ?? (hasRests ? RowRests.drop(values) : values)).count
        }
        values.removeLast(values.count - count)
        return values
    }
}
