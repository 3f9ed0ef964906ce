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
        /// Values 0, every, 2 · every … of the window.
        let every: Int
        let values: [Double]
    }

    let cases: [Case]
}

struct WindowTests {
    private static let all: [WindowFunction] = [
        .rectangular, .hann, .hamming, .blackman, .blackmanHarris, .nuttall, .bartlett, .flatTop, .povey,
        .kaiser(beta: 0), .kaiser(beta: 14), .kaiser(beta: 500), .gaussian(sigma: 0.1), .gaussian(sigma: 20),
        .tukey(alpha: 0), .tukey(alpha: 0.5), .tukey(alpha: 1),
    ]

    @Test func `all twelve shapes equal SciPy's, periodic and symmetric, from 1 to 401 samples`() throws {
        let golden: WindowGolden = try Fixtures.golden("windows.json")
        #expect(Set(golden.cases.map(\.window.kind)) == Set(WindowFunction.Kind.allCases))
        #expect(Set(golden.cases.map(\.window)).count >= 26)
        #expect(golden.cases.contains { $0.window == .kaiser(beta: WindowFunction.maximumBeta) })
        #expect(Set(golden.cases.map(\.length)).isSuperset(of: [1, 2, 400, 401]))
        for window in Set(golden.cases.map(\.window)) {
            #expect(Set(golden.cases.filter { $0.window == window }.map(\.symmetric)) == [true, false])
        }
        for known in golden.cases {
            let all = Window.coefficients(known.window, length: known.length, symmetric: known.symmetric)
            #expect(all.count == known.length)
            let values = stride(from: 0, to: all.count, by: known.every).map { all[$0] }
            try #require(values.count == known.values.count)
            let error = zip(values, known.values).map { abs($0 - $1) }.reduce(0) { $0 >= $1 ? $0 : $1 }
            // The file has ten digits.
            #expect(error <= 1e-9, "\(known.window), symmetric \(known.symmetric), \(known.length) samples")
        }
    }

    @Test func `a parameter at the limits of its range gives the window that it should`() {
        for length in [2, 3, 25, 400] {
            for symmetric in [true, false] {
                func window(_ function: WindowFunction) -> [Double] {
                    Window.coefficients(function, length: length, symmetric: symmetric)
                }
                func differ(_ first: WindowFunction, _ second: WindowFunction) -> Double {
                    zip(window(first), window(second)).map { abs($0 - $1) }.max() ?? .infinity
                }
                #expect(differ(.kaiser(beta: 0), .rectangular) == 0)
                #expect(differ(.tukey(alpha: 0), .rectangular) == 0)
                #expect(differ(.tukey(alpha: 1), .hann) < 1e-15)
                #expect(differ(.gaussian(sigma: 1e9), .rectangular) < 1e-12)
                #expect(window(.kaiser(beta: 500)).allSatisfy { $0.isFinite && $0 >= 0 && $0 <= 1 })
            }
        }
    }

    @Test(arguments: all)
    func `a symmetric window reads the same in both directions`(function: WindowFunction) {
        for length in 1...100 {
            let window = Window.coefficients(function, length: length, symmetric: true)
            #expect(zip(window, window.reversed()).allSatisfy { abs($0 - $1) < 1e-14 }, "\(length) samples")
        }
    }

    @Test(arguments: all)
    func `a periodic window is the symmetric one of one sample more without its last`(function: WindowFunction) {
        for length in 2...100 {
            let periodic = Window.coefficients(function, length: length, symmetric: false)
            let longer = Window.coefficients(function, length: length + 1, symmetric: true)
            #expect(periodic == longer.dropLast(), "\(length) samples")
        }
    }

    @Test func `shifted periodic Hann windows add up to 1`() {
        let window = Window.coefficients(.hann, length: 1024, symmetric: false)
        for n in 0..<512 { #expect(abs(window[n] + window[n + 512] - 1) < 1e-15) }
    }

    @Test(arguments: all)
    func `a window of one sample is 1, one of none is empty`(function: WindowFunction) {
        for symmetric in [true, false] {
            #expect(Window.coefficients(function, length: 1, symmetric: symmetric) == [1])
            #expect(Window.coefficients(function, length: 0, symmetric: symmetric).isEmpty)
        }
    }
}
