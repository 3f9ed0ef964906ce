@testable import SignalProcessing

/// Every length up to 200, and some longer: powers of two, primes, the usual 400.
let transformLengths = Array(1...200) + [256, 400, 509, 512, 1000, 1021, 1024, 2048]

/// What `RealFFT` makes of one row.
struct Spectrum {
    var real: [Double]
    var imaginary: [Double]
    var power: [Float]

    var bits: [UInt64] { (real + imaginary + power.map(Double.init)).map(\.bitPattern) }

    /// The spectra of up to 16 rows, which are in the batch from slot 0 on; the slots left over hold zeros.
    static func ofRows(_ rows: [[Float]], length: Int) throws -> [Spectrum] {
        let transform = try RealFFT(length: length)
        for (slot, row) in rows.enumerated() {
            for (n, sample) in row.enumerated() {
                transform.input.pointer[slot * transform.rowStride + n] = Double(sample) * transform.inputFactor
            }
        }
        transform.execute()
        return rows.indices.map { slot in
            var spectrum = Spectrum(
                real: Array(repeating: .nan, count: transform.bins),
                imaginary: Array(repeating: .nan, count: transform.bins),
                power: Array(repeating: .nan, count: transform.bins))
            transform.spectrum(row: slot, real: &spectrum.real, imaginary: &spectrum.imaginary)
            transform.power(row: slot, into: &spectrum.power)
            return spectrum
        }
    }

    static func of(_ row: [Float]) throws -> Spectrum { try ofRows([row], length: row.count)[0] }
}

extension CosineTransform {
    /// The coefficients from the spectrum V[k], k = 0 … N/2, of the reordered samples: the loop in C equals these to the last
    /// bit. Where N is even, X[N/2] comes up twice, and the real part is the right one.
    func coefficients(real: [Double], imaginary: [Double], into values: inout [Float]) {
        values[0] = Float(real[0])
        for k in 1..<length / 2 + 1 {
            values[length - k] = Float(-(twiddleReal[k] * imaginary[k] + twiddleImaginary[k] * real[k]))
            values[k] = Float(twiddleReal[k] * real[k] - twiddleImaginary[k] * imaginary[k])
        }
    }
}

/// The DCT-II of a row, by way of `FrameWindow`, `RealFFT` and `CosineTransform` as in `FeatureStream`.
func cosineCoefficients(of row: [Float]) throws -> [Float] {
    let length = row.count
    let transform = try RealFFT(length: length)
    let ones = [Double](repeating: 1, count: length)
    FrameWindow(ones, factor: transform.inputFactor, order: .evenThenOddReversed, fftLength: length)
        .apply(row, into: transform.input.pointer)
    transform.execute()
    var real = [Double](repeating: .nan, count: transform.bins)
    var imaginary = real
    transform.spectrum(row: 0, real: &real, imaginary: &imaginary)
    var values = [Float](repeating: .nan, count: length)
    CosineTransform(length: length).coefficients(real: real, imaginary: imaginary, into: &values)
    return values
}

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
    /// Ones, as the transform takes them.
    static func rectangle(_ length: Int, order: FrameWindow.Order = .natural) -> LaneWindow {
        LaneWindow(weights: Array(repeating: LaneFFT.inputFactor, count: length), offset: 0, order: order)
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
