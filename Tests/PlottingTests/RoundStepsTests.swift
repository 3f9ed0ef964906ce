import TestSupport
import Testing

@testable import Plotting

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

    @Test func `a least step is kept`() {
        #expect(RoundSteps(-0.5...2.5, atMost: 30, least: 1).labels == ["0", "1", "2"])
    }

    @Test func `times from two minutes on read minutes and seconds`() {
        let long = TimeAxis(frames: 30_000, framePeriod: 0.01, firstFrameTime: 0)
        #expect(long.label == "Time (min:s)")
        #expect(long.ticks(atMost: 6).map(\.label) == ["0:00", "1:00", "2:00", "3:00", "4:00"])
        let short = TimeAxis(frames: 300, framePeriod: 0.01, firstFrameTime: 0)
        #expect(short.label == "Time (s)")
        #expect(short.ticks(atMost: 3).map(\.label) == ["0", "1", "2"])
    }

    @Test func `a tick at a frame's time stands at the middle of the frame`() throws {
        let axis = TimeAxis(frames: 10, framePeriod: 1, firstFrameTime: 3)
        let tick = try #require(axis.ticks(atMost: 10).first)
        #expect(tick == AxisTick(position: 0.05, label: "3"))
    }
}
