import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

struct CosineFeatureTests {
    /// A frame in a transform: lengths whose difference and offset are even, odd, or nothing.
    private static let shapes = [
        (16, 16), (15, 15), (11, 24), (13, 24), (12, 25), (14, 25), (9, 20), (5, 16), (1, 8), (2, 2), (6, 9),
    ]

    /// Coefficient k of N samples: the formulas of SciPy's documentation, without the factor 2 where there is no norm.
    private func coefficient(_ k: Int, of x: [Double], _ type: Int, isOrthogonal: Bool) -> Double {
        let count = x.count
        let (half, order) = (0.5.squareRoot(), Double(k))
        var sum = 0.0
        for n in 0..<count {
            let index = Double(n)
            let isEnd = n == 0 || n == count - 1
            switch type {
            case 1:
                let weight = isEnd ? (isOrthogonal ? half : 0.5) : 1
                sum += weight * x[n] * cos(.pi * order * index / Double(count - 1))
            case 2: sum += x[n] * cos(.pi * order * (index + 0.5) / Double(count))
            case 3:
                let weight = n == 0 ? (isOrthogonal ? half : 0.5) : 1
                sum += weight * x[n] * cos(.pi * (order + 0.5) * index / Double(count))
            default: sum += x[n] * cos(.pi * (order + 0.5) * (index + 0.5) / Double(count))
            }
        }
        guard isOrthogonal else { return sum }
        switch type {
        case 1:
            let isEnd = k == 0 || k == count - 1
            return sum * (2 / Double(count - 1)).squareRoot() * (isEnd ? half : 1)
        case 2: return sum * (2 / Double(count)).squareRoot() * (k == 0 ? half : 1)
        default: return sum * (2 / Double(count)).squareRoot()
        }
    }

    /// The rows' frames within the transform's input: at the start, or in its middle with zeros past the signal's ends.
    private func inputs(_ signal: [Float], length: Int, hop: Int, fftLength: Int, centred: Bool) -> [[Double]] {
        let offset = centred ? (fftLength - length) / 2 : 0
        let rows = centred ? 1 + (signal.count - fftLength % 2) / hop : 1 + (signal.count - length) / hop
        return (0..<rows).map { row in
            var input = [Double](repeating: 0, count: fftLength)
            for n in 0..<length {
                // The middle of the transform's input lies on sample row · hop.
                let index = row * hop + n + (centred ? offset - fftLength / 2 : 0)
                guard signal.indices.contains(index) else { continue }
                let window = length == 1 ? 1 : 0.54 - 0.46 * cos(2 * .pi * Double(n) / Double(length))
                input[offset + n] = Double(signal[index]) * window
            }
            return input
        }
    }

    private func plan(
        _ type: Int, _ norm: String, _ shape: (length: Int, fftLength: Int), align: String, scale: String,
        bins: Int? = nil
    ) throws -> FeaturePlan {
        try ConfigurationCase(
            .logMel,
            [
                "audio.sample_rate": 8000, "frame.length": .number(Double(shape.length)), "frame.hop": 3,
                "frame.fft_length": .number(Double(shape.fftLength)), "frame.align": .text(align),
                "frame.pad": "zero", "frame.window": "hamming",
                "transform": [
                    "kind": "dct", "type": .number(Double(type)), "norm": .text(norm),
                    "bins": bins.map { .number(Double($0)) } ?? .null,
                ],
                "scale": ["kind": .text(scale), "reference": 2],
            ]
        ).plan()
    }

    @Test func `coefficients of all types and norms equal the direct sums, frames shorter than the transform included`()
        throws
    {
        var random = RandomSource(seed: 511)
        let signal = random.samples(40)
        for shape in Self.shapes {
            for align in ["start", "center"] {
                let inputs = inputs(
                    signal, length: shape.0, hop: 3, fftLength: shape.1, centred: align == "center")
                for type in 1...4 {
                    for norm in ["none", "ortho"] {
                        let expected = inputs.flatMap { input in
                            (0..<shape.1).map { coefficient($0, of: input, type, isOrthogonal: norm == "ortho") / 2 }
                        }
                        let linear = try plan(type, norm, shape, align: align, scale: "linear").features(of: signal)
                        #expect(linear.bins == shape.1)
                        #expect(
                            relativeError(linear.values, expected) <= 1e-6, "DCT-\(type), \(norm), \(shape), \(align)")
                        let power = try plan(type, norm, shape, align: align, scale: "power").features(of: signal)
                        #expect(
                            relativeError(power.values, expected.map { $0 * $0 * 2 }) <= 1e-6,
                            "DCT-\(type), \(norm), \(shape), \(align)")
                    }
                }
            }
        }
    }

    @Test(arguments: 1...4)
    func `fewer bins are the first coefficients`(type: Int) throws {
        var random = RandomSource(seed: 512)
        let signal = random.samples(60)
        let all = try plan(type, "ortho", (12, 16), align: "start", scale: "linear").features(of: signal)
        let some = try plan(type, "ortho", (12, 16), align: "start", scale: "linear", bins: 5).features(of: signal)
        #expect(some.bins == 5 && some.rows == all.rows)
        for row in 0..<all.rows { #expect(some.values[row * 5..<row * 5 + 5] == all.values[row * 16..<row * 16 + 5]) }
    }

    @Test func `a column stands for the frequency of its cosine`() throws {
        // Half periods in N − 1 or N samples; types 3 and 4 lie half a bin higher.
        let expected: [(Int, (Double) -> Double)] = [
            (1, { $0 * 8000 / (2 * 23) }), (2, { $0 * 8000 / (2 * 24) }), (3, { ($0 + 0.5) * 8000 / (2 * 24) }),
            (4, { ($0 + 0.5) * 8000 / (2 * 24) }),
        ]
        for (type, frequency) in expected {
            let plan = try plan(type, "none", (24, 24), align: "start", scale: "linear")
            #expect(plan.frequencies == (0..<24).map { Float(frequency(Double($0))) }, "DCT-\(type)")
            let some = try self.plan(type, "none", (24, 24), align: "start", scale: "linear", bins: 7)
            #expect(some.frequencies == Array(plan.frequencies[..<7]))
        }
    }
}

struct ComplexSpectrumTests {
    @Test(arguments: [1, 2, 3, 7])
    func `every step-th bin has its own real and imaginary part`(step: Int) throws {
        var random = RandomSource(seed: 513)
        for (length, bins) in [(64, nil), (51, 20), (40, 21)] as [(Int, Int?)] {
            let size = Double(length)
            let plan = try ConfigurationCase(
                .logMel,
                [
                    "audio.sample_rate": 8000, "frame.length": .number(size), "frame.hop": .number(size),
                    "frame.fft_length": .number(size), "frame.window": "rectangular",
                    "transform": [
                        "kind": "fft", "step": .number(Double(step)), "bins": bins.map { .number(Double($0)) } ?? .null,
                    ],
                    "scale": ["kind": "complex", "reference": 4],
                ]
            ).plan()
            let signal = random.samples(3 * length)
            let found = try plan.features(of: signal)
            let kept = Array(stride(from: 0, to: bins ?? length / 2 + 1, by: step))
            let expected = (0..<3).flatMap { row in
                let spectrum = DirectSum.fourier(Array(signal[row * length..<(row + 1) * length]))
                return kept.map { spectrum.real[$0] / 4 } + kept.map { spectrum.imaginary[$0] / 4 }
            }
            #expect(found.bins == 2 * kept.count)
            #expect(relativeError(found.values, expected) <= 1e-6, "\(length) samples, \(bins ?? 0) bins")
        }
    }
}
