import Presentation

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

    /// The bins of which a part lies in a band of frequencies in hertz; each reaches half-way to its neighbours.
    ///
    /// - Throws: `PlotError` where there is none, or bins have no frequency.
    func bins(in band: ClosedRange<Double>) throws(PlotError) -> Range<Int> {
        guard case .frequencies(let frequencies) = self, !frequencies.isEmpty else {
            throw .invalidSetting(
                name: "band", found: "bins without a frequency", expected: "bins that stand for frequencies")
        }
        let range = FrequencyScale(frequencies).range
        func edge(above bin: Int) -> Double {
            bin + 1 < frequencies.count
                ? (Double(frequencies[bin]) + Double(frequencies[bin + 1])) / 2 : range.upperBound
        }
        let first = frequencies.indices.first { edge(above: $0) > band.lowerBound }
        let last = frequencies.indices.last { bin in
            (bin == 0 ? range.lowerBound : edge(above: bin - 1)) < band.upperBound
        }
        guard let first, let last, first <= last else {
            throw .invalidSetting(
                name: "band",
                found: "\(Wording.thousandths(band.lowerBound)) to \(Wording.thousandths(band.upperBound)) Hz",
                expected:
                    "frequencies within \(Wording.thousandths(max(range.lowerBound, 0))) to \(Wording.thousandths(range.upperBound)) Hz"
            )
        }
        return first..<last + 1
    }

    /// The axis of some of the bins. Coefficients and columns are numbered anew.
    func cropped(to bins: Range<Int>) -> BinAxis {
        guard case .frequencies(let frequencies) = self else { return self }
        return .frequencies(Array(frequencies[bins]))
    }
}
