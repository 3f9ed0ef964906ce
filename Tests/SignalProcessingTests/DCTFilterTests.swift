import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

/// `dct-filter.json` and `dct-filter-overlapping.json`.
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

    static func cases(_ pages: DCTFilterPages) throws -> [Case] {
        let name = pages == .separate ? "dct-filter.json" : "dct-filter-overlapping.json"
        let cases = try Fixtures.golden(name, as: FilterGolden.self).cases
        try #require(cases.count == 8, "the golden file has lost cases")
        return cases
    }
}

extension DCTFilter {
    /// Samples of the signal that are complete once `count` have come.
    fileprivate func complete(_ count: Int) -> Int { max(count / pages.hop * pages.hop - (1024 - pages.hop), 0) }

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

    func filter(_ samples: [Float], pieces: [Int] = [.max]) -> [Float] {
        push(samples, pieces: pieces) + finish()
    }
}

struct DCTFilterTests {
    private let speech = DCTEnvelope(.bandPass, bins: 14...158)
    private let everything = DCTEnvelope(.bandPass, bins: 0...1024)

    @Test(arguments: DCTFilterPages.allCases)
    func `envelope and output equal NumPy's and SciPy's`(pages: DCTFilterPages) throws {
        for known in try FilterGolden.cases(pages) {
            let envelope = DCTEnvelope(known.mode, bins: known.low...known.high)
            #expect(envelope.values.map(Double.init) == known.envelope, "\(known.mode) \(known.low) to \(known.high)")
            let output = try DCTFilter(envelope, pages: pages).filter(known.input)
            // Relative to what went in: little comes out of a narrow band.
            let scale = known.input.reduce(0) { max($0, abs(Double($1))) }
            #expect(
                largestDifference(output, known.output) <= 1e-6 * scale,
                "\(known.mode) \(known.low) to \(known.high), \(known.input.count) samples")
        }
    }

    @Test(arguments: DCTFilterPages.allCases)
    func `an envelope of ones returns the signal, of any length`(pages: DCTFilterPages) throws {
        var random = RandomSource(seed: 51)
        #expect(everything.values.allSatisfy { $0 == 1 })
        #expect(DCTEnvelope(.bandPass, bins: 0...1023).values.allSatisfy { $0 == 1 })
        let filter = try DCTFilter(everything, pages: pages)
        for length in [0, 1, 2, 255, 256, 257, 769, 1023, 1024, 1025, 5000, 16 * 1024, 16 * 1024 + 1, 100_000] {
            let samples = random.samples(length)
            let output = filter.filter(samples)
            #expect(largestDifference(output, samples.map(Double.init)) <= 1e-6, "\(length) samples")
        }
    }

    @Test(arguments: DCTFilterPages.allCases)
    func `an envelope of ones returns 16-bit samples exactly, full scale included`(pages: DCTFilterPages) throws {
        var random = RandomSource(seed: 52)
        let noise = (0..<50_000).map { _ in Int16.random(in: .min ... .max, using: &random) }
        let square = (0..<5000).map { $0 / 100 % 2 == 0 ? Int16.max : .min }
        for samples in [noise, square] {
            let output = try DCTFilter(everything, pages: pages).filter(samples.map { Float($0) / 32_768 })
            #expect(output.map { ($0 * 32_768).rounded() } == samples.map(Float.init))
        }
    }

    @Test(arguments: DCTFilterPages.allCases)
    func `the output does not depend on how the stream is cut, to the last bit`(pages: DCTFilterPages) throws {
        var random = RandomSource(seed: 53)
        for length in [700, 1024, 20 * 1024, 40_001] {
            let samples = random.samples(length)
            let filter = try DCTFilter(speech, pages: pages)
            let whole = filter.filter(samples).map(\.bitPattern)
            #expect(whole.count == length)
            for pieces in [[1], [7], [255, 2], [1024], [1023, 1025], [4096, 1, 333], [16_384], [16_385], [100_000]] {
                #expect(filter.filter(samples, pieces: pieces).map(\.bitPattern) == whole, "\(length), \(pieces)")
            }
        }
    }

    @Test(arguments: DCTFilterPages.allCases)
    func `flushing changes when samples come, not which: a page later at most`(pages: DCTFilterPages) throws {
        var random = RandomSource(seed: 54)
        let samples = random.samples(30_000)
        let filter = try DCTFilter(speech, pages: pages)
        let whole = filter.filter(samples)
        for piece in [100, 1500] {
            var found: [Float] = []
            for start in stride(from: 0, to: samples.count, by: piece) {
                found += filter.push(Array(samples[start..<min(start + piece, samples.count)])) + filter.flush()
                let pushed = min(start + piece, samples.count)
                #expect(found.count == filter.complete(pushed))
                #expect(pushed - found.count < 1024)
            }
            #expect((found + filter.finish()).map(\.bitPattern) == whole.map(\.bitPattern))
        }
        #expect(filter.flush().isEmpty && filter.finish().isEmpty)
    }

    @Test(arguments: DCTFilterPages.allCases)
    func `a changed envelope applies from the page on that is being filled`(pages: DCTFilterPages) throws {
        var random = RandomSource(seed: 55)
        let samples = random.samples(10_000)
        let other = DCTEnvelope(.bandStop, bins: 100...200)
        let filter = try DCTFilter(speech, pages: pages)
        let (first, second) = (filter.filter(samples), try DCTFilter(other, pages: pages).filter(samples))
        for index in [0, 500, 1024, 3000, 5120, 9999] {
            filter.setEnvelope(speech)
            var found = filter.push(Array(samples[..<index]))
            filter.setEnvelope(other)
            #expect(filter.envelope == other)
            found += filter.push(Array(samples[index...])) + filter.finish()
            // Pages that end by there have the one envelope, later ones the other; where both overlap, one fades into the
            // other.
            let end = index / pages.hop * pages.hop
            let start = max(end + pages.hop - 1024, 0)
            #expect(found.count == samples.count)
            let isFirst = found[..<start].map(\.bitPattern) == first[..<start].map(\.bitPattern)
            let isSecond = found[end...].map(\.bitPattern) == second[end...].map(\.bitPattern)
            #expect(isFirst && isSecond, "changed after \(index) samples")
            // In between, each page has one of the two: with the opposite change it adds up to both.
            filter.setEnvelope(other)
            var opposite = filter.push(Array(samples[..<index]))
            filter.setEnvelope(speech)
            opposite += filter.push(Array(samples[index...])) + filter.finish()
            let differences = (0..<samples.count).map { index -> Float in
                let sum: Float = found[index] + opposite[index]
                return abs(sum - first[index] - second[index])
            }
            #expect(differences.allSatisfy { $0 < 1e-5 }, "changed after \(index) samples")
        }
    }

    @Test(arguments: DCTFilterPages.allCases)
    func `a filter starts anew after reset and finish, with its envelope`(pages: DCTFilterPages) throws {
        var random = RandomSource(seed: 56)
        let samples = random.samples(3000)
        let filter = try DCTFilter(speech, pages: pages)
        let expected = filter.filter(samples)
        for count in [1, 300, 1024, 20_000] {
            _ = filter.push(random.samples(count))
            filter.reset()
            #expect(filter.filter(samples) == expected)
        }
    }

    @Test(arguments: DCTFilterPages.allCases)
    func `the outputs of band-pass and band-stop add up to the signal`(pages: DCTFilterPages) throws {
        var random = RandomSource(seed: 57)
        let samples = random.samples(6000)
        for bins in [0...0, 5...1000, 14...158, 1023...1024, 0...1024] {
            let pass = try DCTFilter(DCTEnvelope(.bandPass, bins: bins), pages: pages).filter(samples)
            let stop = try DCTFilter(DCTEnvelope(.bandStop, bins: bins), pages: pages).filter(samples)
            let sum = zip(pass, stop).map { Double($0) + Double($1) }
            #expect(largestDifference(samples, sum) <= 2e-6, "\(bins)")
        }
    }

    @Test(arguments: DCTFilterPages.allCases)
    func `the filter is linear`(pages: DCTFilterPages) throws {
        var random = RandomSource(seed: 58)
        let (one, other) = (random.samples(5000), random.samples(5000))
        let filter = try DCTFilter(speech, pages: pages)
        let mixed = filter.filter(zip(one, other).map { 0.25 * $0 - 2 * $1 })
        let sum = zip(filter.filter(one), filter.filter(other)).map { 0.25 * Double($0) - 2 * Double($1) }
        #expect(largestDifference(mixed, sum) <= 2e-6)
    }

    @Test(arguments: DCTFilterPages.allCases)
    func `a signal that starts whole pages later is filtered the same, to the last bit`(pages: DCTFilterPages) throws {
        var random = RandomSource(seed: 59)
        let samples = random.samples(7000)
        let filter = try DCTFilter(speech, pages: pages)
        let expected = filter.filter(samples).map(\.bitPattern)
        for count in [1, 2, 3, 5, 16, 33] {
            let silence = [Float](repeating: 0, count: count * pages.hop)
            let found = filter.filter(silence + samples)
            #expect(found.dropFirst(silence.count).map(\.bitPattern) == expected, "\(count) pages later")
        }
    }

    @Test(arguments: DCTFilterPages.allCases)
    func `an impulse is answered within less than a page to either side`(pages: DCTFilterPages) throws {
        let filter = try DCTFilter(speech, pages: pages)
        for index in [3000, 3071, 3072, 3200] {
            var samples = [Float](repeating: 0, count: 6000)
            samples[index] = 1
            let answer = filter.filter(samples)
            let heard = answer.indices.filter { abs(answer[$0]) > 1e-9 }
            #expect((heard.first ?? 0) > index - 1024 && (heard.last ?? 6000) < index + 1024, "\(index)")
            #expect(heard.count > 500)
        }
    }

    @Test func `a cosine of the basis is kept or removed as a whole`() throws {
        for (bin, gain) in [(0, 0.0), (12, 0), (13, 0.5), (14, 1), (100, 1), (158, 1), (159, 0.5), (160, 0), (900, 0)] {
            let cosine = (0..<1024).map { cos(.pi * Double(bin * (2 * $0 + 1) % 4096) / 2048) }
            let output = try DCTFilter(speech, pages: .separate).filter(cosine.map(Float.init))
            #expect(largestDifference(output, cosine.map { $0 * gain }) <= 1e-6, "bin \(bin)")
        }
    }

    @Test func `an envelope of one's own has 1024 finite factors`() {
        #expect(DCTEnvelope(values: Array(repeating: 2, count: 1024))?.values == Array(repeating: 2, count: 1024))
        #expect(DCTEnvelope(values: Array(repeating: 1, count: 1023)) == nil)
        #expect(DCTEnvelope(values: Array(repeating: .nan, count: 1024)) == nil)
    }

    @Test func `frequencies become the nearest bins of the rate`() throws {
        let telephone = try DCTFilterConfiguration(mode: .bandPass, low: .hertz(300), high: .hertz(3400))
        for (rate, bins) in [(8000.0, 77...870), (16_000, 38...435), (44_100, 14...158), (192_000, 3...36)] {
            #expect(try telephone.bins(at: rate) == bins)
            #expect(try DCTEnvelope(telephone, sampleRate: rate) == DCTEnvelope(.bandPass, bins: bins))
        }
        #expect(throws: ConfigurationError.self) { try DCTEnvelope(telephone, sampleRate: 4000) }
    }
}
