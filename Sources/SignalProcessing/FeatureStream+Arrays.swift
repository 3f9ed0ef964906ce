import FeatureModel

extension FeatureStream {
    /// Takes samples and returns the rows that they complete, `rowBins` values wide.
    ///
    /// The same as `push(_:receive:)`, at the cost of an array.
    ///
    /// - Parameter samples: On the unit scale, at the plan's sample rate.
    public func push(_ samples: [Float]) -> FeatureMatrix {
        var values: [Float] = []
        samples.withUnsafeBufferPointer { samples in push(samples) { values.append(contentsOf: $0) } }
        return FeatureMatrix(bins: rowBins, values: values)
    }

    /// Returns the rows that are left, those past the signal's end included, and begins a new signal.
    public func finish() -> FeatureMatrix {
        let bins = rowBins
        var values: [Float] = []
        finish { values.append(contentsOf: $0) }
        return FeatureMatrix(bins: bins, values: values)
    }
}
