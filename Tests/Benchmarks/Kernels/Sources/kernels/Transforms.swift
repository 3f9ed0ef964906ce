import CBare
import FeatureModel

@testable import SignalProcessing

/// Every preset's way from samples to rows, against FFTW's real transform of the same frames, with no window, filter bank
/// or logarithm, in single precision; a DCT against FFTW's own, too.
enum Transforms {
    static func comparisons() throws -> [Comparison] {
        let samples = noise(60 * 16_000)
        return [try cosine(samples)]
            + (try Preset.allCases.flatMap { preset in
                let configuration = try preset.configuration()
                let kinds: [(String, bare_kind)] =
                    preset == .scrollingDCT ? [("r2c", BARE_R2C), ("REDFT10", BARE_REDFT10)] : [("r2c", BARE_R2C)]
                return try kinds.map { try comparison(preset.rawValue, configuration, $0.0, $0.1, samples) }
            })
    }

    /// The DCT-II by itself, as `scrolling-dct` has it, from samples to coefficients.
    private static func cosine(_ samples: [Float]) throws -> Comparison {
        let (length, hop) = (1024, 512)
        let window = LaneWindow(weights: Array(repeating: 1, count: length))
        let transform = try LaneCosine(type: .two, length: length, window: window)
        let coefficients = try FloatBuffer(count: length * transform.groupRows)
        guard let bare = bare_transform_make(BARE_REDFT10, Int32(length), Int32(hop), Int32(length)) else {
            throw KernelError("FFTW has no plan for \(length) samples")
        }
        let frames = (samples.count - length - 3) / hop + 1
        return Comparison(
            name: "DCT-II of \(length) against REDFT10", unit: "frames",
            amounts: (frames, bare_transform_run(bare, samples, samples.count)),
            veery: {
                samples.withUnsafeBufferPointer { samples in
                    guard let start = samples.baseAddress else { return }
                    var run = FrameRun(first: start, stride: hop, count: frames)
                    while run.count > 0 {
                        let group = run.take(min(run.count, transform.groupRows))
                        transform.transform(group)
                        transform.store(columns: length, into: coefficients.pointer, width: length, rows: group.count)
                    }
                }
            },
            bare: { _ = bare_transform_run(bare, samples, samples.count) })
    }

    private static func comparison(
        _ name: String, _ configuration: FeatureConfiguration, _ library: String, _ kind: bare_kind,
        _ samples: [Float]
    ) throws -> Comparison {
        let plan = try FeaturePlan(configuration, sampleRate: Double(configuration.audio.sampleRate ?? 16_000))
        let stream = try FeatureStream(plan)
        let geometry = plan.geometry
        guard
            let transform = bare_transform_make(
                kind, Int32(geometry.length), Int32(geometry.hop), Int32(geometry.fftLength))
        else { throw KernelError("FFTW has no plan for \(geometry.fftLength) samples") }
        return Comparison(
            name: "\(name) against \(library) of \(geometry.fftLength)", unit: "frames",
            amounts: (
                plan.frameCount(samples: samples.count),
                bare_transform_run(transform, samples, samples.count)
            ),
            veery: {
                samples.withUnsafeBufferPointer { stream.push($0) { _ in } }
                stream.finish { _ in }
            },
            bare: { _ = bare_transform_run(transform, samples, samples.count) })
    }
}
