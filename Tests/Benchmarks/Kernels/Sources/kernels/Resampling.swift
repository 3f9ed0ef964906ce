import CBare

@testable import Resampling

/// Clips of three seconds from one rate to another, in the pieces that the decoder gives, against libsoxr alone.
enum Resampling {
    static func comparison(from input: Int, to output: Int) throws -> Comparison {
        let (seconds, clips) = (3, 20)
        let samples = noise(seconds * input)
        let capacity = seconds * output + 4096
        let buffer = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
        let resampler = try Resampler(from: input, to: output)
        guard let bare = bare_resampler_make(Double(input), Double(output)) else {
            throw KernelError("libsoxr cannot resample from \(input) to \(output) Hz")
        }
        return Comparison(
            name: "resampling \(input) to \(output) Hz against libsoxr", unit: "samples",
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
