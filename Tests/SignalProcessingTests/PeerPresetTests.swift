import FeatureModel
import Testing

@Suite("Presets named after other programs")
struct PeerPresetTests {
    @Test("measure", arguments: Preset.allCases.filter { ![.logMel, .mixerFFT, .scrollingDCT].contains($0) })
    func measure(preset: Preset) throws {
        for (index, known) in try PeerGolden.cases("preset-\(preset.rawValue).json").enumerated() {
            var worst = (error: 0.0, frame: 0, bin: 0, expected: 0.0)
            for row in try known.computed() {
                for (bin, (found, expected)) in zip(row.found, row.expected).enumerated() {
                    let error = abs(Double(found) - expected)
                    if !(error <= worst.error) { worst = (error, row.frame, bin, expected) }
                }
            }
            print("MEASURE \(preset.rawValue) \(index) range \(known.range) error \(worst.error) relative \(worst.error / known.range) \(worst)")
        }
    }
    @Test("measure2", arguments: ["lfcc", "pcen", "frame-preparation", "complex"])
    func measure2(preset: String) throws {
        for (index, known) in try PeerGolden.cases("\(preset).json").enumerated() {
            var worst = (error: 0.0, frame: 0, bin: 0, expected: 0.0)
            for row in try known.computed() {
                for (bin, (found, expected)) in zip(row.found, row.expected).enumerated() {
                    let error = abs(Double(found) - expected)
                    if !(error <= worst.error) { worst = (error, row.frame, bin, expected) }
                }
            }
            print("MEASURE \(preset) \(index) range \(known.range) error \(worst.error) relative \(worst.error / known.range) \(worst)")
        }
    }
}
