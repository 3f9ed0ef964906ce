import FeatureModel
import Presentation

/// The labels of a frequency axis, in cells from the low end.
struct FrequencyLabels {
    struct Label: Hashable {
        let text: String
        let cell: Int
    }

    /// The rising frequencies of bins of equal width; empty: bins have no frequency.
    private let frequencies: [Float]
    private let bins: Int

    init(_ axis: FeatureAxis, bins: Int) {
        self.bins = bins
        if case .frequency(let values) = axis, values.count == bins, bins > 1,
            zip(values, values.dropFirst()).allSatisfy(<)
        {
            frequencies = values
        } else {
            frequencies = []
        }
    }

    var hasFrequencies: Bool { !frequencies.isEmpty }

    func labels(cells: Int, spacing: Int) -> [Label] {
        guard cells > 0 else { return [] }
        var taken: [Label] = []
        for candidate in candidates(count: max(cells / max(spacing, 1), 1)) {
            guard let share = position(candidate) else { continue }
            let label = Label(text: text(candidate), cell: min(Int(share * Double(cells)), cells - 1))
            guard taken.allSatisfy({ abs($0.cell - label.cell) >= spacing }) else { continue }
            taken.append(label)
        }
        return taken
    }

    /// The position of a frequency: 0 at the lower edge of the lowest bin, 1 at the upper edge of the highest; nil outside.
    func position(_ hertz: Double) -> Double? {
        guard hasFrequencies else { return hertz < Double(bins) ? (hertz + 0.5) / Double(bins) : nil }
        guard let first = frequencies.first, let last = frequencies.last, hertz >= Double(first), hertz <= Double(last)
        else { return nil }
        let high = min(frequencies.partitioningIndex { Double($0) > hertz }, frequencies.count - 1)
        let low = high - 1
        let step = Double(frequencies[high] - frequencies[low])
        return (Double(low) + (hertz - Double(frequencies[low])) / step + 0.5) / Double(bins)
    }

    /// Round numbers in the order of their priority.
    private func candidates(count: Int) -> [Double] {
        let top = Double(frequencies.last ?? Float(bins))
        let step = RoundNumber(stepAtLeast: top / Double(count), tolerance: 1e-6).value
        let even = stride(from: 0, through: top, by: step).map { $0 }
        guard hasFrequencies, !isEven else { return even }
        // From the top, where a stretched axis has most space.
        let series = top > 10 ? RoundNumber.decades([1, 2, 5], in: 10...top) : []
        return (series.filter { $0.digits == 1 }.reversed() + series.reversed()).map(\.value)
    }

    private var isEven: Bool {
        guard let first = frequencies.first, let last = frequencies.last else { return true }
        let middle = Double(frequencies[frequencies.count / 2])
        let straight =
            Double(first) + Double(last - first) * Double(frequencies.count / 2) / Double(frequencies.count - 1)
        return abs(middle - straight) < 0.02 * Double(last - first)
    }

    private func text(_ number: Double) -> String {
        guard hasFrequencies, number >= 1000 else { return Wording.number(number) }
        return Wording.number(number / 1000) + "k"
    }
}
