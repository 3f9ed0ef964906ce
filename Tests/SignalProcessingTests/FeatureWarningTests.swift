import FeatureModel
import Testing

@testable import SignalProcessing

@Suite("Warnings of a feature plan")
struct FeatureWarningTests {
    private func plan(_ settings: [String: SettingValue]) throws -> FeaturePlan {
        try ConfigurationCase(.logMel, settings).plan()
    }

    /// The numbers that a list such as `0-1, 4` names.
    private func numbers(_ list: Substring) -> [Int] {
        list.split(separator: ",").flatMap { part -> [Int] in
            let ends = part.split(separator: "-").compactMap { Int($0.drop(while: \.isWhitespace)) }
            return ends.count == 2 ? Array(ends[0]...ends[1]) : ends
        }
    }

    @Test("the warning names every band that holds no bin, and no other", arguments: [200, 256, 400])
    func everyBand(bands: Int) throws {
        let plan = try plan(["transform.bins": .number(Double(bands)), "transform.high": nil])
        let bank = try #require(plan.filterBank)
        // By the weights themselves, not by the bank's own list.
        let empty = (0..<bands).filter { band in
            (0..<bank.spectrumBins).allSatisfy { bank.weight(band: band, bin: $0) == 0 }
        }
        try #require(empty.count > 1)
        let warning = try #require(plan.warnings.first)
        #expect(plan.warnings.count == 1)
        let list = try #require(warning.range(of: " (counted from 0) hold no bin"))
        let named = warning[warning.startIndex..<list.lowerBound].dropFirst("bands ".count)
        #expect(numbers(named) == empty, "\(warning)")
        #expect(warning.contains("transform.bins") && warning.contains("frame.fft_length"))
    }

    @Test("runs of bands are named by their ends")
    func runs() throws {
        let warning = try #require(
            try plan(["transform": ["kind": "mfcc", "bands": 5, "bins": 3, "low": 100, "high": 130]]).warnings.first)
        #expect(warning.hasPrefix("bands 0-") || warning.hasPrefix("bands 0, "))
        #expect(warning.contains("transform.bands"), "cepstra are made of transform.bands")
    }

    @Test("bands that all hold a bin, and transforms without bands, warn of nothing")
    func silent() throws {
        #expect(try plan(["transform.bins": 40]).warnings.isEmpty)
        for kind in ["fft", "dct"] as [SettingValue] {
            #expect(try plan(["transform": ["kind": kind]]).warnings.isEmpty)
        }
        for preset in [Preset.logMel, .kaldiFBank, .kaldiMFCC, .htkMFCC, .whisper, .liveWaveform] {
            #expect(try ConfigurationCase(preset).plan().warnings.isEmpty, "\(preset)")
        }
    }

    @Test("empty bands stand at the floor, and one is named alone", arguments: [(40, 0), (60, 1), (76, 2)])
    func emptyBand(bands: Int, expected: Int) throws {
        let mel = try MelConfiguration(bins: bands, scale: .htk)
        let scale = try ScaleConfiguration(kind: .ln, floor: 1e-10)
        let plan = try FeaturePlan(
            configuration(length: 256, hop: 256, fftLength: 256, transform: .mel(mel), scale: scale),
            sampleRate: 16_000)
        let empty = try #require(plan.filterBank).emptyBands
        try #require(empty.count == expected)
        #expect(plan.warnings.count == min(expected, 1))
        if expected == 1 { #expect(plan.warnings[0].hasPrefix("band \(empty[0]) (counted from 0) holds no bin")) }
        var impulse = [Float](repeating: 0, count: 256)
        impulse[0] = 1
        let features = try plan.features(of: impulse)
        for band in 0..<bands {
            let isAtFloor = abs(features[0, band] + 23.025_85) < 1e-4
            #expect(isAtFloor == empty.contains(band), "band \(band)")
        }
    }

    @Test("a musical axis warns of the points that lie within a bin, and of none where there are none")
    func musical() throws {
        let plan = try ConfigurationCase(.musicalSpectrum).plan()
        let width = 11_025.0 / 4096
        let crowded = zip(plan.frequencies, plan.frequencies.dropFirst()).filter { Double($1) - Double($0) < width }
        let warning = try #require(plan.warnings.first)
        #expect(plan.warnings.count == 1)
        #expect(warning.hasPrefix("\(crowded.count) of 712 points"), "\(warning)")
        #expect(
            warning.contains("up to \((Double(try #require(crowded.last).0) * 10).rounded() / 10) Hz"), "\(warning)")
        #expect(warning.contains("(2.692 Hz)"))
        let wide = try ConfigurationCase(
            .musicalSpectrum, ["transform.lowest": 400, "transform.notes": 40]
        ).plan()
        #expect(wide.warnings.isEmpty)
    }
}
