import FeatureModel
import Testing

@testable import SignalProcessing

struct SpectrumBandTests {
    @Test(arguments: Preset.allCases)
    func `the bands of a plan are the weights that it sums with`(preset: Preset) throws {
        let plan = try FeaturePlan(preset.configuration(), sampleRate: preset.usualRate)
        #expect(plan.windowCoefficients == plan.window)
        guard let bands = plan.bands else {
            #expect(plan.filterBank == nil && plan.configuration.transform.notes == nil)
            return
        }
        #expect(bands.count == plan.spectrumBins)
        guard let bank = plan.filterBank else { return }
        let width = plan.sampleRate / Double(plan.geometry.fftLength)
        for (number, band) in bands.enumerated() {
            #expect(band.center == bank.centers[number])
            #expect(bank.emptyBands.contains(number) == band.weights.isEmpty)
            for bin in 0..<bank.spectrumBins {
                let index = bin - band.firstBin
                let weight = band.weights.indices.contains(index) ? band.weights[index] : 0
                #expect(Float(weight) == bank.weight(band: number, bin: bin))
            }
            // The maximum is at one of the two bins next to the centre.
            guard let peak = band.weights.indices.max(by: { band.weights[$0] < band.weights[$1] }) else { continue }
            #expect(abs(Double(band.firstBin + peak) * width - band.center) <= width)
        }
    }

    @Test func `points of a musical axis have three weights whose sum is 1`() throws {
        let preset = Preset.musicalSpectrum
        let plan = try FeaturePlan(preset.configuration(), sampleRate: preset.usualRate)
        let bands = try #require(plan.bands)
        #expect(bands.count == plan.bins)
        for band in bands { #expect(band.weights.count == 3 && abs(band.weights.reduce(0, +) - 1) < 1e-6) }
    }
}

extension TransformConfiguration {
    fileprivate var notes: MusicalConfiguration? { if case .musical(let musical) = method { musical } else { nil } }
}
