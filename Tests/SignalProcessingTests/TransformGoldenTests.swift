import TestSupport
import Testing

@testable import SignalProcessing

/// `transforms.json`.
struct TransformGolden: Decodable {
    struct Case: Decodable {
        let kind: String
        let length: Int
        let input: [Float]
        let re: [Double]?
        let im: [Double]?
        let values: [Double]?
    }

    let cases: [Case]

    static func cases(_ kind: String) throws -> [Case] {
        let cases = try Fixtures.golden("transforms.json", as: TransformGolden.self).cases.filter { $0.kind == kind }
        try #require(cases.count >= 28, "the golden file has lost cases")
        return cases
    }
}

struct RealTransformTests {
    /// Rows that are transformed together: groups of every set of instructions.
    private static let batch = 16

    @Test func `spectrum and power equal NumPy's in all 16 rows of a batch`() throws {
        for known in try TransformGolden.cases("fft") {
            let (real, imaginary) = (try #require(known.re), try #require(known.im))
            let power = zip(real, imaginary).map { $0 * $0 + $1 * $1 }
            let rows = Array(repeating: known.input, count: Self.batch)
            for (slot, spectrum) in try Spectrum.ofRows(rows, length: known.length).enumerated() {
                let error = relativeError(spectrum.real + spectrum.imaginary, real + imaginary)
                #expect(error <= 1e-6, "spectrum, length \(known.length), slot \(slot)")
                #expect(relativeError(spectrum.power, power) <= 1e-6, "power, length \(known.length), slot \(slot)")
            }
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 16, 401, 512])
    func `the number of bins is N/2 + 1`(length: Int) throws {
        #expect(try LaneFFT(length: length).bins == length / 2 + 1)
    }

    @Test func `a row does not depend on what is in the other rows`() throws {
        var random = RandomSource(seed: 16)
        for length in transformLengths {
            let row = random.samples(length)
            let slot = Int.random(in: 0..<Self.batch, using: &random)
            let loud = random.samples(length).map { $0 * 1e30 }
            var (quiet, noisy) = (
                Array(repeating: [Float](repeating: 0, count: length), count: Self.batch),
                Array(repeating: loud, count: Self.batch)
            )
            quiet[slot] = row
            noisy[slot] = row
            let alone = try Spectrum.ofRows(quiet, length: length)[slot]
            let among = try Spectrum.ofRows(noisy, length: length)[slot]
            #expect(alone.bits == among.bits, "length \(length), slot \(slot)")
        }
    }

    @Test func `a row does not depend on its slot in the batch`() throws {
        var random = RandomSource(seed: 17)
        for length in transformLengths {
            let rows = Array(repeating: random.samples(length), count: Self.batch)
            let spectra = try Spectrum.ofRows(rows, length: length)
            let differing = spectra.indices.filter { spectra[$0].bits != spectra[0].bits }
            #expect(differing.isEmpty, "length \(length): slots \(differing) differ from slot 0")
        }
    }

    @Test func `a second run of the same transform, and a second plan, give the same bits`() throws {
        var random = RandomSource(seed: 18)
        for length in transformLengths {
            let row = random.samples(length)
            #expect(try Spectrum.of(row).bits == Spectrum.of(row).bits, "length \(length)")
        }
    }
}
