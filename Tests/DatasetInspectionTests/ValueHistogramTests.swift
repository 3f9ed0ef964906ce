import TestSupport
import Testing

@testable import DatasetInspection

struct ValueHistogramTests {
    private func histogram(_ values: [Float]) -> ValueHistogram {
        var histogram = ValueHistogram()
        for value in values { histogram.add(value) }
        return histogram
    }

    /// What the definition counts.
    private func counts(_ values: [Float], like histogram: ValueHistogram) -> [Int] {
        histogram.counts.indices.map { clipIndex in
            let low = histogram.lowerEdge + Double(clipIndex) * histogram.width
            return values.filter { Double($0) >= low && Double($0) < low + histogram.width }.count
        }
    }

    @Test func `every value is counted in the interval that it lies in`() {
        var random = RandomSource(seed: 1)
        let noise = random.samples(5000)
        for values in [
            noise, noise.map { $0 * 1e-6 - 3 }, noise.map { $0 * 1e9 }, noise.map { $0 > 0 ? 1e30 : $0 }, [0],
            [-2.5, -2.5],
            [0, -0.0, 1e-38], [Float.greatestFiniteMagnitude, -Float.greatestFiniteMagnitude, 1],
        ] {
            let found = histogram(values)
            #expect(found.counts == counts(values, like: found) && found.total == values.count)
            #expect(found.counts.count <= ValueHistogram.maximumIntervals && found.counts.first != 0)
        }
    }

    @Test func `the order of values does not matter`() {
        var random = RandomSource(seed: 2)
        let values = random.samples(3000).map { $0 * $0 * $0 * 40 + 41 }
        #expect(histogram(values) == histogram(values.shuffled(using: &random)))
        #expect(histogram(values).counts.count > ValueHistogram.maximumIntervals / 4)
    }

    @Test func `parts that start alike add up to the histogram of all`() {
        var random = RandomSource(seed: 5)
        let noise = random.samples(6000)
        for values in [
            noise, noise.map { $0 * 1e-6 - 3 }, noise.enumerated().map { $1 * Float($0 * $0) }, [2],
            noise.map { $0 > 0.4 ? 1e30 : $0 },
        ] {
            let whole = histogram(values)
            // Parts may end in any order: those of wide intervals come first, or last.
            for order in [[0], [0, 1], [1, 0], Array(0..<7), (0..<7).reversed(), [3, 6, 0, 5, 1, 4, 2]] {
                let parts = order.count
                var sum = ValueHistogram()
                for part in order {
                    var own = ValueHistogram(startingAt: values[0])
                    let size = (values.count + parts - 1) / parts
                    let range = min(part * size, values.count)..<min((part + 1) * size, values.count)
                    values.withUnsafeBufferPointer { own.add(UnsafeBufferPointer(rebasing: $0[range])) }
                    sum.add(own)
                }
                #expect(sum == whole, "\(order)")
            }
        }
    }

    @Test func `folding keeps every count, and says what is outside the range`() {
        var random = RandomSource(seed: 3)
        let values = random.samples(4000) + [1e6, -1e5, 2e6]
        let (folded, below, above) = histogram(values).folded(to: 50, tail: 0.001)
        #expect(below + folded.total + above == values.count && above > 0 && below > 0)
        #expect(folded.counts.count <= 50 && folded.counts == counts(values, like: folded))
        let same = histogram([1, 2, 3]).folded(to: 1, tail: 0)
        #expect(same.histogram.counts == [3] && same.below == 0 && same.above == 0)
        #expect(ValueHistogram().folded(to: 5, tail: 0.1).histogram.counts.isEmpty)
    }
}
