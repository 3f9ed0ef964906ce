import FeatureModel
import TestSupport
import Testing

@testable import SignalProcessing

/// Statistics of the rows of a clip, in pieces of any size, are those of an extraction of the clip, to the last bit.
struct RegroupedStatisticsTests {
    private func plan(deltas: Int, top: Double?) throws -> FeaturePlan {
        let transform = TransformConfiguration.mel(
            try MelConfiguration(bins: 11, high: 4000), deltas: try DeltaConfiguration(order: deltas, window: 9))
        return try FeaturePlan(
            FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: 8000),
                frame: FrameConfiguration(length: .samples(64), hop: .samples(32), fftLength: 64),
                transform: transform, scale: ScaleConfiguration(kind: .db, topDB: top),
                normalize: NormalizeConfiguration(scope: .none)), sampleRate: 8000)
    }

    @Test(arguments: [0, 1, 2], [nil, 30.0])
    func `pieces of any size`(deltas: Int, top: Double?) throws {
        let plan = try plan(deltas: deltas, top: top)
        var random = RandomSource(seed: 3)
        for samples in [64, 96, 64 + 32 * 14, 64 + 32 * 15, 64 + 32 * 16, 2000, 5000] {
            for maximumKept in top == nil ? [Int.max] : [.max, 0] {
                let signal = random.samples(samples)
                let stream = try ClipStream(plan, maximumKept: maximumKept)
                let accumulator = try StatisticsAccumulator(bins: plan.bins)
                var rows: [Float] = []
                func receive(_ values: UnsafeBufferPointer<Float>) {
                    accumulator.add(values)
                    rows.append(contentsOf: values)
                }
                stream.start()
                signal.withUnsafeBufferPointer { stream.push($0, receive: receive) }
                if !stream.finish(receive: receive) {
                    stream.startSecondPass()
                    signal.withUnsafeBufferPointer { stream.push($0, receive: receive) }
                    _ = stream.finish(receive: receive)
                }
                let count = rows.count / plan.bins
                for piece in [1, 3, 16, 1000] {
                    let found = try RegroupedStatistics.ofClip(
                        plan, count: count, isWhole: plan.needsWholeClip && maximumKept > 0
                    ) { add in
                        for start in stride(from: 0, to: rows.count, by: piece * plan.bins) {
                            rows[start..<min(start + piece * plan.bins, rows.count)].withUnsafeBufferPointer(add)
                        }
                    }
                    #expect(found == accumulator.statistics(), "\(samples) samples in pieces of \(piece) rows")
                }
            }
        }
    }
}
