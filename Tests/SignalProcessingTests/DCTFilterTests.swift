import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

/// `dct-filter.json`.
private struct FilterGolden: Decodable {
    struct Case: Decodable {
        let mode: DCTFilterMode
        let low: Int
        let high: Int
        let envelope: [Double]
        let input: [Float]
        let output: [Double]
    }

    let cases: [Case]

    static func cases() throws -> [Case] {
        let cases = try Fixtures.golden("dct-filter.json", as: FilterGolden.self).cases
        try #require(cases.count == 8, "the golden file has lost cases")
        return cases
    }
}

extension DCTFilter {
    /// Pushes a signal in pieces of the given sizes, taken in turn, and returns the samples that came.
    fileprivate func push(_ samples: [Float], pieces: [Int] = [.max]) -> [Float] {
        var values: [Float] = []
        var (start, turn) = (0, 0)
        samples.withUnsafeBufferPointer { samples in
            while start < samples.count {
                let count = min(pieces[turn % pieces.count], samples.count - start)
                push(UnsafeBufferPointer(rebasing: samples[start..<start + count])) { values.append(contentsOf: $0) }
                start += count
                turn += 1
            }
        }
        return values
    }

    fileprivate func flush() -> [Float] {
        var values: [Float] = []
        flush { values.append(contentsOf: $0) }
        return values
    }

    fileprivate func finish() -> [Float] {
        var values: [Float] = []
        finish { values.append(contentsOf: $0) }
        return values
    }

    fileprivate func filter(_ samples: [Float], pieces: [Int] = [.max]) -> [Float] {
        push(samples, pieces: pieces) + finish()
    }
}

@Suite("DCT filter")
struct DCTFilterTests {
    private let speech = DCTEnvelope(.bandPass, bins: 14...158)
    private let everything = DCTEnvelope(.bandPass, bins: 0...1024)

