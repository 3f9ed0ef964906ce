import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

struct MusicalFeatureTests {
    /// Frames of 512 samples without a window.
    private func plan(_ musical: MusicalConfiguration, rate: Double, fftLength: Int = 512) throws -> FeaturePlan {
        try FeaturePlan(
            FeatureConfiguration(
                audio: AudioConfiguration(sampleRate: nil),
                frame: FrameConfiguration(
                    length: .samples(fftLength), hop: .samples(fftLength), fftLength: fftLength, window: .rectangular),
                transform: .musical(musical), scale: ScaleConfiguration(kind: .magnitude)), sampleRate: rate)
    }

    /// The parabola of Schemas/conventions.md through three magnitudes of a direct sum.
    private func read(_ signal: [Float], at positions: [Double]) -> [Double] {
        let spectrum = DirectSum.fourier(signal)
        let magnitudes = zip(spectrum.real, spectrum.imaginary).map { ($0 * $0 + $1 * $1).squareRoot() }
        return positions.map { index in
            let b = max(Int(index), 1)
            let a = index - Double(b)
            return 0.5
                * (magnitudes[b - 1] * (a * a - a) + magnitudes[b] * (2 - 2 * a * a) + magnitudes[b + 1] * (a * a + a))
        }
    }

    @Test(arguments: [440, 415.3, 442, 220, 1000])
    func `the tuning moves values and axis of notes`(tuning: Double) throws {
        var random = RandomSource(seed: 521)
        let signal = random.samples(512)
        // F#3 is MIDI's note 54.
        let musical = try MusicalConfiguration(
            lowest: #require(MusicalPitch(note: "F#3")), notes: 20, pointsPerNote: 3, tuning: tuning)
        let frequencies = (0..<60).map { tuning * pow(2, (54.0 - 69) / 12 - 1.0 / 24 + Double($0) / 36) }
        let plan = try plan(musical, rate: 8000)
        #expect(relativeError(plan.frequencies, frequencies) <= 1e-7)
        #expect(abs(plan.highestFrequency / frequencies[59] - 1) <= 1e-7)
        let expected = read(signal, at: frequencies.map { $0 * 512 / 8000 })
        #expect(relativeError(try plan.features(of: signal).values, expected) <= 1e-6)
    }

    @Test func `the tuning does not move an axis that starts at a frequency in Hz`() throws {
        let frequencies = try [415, 440].map { tuning in
            try plan(MusicalConfiguration(lowest: .hertz(300), notes: 12, tuning: tuning), rate: 8000).frequencies
        }
        #expect(frequencies[0] == frequencies[1])
    }

    @Test(arguments: [4, 8, 64, 101])
    func `the highest point may lie above the last bin but one, and not at the last`(fftLength: Int) throws {
        var random = RandomSource(seed: UInt64(522 + fftLength))
        let signal = random.samples(fftLength)
        for (notes, perNote) in [(1, 1), (2, 1), (3, 4)] {
            let musical = try MusicalConfiguration(lowest: .hertz(1000), notes: notes, pointsPerNote: perNote)
            let highest = try #require(musical.frequencies.last)
            // The rate at which the highest point lies on the last bin, or a little below it.
            let last = fftLength / 2
            let rate = highest * Double(fftLength) / Double(last)
            for (part, isAllowed) in [
                (1 + 1e-9, true), (1 + 0.5 / Double(last), true), (1 - 1e-9, false), (0.9, false),
            ] {
                let words = "\(notes) notes, \(perNote) points, \(part)"
                guard isAllowed else {
                    let error = #expect(throws: ConfigurationError.self, "\(words)") {
                        _ = try plan(musical, rate: rate * part, fftLength: fftLength)
                    }
                    let points = musical.frequencies.count { $0 * Double(fftLength) / (rate * part) < Double(last) }
                    let left = points / perNote
                    let key = left == 0 ? "transform.lowest: " : "transform.notes: expected 1 to \(left),"
                    #expect(error?.description.contains(key) == true, "\(words): \(error?.description ?? "")")
                    continue
                }
                let found = try plan(musical, rate: rate * part, fftLength: fftLength).features(of: signal)
                let positions = musical.frequencies.map { $0 * Double(fftLength) / (rate * part) }
                #expect(try Int(#require(positions.last)) == last - 1)
                #expect(relativeError(found.values, read(signal, at: positions)) <= 1e-5, "\(words)")
            }
        }
        // A power of two has the frequency of its last bin exactly: half the rate.
        guard fftLength != 101 else { return }
        let single = try MusicalConfiguration(lowest: .hertz(1000), notes: 1, pointsPerNote: 1)
        let frequency = single.frequencies[0]
        #expect(throws: ConfigurationError.self) { try plan(single, rate: 2 * frequency, fftLength: fftLength) }
        #expect(try plan(single, rate: (2 * frequency).nextUp, fftLength: fftLength).bins == 1)
    }
}
