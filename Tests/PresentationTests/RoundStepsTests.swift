import TestSupport
import Testing

@testable import Presentation

struct RoundStepsTests {
    @Test(arguments: [
        (0.0...1.0, 5, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]),
        (-80.0...0.0, 5, ["−80", "−60", "−40", "−20", "0"]),
        (-0.004...2.996, 8, ["0.0", "0.5", "1.0", "1.5", "2.0", "2.5"]),
        (0.0...8000.0, 8, ["0", "1000", "2000", "3000", "4000", "5000", "6000", "7000", "8000"]),
        (0.0...3e6, 3, ["0", "1e6", "2e6", "3e6"]),
        (0.0...2e-5, 4, ["0", "5e-6", "1e-5", "1.5e-5", "2e-5"]),
        (99.5...100.5, 2, ["99.5", "100.0", "100.5"]),
    ])
    func `steps are 1, 2 or 5 times a power of ten, and labels exact`(
        range: ClosedRange<Double>, count: Int, labels: [String]
    ) {
        #expect(RoundSteps(range, atMost: count).labels == labels)
    }

    @Test func `ranges of every size get rising ticks inside, no more than asked for`() {
        var random = RandomSource(seed: 11)
        for _ in 0..<2000 {
            let exponent = Double.random(in: -30...37, using: &random)
            let span = RoundNumber.power(Int(exponent)) * Double.random(in: 1...10, using: &random)
            let lower = span * Double.random(in: -100...100, using: &random)
            let range = lower...lower + span
            let count = Int.random(in: 2...30, using: &random)
            let ticks = RoundSteps(range, atMost: count).ticks(over: range)
            #expect((1...count + 1).contains(ticks.count), "\(range), \(count)")
            #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $0.position < $1.position })
            #expect(ticks.allSatisfy { (0...1).contains($0.position) })
            #expect(Set(ticks.map(\.label)).count == ticks.count)
        }
    }

    @Test func `a minimum step is respected`() {
        #expect(RoundSteps(-0.5...2.5, atMost: 30, minimumStep: 1).labels == ["0", "1", "2"])
    }

    @Test func `a step is 1, 2 or 5 times a power of ten, no smaller than asked for, except for its tolerance`() {
        let steps = [0.03, 1, 1.5, 3, 7, 4410, 2.000_000_001].map { RoundNumber(stepAtLeast: $0).value }
        #expect(steps == [0.05, 1, 2, 5, 10, 5000, 2])
        #expect(RoundNumber(stepAtLeast: 2.000_001, tolerance: 1e-6).value == 2)
        #expect([0, -1, .nan, .infinity].map { RoundNumber(stepAtLeast: $0).value } == [1, 1, 1, 1])
    }

    @Test func `decades hold every multiple within the range`() {
        let numbers = RoundNumber.decades([1, 2, 5], in: 0.05...20)
        #expect(numbers.map(\.value) == [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20])
        #expect(RoundNumber.decades([1], in: 2...9).isEmpty && RoundNumber.decades([1], in: 0...9).isEmpty)
    }
}
