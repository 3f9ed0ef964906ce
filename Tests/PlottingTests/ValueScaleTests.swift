import TestSupport
import Testing

@testable import Plotting

struct ValueScaleTests {
    @Test(arguments: [1, 2, 3, 10, 1000, 4097])
    func `ranked values equal those of sorting`(count: Int) {
        var random = RandomSource(seed: UInt64(count))
        let values = random.samples(count).map { $0 * 1e3 } + [.nan, .infinity, -.infinity]
        let sorted = values.filter(\.isFinite).sorted()
        let ranks = RankedValues(values)
        for fraction in [0, 0.01, 0.25, 0.5, 0.995, 1] {
            #expect(ranks.value(at: fraction) == sorted[Int(fraction * Double(count - 1))])
        }
    }

    @Test func `a range that has none of the values is told from one that has some`() {
        #expect(ValueSpan.fixed(40...90).missed(by: [[-3, .nan], [1, .infinity]]) == -3...1)
        #expect(ValueSpan.fixed(0...0.5).missed(by: [[-3, 1]]) == -3...1)
        #expect(ValueSpan.fixed(1...90).missed(by: [[-3, 1]]) == nil)
        #expect(ValueSpan.fixed(1...90).missed(by: [[.nan], []]) == nil && ValueSpan.usual.missed(by: [[1]]) == nil)
    }

    @Test func `a few outliers do not move the range`() {
        var random = RandomSource(seed: 1)
        let values = random.samples(10_000)
        let scale = ValueScale(suiting: values + [1e30, -1e30, .infinity, .nan])
        #expect(scale.range.lowerBound > -1 && scale.range.lowerBound < -0.95)
        #expect(scale.range.upperBound < 1 && scale.range.upperBound > 0.95)
    }

    @Test func `a thin line in silence sets the upper end`() {
        let scale = ValueScale(suiting: Sample.tone(rows: 10, bins: 1000, bright: [20]).values)
        #expect(scale.range == -100...0)
    }

    @Test func `equal values are in the middle of a range around them`() {
        #expect(ValueScale(suiting: [0, 0, 0]).range == -0.5...0.5)
        #expect(ValueScale(suiting: [-100]).range == -101...(-99))
        #expect(ValueScale(3...3).range == 2.5...3.5)
        let huge = ValueScale(suiting: [.greatestFiniteMagnitude])
        #expect(huge.index(of: Double(Float.greatestFiniteMagnitude)) == 128)
    }

    /// Noise around −70 dB and a few values of a song up to 0 dB.
    private func levels(noise: Float, song: Int, peak: Float = 0) -> RankedValues {
        RankedValues(
            (0..<10_000).map { noise + Float($0 % 7) - 3 } + (0..<song).map { -20 * Float($0) / Float(song) } + [peak])
    }

    @Test func `levels span from below the noise to the song, 40 to 70 dB`() {
        for (noise, width) in [(Float(-50), 60.0), (-100, 70), (-20, 40)] {
            let range = ValueScale(.levels, of: levels(noise: noise, song: 500)).range
            #expect(range.upperBound <= 0 && range.upperBound > -1)
            #expect((range.upperBound - range.lowerBound - width).magnitude < 1)
        }
    }

    @Test func `a click that is louder than all else does not darken the song`() {
        let with = ValueScale(.levels, of: levels(noise: -50, song: 500, peak: 50)).range
        #expect(with == ValueScale(.levels, of: levels(noise: -50, song: 500)).range)
        #expect(ValueScale(.levels, of: RankedValues([.nan])).range == -70...0)
        // Silence is dark.
        #expect(ValueScale(.levels, of: RankedValues([-100, -100])).range == -100...(-60))
        #expect(ValueScale(.belowPeak(80), of: RankedValues([-100, -100])).range == -100...(-20))
        #expect(ValueScale(.belowPeak(80), of: RankedValues([-100, -90])).range == -170...(-90))
        #expect(ValueScale(.belowPeak(80), of: RankedValues([Float]())).range == -80...0)
    }

    @Test func `without finite values the range is 0 to 1`() {
        #expect(ValueScale(suiting: []).range == 0...1)
        #expect(ValueScale(suiting: [.nan, .infinity]).range == 0...1)
    }
}
