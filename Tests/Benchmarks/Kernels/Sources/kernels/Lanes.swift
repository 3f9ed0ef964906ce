import FeatureModel

@testable import SignalProcessing

/// Windowed frames to powers over lanes, against the same by FFTW's half-length complex transform and the loops over rows.
///
/// With the instructions of `VEERY_INSTRUCTIONS`, which the loops behind FFTW take, too; FFTW takes its own.
enum Lanes {
    static func comparisons() throws -> [Comparison] {
        let samples = noise(60 * 16_000)
        return try [256, 320, 400, 512, 640, 800, 1024, 2048, 4096, 8192, 16_384].map { try comparison($0, samples) }
    }

    private static func comparison(_ length: Int, _ samples: [Float]) throws -> Comparison {
        let hop = length / 4
        let frames = (samples.count - length) / hop / 16 * 16
        let weights = Window.coefficients(.hann, length: length, symmetric: false).map { $0 / 2 }
        let lanes = try LaneFFT(length: length, window: LaneWindow(weights: weights, offset: 0, order: .natural))
        let powers = try lanes.buffer(count: lanes.bins)
        let window = FrameWindow(weights, factor: 1, order: .natural, fftLength: length)
        let batch = [16, 8, 4, 2].first { $0 * 16 * length <= 16 << 10 } ?? 1
        let library = try RealFFT(length: length, rows: batch)
        let power = try AlignedBuffer(count: length)
        return Comparison(
            name: "transform over lanes, \(instructionSet()), against FFTW's of \(length)", unit: "frames",
            amounts: (frames, frames),
            veery: {
                samples.withUnsafeBufferPointer { samples in
                    guard let start = samples.baseAddress else { return }
                    var run = FrameRun(first: start, stride: hop, count: frames)
                    while run.count > 0 {
                        lanes.transform(run.take(lanes.groupRows))
                        lanes.powers(into: powers)
                    }
                }
            },
            bare: {
                samples.withUnsafeBufferPointer { samples in
                    guard let start = samples.baseAddress else { return }
                    for frame in stride(from: 0, to: frames, by: batch) {
                        for row in 0..<batch {
                            window.apply(
                                start + (frame + row) * hop, into: library.input.pointer + row * library.rowStride)
                        }
                        library.execute()
                        for row in 0..<batch { library.power(row: row, into: power.pointer) }
                    }
                }
            })
    }
}
