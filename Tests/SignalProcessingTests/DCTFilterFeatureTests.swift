import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

struct DCTFilterFeatureTests {
    /// What is done to a signal ahead of the frames.
    struct Steps: Sendable, CustomTestStringConvertible {
        var removeDC = false
        var band = DirectPageFilter(low: 1000, high: 1800, stops: false)
        var preEmphasis = 0.0
        /// Samples at 8 kHz.
        var length: Int?

        var settings: [String: SettingValue] {
            [
                "condition": [
                    "remove_dc": .flag(removeDC), "pre_emphasis": .number(preEmphasis),
                    "dct_filter": [
                        "mode": .text(band.stops ? "band_stop" : "band_pass"), "low": .number(band.low),
                        "high": .number(band.high), "pages": .text(band.pages.rawValue),
                    ],
                ],
                "audio.duration": length.map { .number(Double($0) / 8000) } ?? .null,
            ]
        }

        /// Crop, mean, filter, pre-emphasis, zeros: the definition, in double precision.
        func apply(_ signal: [Float]) -> [Double] {
            let kept = signal.prefix(length ?? signal.count).map(Double.init)
            let mean = removeDC ? kept.reduce(0, +) / Double(max(kept.count, 1)) : 0
            let filtered = band.apply(kept.map { $0 - mean }, rate: 8000)
            return zip(filtered, [0] + filtered).map { $0 - preEmphasis * $1 }
                + Array(repeating: 0, count: max((length ?? kept.count) - kept.count, 0))
        }

        var testDescription: String {
            "\(band.stops ? "stop" : "pass") \(band.low) Hz, mean \(removeDC), pre-emphasis \(preEmphasis), \(length ?? 0), "
                + band.pages.rawValue
        }
    }

    static let steps = [
        Steps(), Steps(band: DirectPageFilter(low: 200, high: 3900, stops: true), preEmphasis: 0.97),
        Steps(preEmphasis: 0.5), Steps(removeDC: true, band: DirectPageFilter(low: 45, high: 55, stops: true)),
        Steps(
            removeDC: true, band: DirectPageFilter(low: 0, high: 300, stops: false), preEmphasis: 0.9, length: 17_500),
        Steps(length: 2500),
        Steps(
            removeDC: true, band: DirectPageFilter(low: 200, high: 500, stops: false, pages: .overlapping),
            preEmphasis: 0.5, length: 17_500),
        Steps(band: DirectPageFilter(low: 45, high: 155, stops: true, pages: .overlapping)),
    ]

    /// Powers of short spectra at 8 kHz.
    private func plan(_ settings: [String: SettingValue], align: String = "start") throws -> FeaturePlan {
        let base: [String: SettingValue] = [
            "audio.sample_rate": 8000, "frame.length": 64, "frame.hop": 40, "frame.fft_length": 64,
            "frame.align": .text(align), "transform": ["kind": "fft"], "scale.kind": "power",
        ]
        return try ConfigurationCase(.logMel, base.merging(settings) { $1 }).plan()
    }

    @Test(arguments: steps)
    func `features are those of the filtered signal, whole or streamed, and no row is lost`(steps: Steps) throws {
        var random = RandomSource(seed: 501)
        // Within a page, whole pages, a batch of 16 and around it, and one and a half.
        for (turn, count) in [100, 1024, 1500, 16 * 1024, 16 * 1024 + 65, 25_000].enumerated() {
            let signal = random.samples(count).map { $0 * 0.5 + 0.1 }
            let reference = steps.apply(signal).map { Float($0) }
            let align = ["start", "center", "kaldi"][turn % 3]
            let plan = try plan(steps.settings, align: align)
            let expected = try self.plan([:], align: align).features(of: reference)
            let features = try plan.features(of: signal)
            #expect(features.rows == expected.rows, "\(count) samples")
            #expect(features.rows == plan.frameCount(samples: count), "\(count) samples")
            // Samples and coefficients are rounded to single precision on the way, which powers double.
            #expect(relativeError(features.values, expected.values.map(Double.init)) <= 2e-6, "\(count) samples")
            #expect(expected.values.contains { $0 > 1e-3 }, "\(count) samples")
            let stream = try FeatureStream(plan)
            for pieces in [[500], [1024, 7, 4096]] {
                let rows = try stream.completedRows(signal, pieces: pieces)
                #expect(rows == features.values.map(\.bitPattern), "\(count) samples in pieces of \(pieces)")
            }
        }
    }

