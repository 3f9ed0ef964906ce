import FeatureModel
import TestSupport
import Testing

@testable import SignalProcessing

struct GrowingBufferTests {
    @Test func `the buffer holds what was appended and not removed, like an array`() {
        var random = RandomSource(seed: 3)
        let buffer = GrowingBuffer()
        var expected: [Float] = []
        for _ in 0..<300 {
            switch Int(random.next() % 8) {
            case 0:
                let count = expected.isEmpty ? 0 : Int(random.next() % UInt64(expected.count + 1))
                buffer.removeFirst(count)
                expected.removeFirst(count)
            case 1 where random.next() % 10 == 0:
                buffer.removeAll()
                expected = []
            default:
                let values = random.samples(Int(random.next() % 5_000))
                #expect(values.withUnsafeBufferPointer { buffer.append($0) })
                expected += values
            }
            #expect(buffer.count == expected.count && Array(buffer.values) == expected)
        }
        #expect([Float]().withUnsafeBufferPointer { buffer.append($0) })
    }

    @Test func `rows that are flushed are those of the signal`() throws {
        let plan = try FeaturePlan(Preset.logMel.configuration(), sampleRate: 16_000)
        var random = RandomSource(seed: 5)
        let signal = random.samples(9_000)
        let stream = try ClipStream(plan)
        var values: [Float] = []
        signal.withUnsafeBufferPointer { samples in
            for start in stride(from: 0, to: samples.count, by: 500) {
                stream.push(UnsafeBufferPointer(rebasing: samples[start..<start + 500])) { values += $0 }
                stream.flush { values += $0 }
                #expect(values.count == plan.bins * plan.frameCount(samples: start + 500))
            }
        }
        #expect(stream.finish { values += $0 })
        #expect(values == (try plan.features(of: signal)).values)
    }
}
