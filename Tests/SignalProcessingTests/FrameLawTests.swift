import FeatureModel
import TestSupport
import Testing

@testable import SignalProcessing

struct FrameLawTests {
    private func complexPlan(_ settings: [String: SettingValue] = [:]) throws -> FeaturePlan {
        let base: [String: SettingValue] = [
            "frame.length": 200, "frame.hop": 80, "frame.fft_length": 256, "transform": ["kind": "fft"],
            "scale.kind": "complex",
        ]
        return try ConfigurationCase(.logMel, base.merging(settings) { $1 }).plan()
    }

    @Test func `real and imaginary parts of a sum of signals are the sum of theirs, conditioning and edges included`()
        throws
    {
        var random = RandomSource(seed: 371)
        for settings: [String: SettingValue] in [
            [:], ["frame.align": "center"], ["frame.align": "kaldi"],
            ["frame.remove_dc": true, "frame.pre_emphasis": 0.97],
            ["condition": ["remove_dc": true, "pre_emphasis": 0.9]],
        ] {
            let plan = try complexPlan(settings)
            let (first, second) = (random.samples(2000), random.samples(2000))
            let mixed = zip(first, second).map { 0.5 * $0 - 0.25 * $1 }
            let rows = try [first, second, mixed].map { try plan.features(of: $0).values }
            let expected = zip(rows[0], rows[1]).map { 0.5 * Double($0) - 0.25 * Double($1) }
            #expect(relativeError(rows[2], expected) <= 1e-6, "\(settings)")
        }
    }

    @Test(arguments: [255, 256])
    func `powers of a frame's bins obey Parseval's theorem`(fftLength: Int) throws {
        var random = RandomSource(seed: 372)
        let plan = try complexPlan([
            "frame.fft_length": .number(Double(fftLength)), "frame.window": "rectangular",
            "scale.kind": "power",
        ])
        let signal = random.samples(2000)
        let features = try plan.features(of: signal)
        for row in 0..<features.rows {
            let energy = signal[row * 80..<row * 80 + 200].reduce(0) { $0 + Double($1) * Double($1) }
            let total = features[row: row].enumerated().reduce(0.0) { sum, bin in
                sum + Double(bin.element) * (bin.offset == 0 || 2 * bin.offset == fftLength ? 1 : 2)
            }
            #expect(abs(total / Double(fftLength) - energy) <= 1e-6 * energy, "row \(row)")
        }
    }

    @Test(arguments: Preset.allCases)
    func `a signal that starts a hop later has the same rows, one earlier, bit for bit`(preset: Preset) throws {
        // Away from the edges, and without what looks at the whole clip or the past.
        var settings: [String: SettingValue] = ["scale.top_db": nil]
        let own = try preset.configuration()
        if own.transform.deltas.order > 0 { settings["transform.deltas"] = 0 }
        if own.audio.duration != nil { (settings["audio.duration"], settings["audio.fit"]) = (.some(nil), .some(nil)) }
        if own.condition.removeDC || own.condition.gain.needsWholeClip { settings["condition"] = [:] }
        if own.scale.kind == .pcen { settings["scale"] = ["kind": "power"] }
        if own.rows.isResized { settings["rows"] = [:] }
        let plan = try ConfigurationCase(preset, settings).plan()
        let (hop, length) = (plan.geometry.hop, plan.geometry.fftLength)
        var random = RandomSource(seed: 373)
        let signal = random.samples(length + 40 * hop)
        let whole = try plan.features(of: signal)
        for hops in [1, 5, 16] {
            let later = try plan.features(of: Array(signal[(hops * hop)...]))
            let edge = plan.configuration.frame.align == .start ? 0 : length / hop + 1
            let common = edge..<min(later.rows, whole.rows - hops) - edge
            #expect(common.count > 4)
            for row in common {
                let isEqual = later[row: row].map(\.bitPattern) == whole[row: row + hops].map(\.bitPattern)
                #expect(isEqual, "row \(row), \(hops) hops")
            }
        }
    }
}