    @Test("envelope and output equal NumPy's and SciPy's")
    func goldens() throws {
        for known in try FilterGolden.cases() {
            let envelope = DCTEnvelope(known.mode, bins: known.low...known.high)
            #expect(envelope.values.map(Double.init) == known.envelope, "\(known.mode) \(known.low) to \(known.high)")
            let output = try DCTFilter(envelope).filter(known.input)
            // Relative to what went in: little comes out of a narrow band.
            let scale = known.input.reduce(0) { max($0, abs(Double($1))) }
            #expect(
                largestDifference(output, known.output) <= 1e-6 * scale,
                "\(known.mode) \(known.low) to \(known.high), \(known.input.count) samples")
        }
    }

    @Test("an envelope of ones returns the signal, of any length")
    func identity() throws {
        var random = RandomSource(seed: 51)
        #expect(everything.values.allSatisfy { $0 == 1 })
        #expect(DCTEnvelope(.bandPass, bins: 0...1023).values.allSatisfy { $0 == 1 })
        let filter = try DCTFilter(everything)
        for length in [0, 1, 2, 1023, 1024, 1025, 5000, 16 * 1024, 16 * 1024 + 1, 100_000] {
            let samples = random.samples(length)
            let output = filter.filter(samples)
            #expect(largestDifference(output, samples.map(Double.init)) <= 1e-6, "\(length) samples")
        }
    }

    @Test("an envelope of ones returns 16-bit samples exactly, full scale included")
    func exactSamples() throws {
        var random = RandomSource(seed: 52)
        let noise = (0..<50_000).map { _ in Int16.random(in: .min ... .max, using: &random) }
        let square = (0..<5000).map { $0 / 100 % 2 == 0 ? Int16.max : .min }
        for samples in [noise, square] {
            let output = try DCTFilter(everything).filter(samples.map { Float($0) / 32_768 })
            #expect(output.map { ($0 * 32_768).rounded() } == samples.map(Float.init))
        }
    }

    @Test("the output does not depend on how the stream is cut, to the last bit")
    func pieces() throws {
        var random = RandomSource(seed: 53)
        for length in [700, 1024, 20 * 1024, 40_001] {
            let samples = random.samples(length)
            let filter = try DCTFilter(speech)
            let whole = filter.filter(samples).map(\.bitPattern)
            #expect(whole.count == length)
            for pieces in [[1], [7], [1024], [1023, 1025], [4096, 1, 333], [16_384], [16_385], [100_000]] {
                #expect(filter.filter(samples, pieces: pieces).map(\.bitPattern) == whole, "\(length), \(pieces)")
            }
        }
    }

    @Test("flushing changes when samples come, not which")
    func flushing() throws {
        var random = RandomSource(seed: 54)
        let samples = random.samples(30_000)
        let filter = try DCTFilter(speech)
        let whole = filter.filter(samples)
        var found: [Float] = []
        for start in stride(from: 0, to: samples.count, by: 1500) {
            found += filter.push(Array(samples[start..<min(start + 1500, samples.count)])) + filter.flush()
            let pushed = min(start + 1500, samples.count)
            #expect(found.count == pushed / 1024 * 1024)
        }
        #expect((found + filter.finish()).map(\.bitPattern) == whole.map(\.bitPattern))
        #expect(filter.flush().isEmpty && filter.finish().isEmpty)
    }

    @Test("a changed envelope holds from the page on that is being filled")
    func changes() throws {
        var random = RandomSource(seed: 55)
        let samples = random.samples(10_000)
        let other = DCTEnvelope(.bandStop, bins: 100...200)
        let filter = try DCTFilter(speech)
        let (first, second) = (filter.filter(samples), try DCTFilter(other).filter(samples))
        for place in [0, 500, 1024, 3000, 5120, 9999] {
            filter.setEnvelope(speech)
            var found = filter.push(Array(samples[..<place]))
            filter.setEnvelope(other)
            #expect(filter.envelope == other)
            found += filter.push(Array(samples[place...])) + filter.finish()
            let boundary = place / 1024 * 1024
            let expected = first[..<boundary] + second[boundary...]
            #expect(found.map(\.bitPattern) == expected.map(\.bitPattern), "changed after \(place) samples")
        }
    }

    @Test("a filter that was reset or finished begins anew, with its envelope")
    func reset() throws {
        var random = RandomSource(seed: 56)
        let samples = random.samples(3000)
        let filter = try DCTFilter(speech)
        let expected = filter.filter(samples)
        for count in [1, 1024, 20_000] {
            _ = filter.push(random.samples(count))
            filter.reset()
            #expect(filter.filter(samples) == expected)
        }
    }

    @Test("what band-pass and band-stop leave adds up to the signal")
    func complement() throws {
        var random = RandomSource(seed: 57)
        let samples = random.samples(6000)
        for bins in [0...0, 5...1000, 14...158, 1023...1024, 0...1024] {
            let pass = try DCTFilter(DCTEnvelope(.bandPass, bins: bins)).filter(samples)
            let stop = try DCTFilter(DCTEnvelope(.bandStop, bins: bins)).filter(samples)
            let sum = zip(pass, stop).map { Double($0) + Double($1) }
            #expect(largestDifference(samples, sum) <= 2e-6, "\(bins)")
        }
    }

    @Test("a cosine of the basis stays or goes as a whole")
    func basis() throws {
        for (bin, gain) in [(0, 0.0), (12, 0), (13, 0.5), (14, 1), (100, 1), (158, 1), (159, 0.5), (160, 0), (900, 0)] {
            let cosine = (0..<1024).map { cos(.pi * Double(bin * (2 * $0 + 1) % 4096) / 2048) }
            let output = try DCTFilter(speech).filter(cosine.map(Float.init))
            #expect(largestDifference(output, cosine.map { $0 * gain }) <= 1e-6, "bin \(bin)")
        }
    }

    @Test("an envelope of one's own has 1024 finite factors")
    func ownEnvelope() {
        #expect(DCTEnvelope(values: Array(repeating: 2, count: 1024))?.values == Array(repeating: 2, count: 1024))
        #expect(DCTEnvelope(values: Array(repeating: 1, count: 1023)) == nil)
        #expect(DCTEnvelope(values: Array(repeating: .nan, count: 1024)) == nil)
    }

    @Test("frequencies become the nearest bins of the rate")
    func rates() throws {
        let telephone = try DCTFilterConfiguration(mode: .bandPass, low: .hertz(300), high: .hertz(3400))
        for (rate, bins) in [(8000.0, 77...870), (16_000, 38...435), (44_100, 14...158), (192_000, 3...36)] {
            #expect(try telephone.bins(at: rate) == bins)
            #expect(try DCTEnvelope(telephone, sampleRate: rate) == DCTEnvelope(.bandPass, bins: bins))
        }
        #expect(throws: ConfigurationError.self) { try DCTEnvelope(telephone, sampleRate: 4000) }
    }
}