    private static func band(_ pages: DCTFilterPages) -> DirectPageFilter {
        DirectPageFilter(low: 1000, high: 1800, stops: false, pages: pages)
    }

    @Test(arguments: DCTFilterPages.allCases)
    func `a clip started anew contains nothing of the one before`(pages: DCTFilterPages) throws {
        var random = RandomSource(seed: 502)
        let plan = try plan(Steps(band: Self.band(pages)).settings)
        let signal = random.samples(3000).map { $0 * 0.1 }
        let expected = try plan.features(of: signal).values.map(\.bitPattern)
        let stream = try FeatureStream(plan)
        // Part of a page, whole pages that wait for their batch, and both.
        for count in [300, 2048, 5000] {
            _ = stream.push(random.samples(count), pieces: [700])
            stream.start()
            #expect(stream.rows(signal, pieces: [999]) == expected, "after \(count) samples")
        }
    }

    @Test(arguments: DCTFilterPages.allCases)
    func `flushing hands over every frame of the pages that are complete`(pages: DCTFilterPages) throws {
        var random = RandomSource(seed: 503)
        for preEmphasis in [0, 0.97] {
            let plan = try plan(Steps(band: Self.band(pages), preEmphasis: preEmphasis).settings)
            let signal = random.samples(20_000)
            let stream = try FeatureStream(plan)
            var values: [Float] = []
            for piece in 1...20 {
                inPieces(Array(signal[(piece - 1) * 1000..<piece * 1000]), [333]) { samples in
                    stream.push(samples) { values.append(contentsOf: $0) }
                }
                stream.flush { values.append(contentsOf: $0) }
                let complete = max(piece * 1000 / pages.hop * pages.hop - (1024 - pages.hop), 0)
                #expect(values.count / plan.bins == plan.frameCount(samples: complete))
            }
            stream.finish { values.append(contentsOf: $0) }
            let whole = try plan.features(of: signal).values
            #expect(values.map(\.bitPattern) == whole.map(\.bitPattern))
        }
    }

    @Test func `mean, filter and pre-emphasis together follow the definition, in the same bits for every piece`() throws
    {
        var random = RandomSource(seed: 504)
        let signal = random.samples(40_000).map { $0 * 0.5 + 0.1 }
        let steps = Steps(
            removeDC: true, band: DirectPageFilter(low: 45, high: 55, stops: true), preEmphasis: 0.97)
        let plan = try plan(steps.settings)
        let expected = steps.apply(signal)
        var survey = SignalSurvey(plan)
        inPieces(signal, [.max]) { survey.push($0) }
        let conditioner = try SignalConditioner(plan)
        var bits: Set<[UInt32]> = []
        for piece in [7, 160, 1000, 4095, 5000, .max] {
            var values: [Float] = []
            conditioner.start(survey.level)
            inPieces(signal, [piece]) { conditioner.push($0) { values.append(contentsOf: $0) } }
            conditioner.finish { values.append(contentsOf: $0) }
            #expect(largestDifference(values, expected) <= 5e-7, "pieces of \(piece)")
            bits.insert(values.map(\.bitPattern))
            let rows = try FeatureStream(plan).completedRows(signal, pieces: [piece])
            #expect(rows == (try plan.features(of: signal)).values.map(\.bitPattern), "pieces of \(piece)")
        }
        #expect(bits.count == 1)
    }
}
