import CBare
import FeatureModel

@testable import SignalProcessing

/// One frame at a time, as in live sound: floats to a row of powers or cosine coefficients, against FFTW's real transform in double
/// precision with the same loops before and after it.
///
/// With the instructions of `VEERY_INSTRUCTIONS`; FFTW takes its own.
enum SingleRows {
    static func comparisons() throws -> [Comparison] {
        let samples = noise(60 * 16_000)
        let lengths = [
            256, 320, 400, 401, 441, 512, 551, 640, 800, 1001, 1024, 1102, 1103, 2048, 2205, 4096, 8191, 11_025, 16_384,
        ]
        let cosines: [(CosineTransformType, bare_row_kind, String)] = [
            (.one, BARE_ROW_REDFT00, "I"), (.two, BARE_ROW_REDFT10, "II"), (.three, BARE_ROW_REDFT01, "III"),
            (.four, BARE_ROW_REDFT11, "IV"),
        ]
        return try lengths.map { try powers($0, samples) }
            + cosines.flatMap { type, kind, numeral in
                try [1000, 1024].map { try coefficients(type, kind, "DCT-\(numeral)", $0, samples) }
            }
    }

    private static func powers(_ length: Int, _ samples: [Float]) throws -> Comparison {
        let fourier = try LaneFFT(length: length)
        let weights = Window.coefficients(.hann, length: length, symmetric: false)
        let loader = try fourier.loader(LaneWindow(weights: weights.map { $0 * fourier.inputFactor }))
        let powers = try fourier.buffer(count: fourier.bins)
        return try comparison("powers", BARE_ROW_R2C, length, fourier.bins, weights, samples) { frame, row in
            fourier.transform(frame, by: loader)
            fourier.powers(into: powers)
            fourier.store(powers, columns: fourier.bins, into: row, width: fourier.bins, rows: 1)
        }
    }

    private static func coefficients(
        _ type: CosineTransformType, _ kind: bare_row_kind, _ name: String, _ length: Int, _ samples: [Float]
    ) throws -> Comparison {
        let weights = [Double](repeating: 1, count: length)
        let cosine = try LaneCosine(type: type, length: length, window: LaneWindow(weights: weights))
        return try comparison(name, kind, length, length, weights, samples) { frame, row in
            cosine.transform(frame)
            cosine.store(columns: length, into: row, width: length, rows: 1)
        }
    }

    private static func comparison(
        _ name: String, _ kind: bare_row_kind, _ length: Int, _ columns: Int, _ weights: [Double], _ samples: [Float],
        _ transform: @escaping (FrameRun, UnsafeMutablePointer<Float>) -> Void
    ) throws -> Comparison {
        let hop = max(length / 4, samples.count / 2000)
        let frames = (samples.count - length - 3) / hop
        let row = try FloatBuffer(count: columns + 8)
        guard let bare = bare_row_make(kind, Int32(length), weights) else {
            throw KernelError("FFTW has no plan for \(length) samples")
        }
        return Comparison(
            name: "\(name) of \(length), a frame at a time, \(instructionSet()), against FFTW", unit: "frames",
            amounts: (frames, frames),
            veery: {
                samples.withUnsafeBufferPointer { samples in
                    guard let start = samples.baseAddress else { return }
                    var run = FrameRun(first: start, stride: hop, count: frames)
                    while run.count > 0 { transform(run.take(1), row.pointer) }
                }
            },
            bare: { bare_row_run(bare, samples, hop, frames, row.pointer) })
    }
}
