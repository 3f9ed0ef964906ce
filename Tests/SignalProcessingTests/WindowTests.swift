import FeatureModel
import SignalProcessing
import TestSupport
import Testing

/// `windows.json`.
private struct WindowGolden: Decodable {
    struct Case: Decodable {
        let window: WindowFunction
        let symmetric: Bool
        let length: Int
        let values: [Double]
    }

    let cases: [Case]
}

@Suite("Windows")
struct WindowTests {
    private static let all: [WindowFunction] = [
        .rectangular, .hann, .hamming, .blackman, .blackmanHarris, .nuttall, .bartlett, .flatTop, .povey,
        .kaiser(beta: 14), .gaussian(sigma: 20), .tukey(alpha: 0.5),
    ]

    @Test("windows equal SciPy's, periodic and symmetric")
    func goldens() throws {
        let golden: WindowGolden = try Fixtures.golden("windows.json")
        #expect(Set(golden.cases.map(\.window)) == Set([.rectangular, .hann, .hamming, .blackman]))
        #expect(Set(golden.cases.map(\.symmetric)) == [true, false])
        for known in golden.cases {
            let values = Window.coefficients(known.window, length: known.length, symmetric: known.symmetric)
            #expect(values.count == known.length)
            let error = zip(values, known.values).map { abs($0 - $1) }.max() ?? .infinity
            // The file has ten digits.
            #expect(error <= 1e-9, "\(known.window), symmetric \(known.symmetric), \(known.length) samples")
        }
    }

    @Test("a symmetric window reads the same in both directions", arguments: all)
    func symmetric(function: WindowFunction) {
        for length in 1...100 {
            let window = Window.coefficients(function, length: length, symmetric: true)
            #expect(zip(window, window.reversed()).allSatisfy { abs($0 - $1) < 1e-14 }, "\(length) samples")
        }
    }

    @Test(
        "a periodic window is the symmetric one of one sample more without its last",
        arguments: all)
    func periodic(function: WindowFunction) {
        for length in 2...100 {
            let periodic = Window.coefficients(function, length: length, symmetric: false)
            let longer = Window.coefficients(function, length: length + 1, symmetric: true)
            #expect(periodic == longer.dropLast(), "\(length) samples")
        }
    }

    @Test("shifted periodic Hann windows add up to 1")
    func overlap() {
        let window = Window.coefficients(.hann, length: 1024, symmetric: false)
        for n in 0..<512 { #expect(abs(window[n] + window[n + 512] - 1) < 1e-15) }
    }

    @Test("a window of one sample is 1, one of none is empty", arguments: all)
    func shortest(function: WindowFunction) {
        for symmetric in [true, false] {
            #expect(Window.coefficients(function, length: 1, symmetric: symmetric) == [1])
            #expect(Window.coefficients(function, length: 0, symmetric: symmetric).isEmpty)
        }
    }
}
