import CBare
import FeatureModel

@testable import Resampling

/// Clips of three seconds from one rate to another, in the pieces that the decoder gives, against libsoxr's high quality alone.
enum Resampling {
    /// All methods between usual rates.
    static func comparisons() throws -> [Comparison] {
        try ResamplingMethod.allCases.flatMap { method in
            try [(44_100, 16_000), (48_000, 16_000), (16_000, 44_100), (44_100, 15_999)].map {
                try comparison(from: $0.0, to: $0.1, by: method)
            }
        }
    }

    static func comparison(
        from input: Int, to output: Int, by method: ResamplingMethod = .soxrHQ
    ) throws -> Comparison {
        let (seconds, clips) = (3, 20)
        let samples = noise(seconds * input)
        let capacity = seconds * output + 4096
        let buffer = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
        let resampler = try Resampler(from: input, to: output, by: method)
        guard let bare = bare_resampler_make(Double(input), Double(output)) else {
            throw KernelError("libsoxr cannot resample from \(input) to \(output) Hz")
        }
        return Comparison(
            name: "\(method.rawValue), \(input) to \(output) Hz, against libsoxr", unit: "samples",
            amounts: (clips * samples.count, clips * samples.count),
            veery: {
                try samples.withUnsafeBufferPointer { samples in
                    for _ in 0..<clips {
                        for start in stride(from: 0, to: samples.count, by: 16_384) {
                            let piece = samples[start..<min(start + 16_384, samples.count)]
                            try resampler.push(UnsafeBufferPointer(rebasing: piece)) { _ in }
                        }
                        try resampler.finish { _ in }
                    }
                }
            },
            bare: {
                for _ in 0..<clips {
                    let count = bare_resampler_run(bare, samples, samples.count, buffer, capacity)
                    guard count > 0 else { throw KernelError("libsoxr cannot resample from \(input) to \(output) Hz") }
                }
            })
    }
}
