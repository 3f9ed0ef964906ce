/// What the bins of a matrix stand for.
package enum BinAxis: Hashable, Sendable {
    /// The frequency of each bin in hertz, 0 … 1e9, rising, not necessarily in equal steps.
    case frequencies([Float])
    /// Coefficients without a frequency, numbered from 0.
    case coefficients
    /// Columns in several parts or of another order, numbered from 0.
    case columns
}

extension BinAxis {
    /// Throws where the axis does not fit a matrix of `bins`.
    func validate(bins: Int) throws(PlotError) {
        guard case .frequencies(let frequencies) = self else { return }
        guard frequencies.count == bins else {
            throw .invalidSetting(
                name: "axis", found: "\(frequencies.count) frequencies",
                expected: "a frequency for each of \(bins) bins")
        }
        for (bin, frequency) in frequencies.enumerated() {
            guard (0...1e9).contains(frequency), bin == 0 || frequency > frequencies[bin - 1] else {
                throw .invalidSetting(
                    name: "axis", found: "\(frequency) Hz at bin \(bin)",
                    expected: "frequencies from 0 to 1e9 Hz in rising order")
            }
        }
    }
}
