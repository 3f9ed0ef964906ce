import CKernels
import FeatureModel

@testable import SignalProcessing

/// Every length up to 200, and some longer: powers of two, primes, the usual 400.
let transformLengths = Array(1...200) + [256, 400, 509, 512, 1000, 1021, 1024, 2048]

/// What `LaneFFT` makes of one row.
struct Spectrum {
    var real: [Double] = []
    var imaginary: [Double] = []
    var power: [Double] = []

    var bits: [UInt64] { (real + imaginary + power).map(\.bitPattern) }

    /// The spectra of rows of `length` samples.
    static func ofRows(
        _ rows: [[Float]], length: Int, engine: TransformEngine = .lanes,
        kernels: UnsafePointer<veery_kernels>? = nil
    ) throws -> [Spectrum] {
        let fourier = try LaneFFT(length: length, engine: engine, kernels: kernels)
        let loader = try fourier.loader(.rectangle(length, factor: fourier.inputFactor))
        let (real, imaginary, power) = (
            try fourier.buffer(count: fourier.bins), try fourier.buffer(count: fourier.bins),
            try fourier.buffer(count: fourier.bins)
        )
        var spectra: [Spectrum] = []
        try frameRun(rows) { run in
            while run.count > 0 {
                let group = run.take(min(fourier.groupRows, run.count))
                fourier.transform(group, by: loader)
                fourier.spectra(real: real, imaginary: imaginary)
                fourier.powers(into: power)
                for row in 0..<group.count {
                    func values(_ buffer: DoubleBuffer) -> [Double] {
                        (0..<fourier.bins).map { buffer.pointer[$0 * fourier.groupLanes + row] }
                    }
                    spectra.append(Spectrum(real: values(real), imaginary: values(imaginary), power: values(power)))
                }
            }
        }
        return spectra
    }

    static func of(_ row: [Float]) throws -> Spectrum { try ofRows([row], length: row.count)[0] }
}

/// The coefficients of rows by `LaneCosine`, scaled.
func cosineCoefficients(
    of rows: [[Float]], _ type: CosineTransformType, _ normalization: CosineNormalization = .none,
    engine: TransformEngine = .lanes, kernels: UnsafePointer<veery_kernels>? = nil
) throws -> [[Float]] {
    let length = rows[0].count
    let scaling = CosineScaling(type, length: length, normalization)
    let cosine = try LaneCosine(
        type: type, length: length, window: LaneWindow(weights: scaling.weights), engine: engine, kernels: kernels)
    var found: [[Float]] = []
    try frameRun(rows) { run in
        while run.count > 0 {
            let group = run.take(min(cosine.groupRows, run.count))
            cosine.transform(group)
            var values = [Float](repeating: .nan, count: length * group.count)
            values.withUnsafeMutableBufferPointer { values in
                guard let start = values.baseAddress else { return }
                cosine.store(columns: length, into: start, width: length, rows: group.count)
                for row in 0..<group.count { scaling.scaleEnds(start + row * length, count: length) }
            }
            found += (0..<group.count).map { Array(values[($0 * length)..<(($0 + 1) * length)]) }
        }
    }
    return found
}

/// The DCT-II of a row.
func cosineCoefficients(of row: [Float]) throws -> [Float] { try cosineCoefficients(of: [row], .two)[0] }

/// The same for values in double precision.
func relativeError(_ values: [Double], _ reference: [Double]) -> Double {
    guard values.count == reference.count else { return .infinity }
    let scale = reference.reduce(0) { max($0, abs($1)) }
    let worst = zip(values, reference).reduce(0) { worst, pair in
        let difference = abs(pair.0 - pair.1)
        return difference.isNaN ? .infinity : max(worst, difference)
    }
    return worst / (scale > 0 ? scale : 1)
}

/// The maximum |values − reference|, relative to the maximum |reference|; infinite where a value is not a number.
func relativeError(_ values: [Float], _ reference: [Double]) -> Double {
    guard values.count == reference.count else { return .infinity }
    let scale = reference.reduce(0) { max($0, abs($1)) }
    return largestDifference(values, reference) / (scale > 0 ? scale : 1)
}

/// The maximum |values − reference|; infinite where a value is not a number.
func largestDifference(_ values: [some BinaryFloatingPoint], _ reference: [Double]) -> Double {
    guard values.count == reference.count else { return .infinity }
    return zip(values, reference).reduce(0) { worst, pair in
        let difference = abs(Double(pair.0) - pair.1)
        return difference.isNaN ? .infinity : max(worst, difference)
    }
}

extension LaneWindow {
    /// Equal weights.
    static func rectangle(_ length: Int, factor: Double = 1) -> LaneWindow {
        LaneWindow(weights: Array(repeating: factor, count: length))
    }
}

/// Calls `body` with frames in memory, each followed by its rest, if any, and by NaN, which nothing may use.
func frameRun(
    _ frames: [[Float]], rests: [[Float]] = [], _ body: (inout FrameRun) throws -> Void
) throws {
    let nothing = [Float](repeating: .nan, count: 3)
    let samples = frames.enumerated().flatMap { index, frame in
        frame + nothing + (rests.isEmpty ? [] : rests[index] + nothing)
    }
    let length = (frames.first?.count ?? 0) + 3
    try samples.withUnsafeBufferPointer { samples in
        guard let start = samples.baseAddress else { return }
        var run = FrameRun(
            first: start, stride: samples.count / frames.count, count: frames.count, rest: rests.isEmpty ? nil : length)
        try body(&run)
    }
}
