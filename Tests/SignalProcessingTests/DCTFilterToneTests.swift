import FeatureModel
import Foundation
import Testing

@testable import SignalProcessing

struct DCTFilterToneTests {
    struct Band: Sendable, CustomTestStringConvertible {
        let mode: DCTFilterMode
        let bins: ClosedRange<Int>

        var testDescription: String { "\(mode.rawValue) \(bins.lowerBound) to \(bins.upperBound)" }

        /// What a tone at a fractional bin should be multiplied by.
        func gain(_ bin: Double) -> Double {
            let isWithin = bin >= Double(bins.lowerBound) && bin <= Double(bins.upperBound)
            return isWithin == (mode == .bandPass) ? 1 : 0
        }

        /// Fractional bins at a distance from the nearest edge that is not an end of the spectrum.
        func tones(_ distance: Double) -> [Double] {
            var edges: [Double] = []
            for bin in [bins.lowerBound, bins.upperBound] where bin > 0 && bin < 1024 { edges.append(Double(bin)) }
            var tones: [Double] = []
            for edge in edges {
                for bin in [edge - distance, edge + distance] where bin > 0 && bin < 1024 {
                    // Not nearer to the other edge.
                    if edges.allSatisfy({ abs(bin - $0) >= distance }) { tones.append(bin) }
                }
            }
            return tones
        }
    }

    static let bands = [
        Band(mode: .bandPass, bins: 38...435), Band(mode: .bandStop, bins: 14...158),
        Band(mode: .bandPass, bins: 100...900),
        Band(mode: .bandPass, bins: 0...300), Band(mode: .bandStop, bins: 600...1024),
        Band(mode: .bandPass, bins: 200...260),
    ]

    /// The maximum difference from the ideal, in dB below the tone's peak, where the tone has lasted for a page and goes on
    /// for another.
    private func error(_ filter: DCTFilter, bin: Double, gain: Double, phase: Double) -> Double {
        let step = Double.pi * bin / 1024
        let tone: [Double] = (0..<5000).map { 0.3 * cos(step * Double($0) + phase) }
        let output = filter.filter(tone.map(Float.init))
        var worst = 0.0
        for n in 1024..<3976 { worst = max(worst, abs(Double(output[n]) - gain * tone[n])) }
        return 20 * log10(worst / 0.3)
    }

    private func error(_ band: Band, _ pages: DCTFilterPages, distances: [Double]) throws -> Double {
        let filter = try DCTFilter(DCTEnvelope(band.mode, bins: band.bins), pages: pages)
        var worst = -Double.infinity
        for distance in distances {
            for bin in band.tones(distance) {
                for phase in [0, 0.8, 1.6, 2.4] {
                    worst = max(worst, error(filter, bin: bin, gain: band.gain(bin), phase: phase))
                }
            }
        }
        return worst
    }

    @Test(arguments: bands)
    func `a tone at least 13 bins from an edge is kept, or removed, to 70 dB below its peak`(band: Band) throws {
        #expect(try error(band, .overlapping, distances: [13, 13.3, 13.75, 14.5, 15, 16.25, 18.5]) <= -70)
        #expect(try error(band, .overlapping, distances: [20, 23.4, 28.9]) <= -82)
        #expect(try error(band, .overlapping, distances: [30, 41.7]) <= -89)
    }

    @Test(arguments: bands)
    func `separate pages click: the same tones are off by more than a tenth`(band: Band) throws {
        #expect(try error(band, .separate, distances: [13, 13.3, 13.75, 14.5, 15, 16.25, 18.5]) > -20)
    }
}
