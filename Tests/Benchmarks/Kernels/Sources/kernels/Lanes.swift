import FeatureModel

@testable import SignalProcessing

/// Windowed frames to powers over lanes, against the same with FFTW's complex transform, in rows that are copied from the lanes and
/// back.
///
/// With the instructions of `VEERY_INSTRUCTIONS`; FFTW takes its own.
enum Lanes {
    static func comparisons() throws -> [Comparison] {
        let samples = noise(60 * 16_000)
        let lengths = [
            256, 320, 400, 401, 441, 512, 514, 551, 640, 800, 1001, 1024, 1102, 1103, 2048, 2205, 4096, 8191, 8192,
            11_025, 16_384,
            22_050, 32_768, 44_100, 65_536,
        ]
        return try lengths.map { try comparison($0, samples) }
    }

    private static func comparison(_ length: Int, _ samples: [Float]) throws -> Comparison {
        let hop = length / 4
        let frames = (samples.count - length) / hop / 16 * 16
        return Comparison(
            name: "transform over lanes, \(instructionSet()), against FFTW's of \(length)", unit: "frames",
            amounts: (frames, frames), veery: try powers(length, hop, frames, samples, .lanes),
            bare: try powers(length, hop, frames, samples, .fftw))
    }

    private static func powers(
        _ length: Int, _ hop: Int, _ frames: Int, _ samples: [Float], _ engine: TransformEngine
    ) throws -> () -> Void {
        let lanes = try LaneFFT(length: length, engine: engine)
        let weights = Window.coefficients(.hann, length: length, symmetric: false).map { $0 * lanes.inputFactor }
        let loader = try lanes.loader(LaneWindow(weights: weights))
        let powers = try lanes.buffer(count: lanes.bins)
        return {
            samples.withUnsafeBufferPointer { samples in
                guard let start = samples.baseAddress else { return }
                var run = FrameRun(first: start, stride: hop, count: frames)
                while run.count > 0 {
                    lanes.transform(run.take(lanes.groupRows), by: loader)
                    lanes.powers(into: powers)
                }
            }
        }
    }
}
