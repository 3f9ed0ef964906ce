import Essentials
import FeatureModel
import TestSupport
import Testing

@testable import SignalProcessing

struct ClipStreamTests {
    /// The rows of a signal, and whether it took a second pass.
    private func rows(_ plan: FeaturePlan, _ signal: [Float], keeping: Int, piece: Int) throws -> ([UInt32], Bool) {
        let stream = try ClipStream(plan, maximumKept: keeping)
        var survey = SignalSurvey(plan)
        signal.withUnsafeBufferPointer { survey.push($0) }
        var values: [Float] = []
        func pass() -> Bool {
            signal.withUnsafeBufferPointer { samples in
                for start in stride(from: 0, to: samples.count, by: piece) {
                    let end = min(start + piece, samples.count)
                    stream.push(UnsafeBufferPointer(rebasing: samples[start..<end])) { values += $0 }
                }
            }
            return stream.finish { values += $0 }
        }
        stream.start(survey.level)
        let isComplete = pass()
        if !isComplete {
            #expect(values.isEmpty, "an incomplete pass has handed over rows")
            stream.startSecondPass()
            #expect(pass())
        }
        return (values.map(\.bitPattern), !isComplete)
    }

    @Test(  // Perch needs the level of the signal before its first row.
        arguments: Preset.allCases.filter { $0 != .perch1 })
    func
        `kept or computed twice, rows are equal to the last bit, and only those of top_db, or that are resized, are kept`(
            preset: Preset
        )
        throws
    {
        let configuration = try preset.configuration()
        let plan = try FeaturePlan(configuration, sampleRate: Double(configuration.audio.sampleRate ?? 16_000))
        var random = RandomSource(seed: 7)
        let signal = random.samples(9_000)
        let expected = try plan.features(of: signal).values.map(\.bitPattern)
        try #require(!expected.isEmpty)
        for (keeping, piece) in [(Int.max, 1_000), (0, 777), (plan.streamedBins * 17, 9_000)] {
            let (found, isTwice) = try rows(plan, signal, keeping: keeping, piece: piece)
            #expect(found == expected)
            #expect(isTwice == (plan.holdsRows && keeping < .max), "\(keeping)")
        }
    }

    @Test(
        arguments: [
            (#""rows":{"resize":0.3}"#, true),
            (#""rows":{"resize":1,"resize_bins":31,"resize_method":"nearest"}"#, true),
            (#""rows":{"resize_bins":31}"#, false),
            (#""rows":{"resize_bins":31},"scale":{"kind":"db","top_db":20}"#, true),
            (#""rows":{"resize":0.3},"scale":{"kind":"db","reference":"max"}"#, true),
            (#""rows":{"resize_bins":31},"normalize":{"scope":"clip"}"#, true),
            (#""rows":{"resize":0.5,"resize_multiple":7},"normalize":{"scope":"clip","method":"mean"}"#, true),
            (#""rows":{"resize":0.5},"transform":{"deltas":2}"#, true),
        ])
    func `resized rows are equal to the last bit, however they come`(sections: String, holdsRows: Bool) throws {
        let configuration = try JSONDecoder().decode(FeatureConfiguration.self, from: Data("{\(sections)}".utf8))
        let plan = try FeaturePlan(configuration, sampleRate: 16_000)
        #expect(plan.holdsRows == holdsRows)
        var random = RandomSource(seed: 8)
        for count in [9_000, 561, 400] {
            let signal = random.samples(count)
            let expected = try plan.features(of: signal)
            #expect(expected.rows == plan.frameCount(samples: count))
            for (keeping, piece) in [(Int.max, 100), (0, 777), (plan.streamedBins * 17, 9_000)] {
                let (found, _) = try rows(plan, signal, keeping: keeping, piece: piece)
                #expect(found == expected.values.map(\.bitPattern))
            }
        }
    }

    @Test func `a stream that was interrupted starts anew`() throws {
        let plan = try FeaturePlan(Preset.whisper.configuration(), sampleRate: 16_000)
        let signal = (0..<9_000).map { Float($0 % 100) / 100 }
        let stream = try ClipStream(plan)
        var values: [Float] = []
        signal.withUnsafeBufferPointer { stream.push($0) { values += $0 } }
        stream.start()
        signal.withUnsafeBufferPointer { stream.push($0) { values += $0 } }
        #expect(stream.finish { values += $0 })
        #expect(values == (try plan.features(of: signal)).values)
    }
}
