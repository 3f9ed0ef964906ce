import Foundation
import Presentation
import TestSupport
import Testing

@testable import Plotting

struct BinScaleTests {
    @Test func `mel bands' ticks are where the mel formula puts them`() throws {
        let bins = 80
        let scale = try BinScale(.frequencies(Sample.mel(bins: bins, top: 8000)), bins: bins, spacing: 0.08)
        #expect(scale.ticks.count >= 5)
        for tick in scale.ticks {
            let hertz = try #require(Double(tick.label))
            // Band i (from 0) is centred at mel · (i + 1) / 81 and drawn at (i + ½) / 80.
            let band = 81 * log10(1 + hertz / 700) / log10(1 + 8000.0 / 700) - 1
            #expect(abs(tick.position - (band + 0.5) / 80) < 0.001, "\(tick)")
        }
    }

    @Test func `a mel axis is not labelled in even steps, and not twice at one row`() throws {
        let scale = try BinScale(.frequencies(Sample.mel(bins: 80, top: 8000)), bins: 80, spacing: 0.08)
        #expect(scale.labels.first == "Frequency (Hz)")
        #expect(scale.ticks.contains { $0.label == "1000" } && scale.ticks.contains { $0.label == "5000" })
        let steps = zip(scale.ticks, scale.ticks.dropFirst()).map { $1.position - $0.position }
        #expect(steps.allSatisfy { $0 >= 0.08 })
    }

    @Test(arguments: [(BinAxis.samples, "Sample"), (.coefficients, "Coefficient"), (.columns, "Column")])
    func `bins without a frequency are named by what they are, and numbered from 0`(axis: BinAxis, name: String) throws
    {
        let scale = try BinScale(axis, bins: 400, spacing: 0.1)
        #expect(scale.labels == [name] && scale.ticks.first?.label == "0")
    }

    @Test func `ticks keep their distance on rising axes of every kind`() throws {
        var random = RandomSource(seed: 3)
        for _ in 0..<300 {
            let bins = Int.random(in: 1...200, using: &random)
            var frequency = Float.random(in: 0...50, using: &random)
            let growth = Float.random(in: 1...1.08, using: &random)
            var step = Float.random(in: 0.1...100, using: &random)
            let frequencies = (0..<bins).map { _ in
                frequency += step
                step *= growth
                return frequency
            }
            let scale = try BinScale(.frequencies(frequencies), bins: bins, spacing: 0.1)
            #expect(scale.ticks.allSatisfy { (0...1).contains($0.position) })
            let steps = zip(scale.ticks, scale.ticks.dropFirst()).map { $1.position - $0.position }
            #expect(steps.allSatisfy { $0 >= 0.0999 }, "\(frequencies)")
        }
    }

    @Test func `even bins are labelled in even steps, in kilohertz from 10 kHz on`() throws {
        let low = try BinScale(.frequencies(Sample.linear(bins: 257, top: 8000)), bins: 257, spacing: 0.1)
        #expect(low.labels.first == "Frequency (Hz)")
        #expect(low.ticks.map(\.label) == ["0", "1000", "2000", "3000", "4000", "5000", "6000", "7000", "8000"])
        let last = try #require(low.ticks.last).position
        #expect(abs(last - (1 - 0.5 / 257)) < 1e-6)
        let high = try BinScale(.frequencies(Sample.linear(bins: 513, top: 22_050)), bins: 513, spacing: 0.1)
        #expect(high.labels.first == "Frequency (kHz)")
        #expect(high.ticks.map(\.label) == ["0", "5", "10", "15", "20"])
    }

    @Test func `notes' ticks are at their bins`() throws {
        let notes = (0..<712).map { Float(440 * pow(2, Double($0 - 360) / 96)) }
        let scale = try BinScale(.frequencies(notes), bins: 712, spacing: 0.08)
        for tick in scale.ticks {
            let hertz = try #require(Double(tick.label))
            #expect(abs(tick.position - (96 * log2(hertz / 440) + 360.5) / 712) < 1e-4)
        }
        #expect(scale.ticks.count >= 5)
    }

    @Test func `coefficients are numbered from 0 at the middle of their bins`() throws {
        let scale = try BinScale(.coefficients, bins: 4, spacing: 0.1)
        #expect(scale.labels.first == "Coefficient")
        #expect(scale.ticks.map(\.label) == ["0", "1", "2", "3"])
        #expect(scale.ticks.map(\.position) == [0.125, 0.375, 0.625, 0.875])
    }

    @Test func `a lone bin has one tick`() throws {
        let scale = try BinScale(.frequencies([440]), bins: 1, spacing: 0.1)
        #expect(scale.ticks == [AxisTick(position: 0.5, label: "440")])
        #expect(try BinScale(.coefficients, bins: 1, spacing: 0.1).ticks == [AxisTick(position: 0.5, label: "0")])
    }
}
