extension FeatureAxis {
    /// Whether the frequencies fall from column to column, as with `transform.order: descending`. Pictures show such columns in
    /// reverse, so that the frequency rises.
    package var isFalling: Bool {
        guard case .frequency(let values) = self, values.count > 1 else { return false }
        return zip(values, values.dropFirst()).allSatisfy(>)
    }

    /// The axis in reverse if its frequencies fall, otherwise as it is.
    package var rising: FeatureAxis {
        guard isFalling, case .frequency(let values) = self else { return self }
        return .frequency(values.reversed())
    }
}

extension FeatureMatrix {
    /// The columns in reverse if the frequencies of `axis` fall, otherwise as they are. Of several channels, whose columns are
    /// side by side, each keeps its place.
    package func rising(by axis: FeatureAxis) -> FeatureMatrix {
        guard axis.isFalling, bins % axis.values.count == 0 else { return self }
        return FeatureMatrix(bins: bins, values: Self.reversed(values, bins: axis.values.count))
    }

    /// Rows of `bins` values, each in reverse.
    package static func reversed(_ values: [Float], bins: Int) -> [Float] {
        stride(from: 0, to: values.count, by: bins).flatMap { values[$0..<$0 + bins].reversed() }
    }
}
