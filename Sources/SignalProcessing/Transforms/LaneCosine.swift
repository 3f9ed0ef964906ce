import CKernels
import FeatureModel
import Numerics

/// Discrete cosine transforms of type 1 to 4 of frames in lanes, of any length, unscaled: the sums of `CosineTransformType` with the
/// factors ½ left to the caller (`CosineScaling`).
///
/// Each by the Fourier transform of a suitable length, padded with zeros:
/// - type 2 of an even N: `LaneFFT.coefficients`; of an odd N: every second coefficient of that of 2N, X[k] = Y[2k];
/// - type 4: the others, X[k] = Y[2k + 1];
/// - type 1: the real parts of the Fourier transform of 2(N − 1) samples;
/// - type 3 of an even N: `LaneFFT.samples`; of an odd N: the first half of that of 2N, with zeros between the coefficients.
///
/// Not safe to use from two threads at once.
final class LaneCosine {
    /// Frames in a group, at most.
    var groupRows: Int { fourier.groupRows }
    /// Lanes of the latest group.
    var groupLanes: Int { fourier.groupLanes }
    /// The energy of each frame of the latest group; 0 where it is not measured.
    var energies: UnsafePointer<Double> { loader.energies }

    private let type: CosineTransformType
    private let length: Int
    private let fourier: LaneFFT
    private let loader: LaneLoader
    private let turns: CosineTurns
    private let values: DoubleBuffer
    /// Imaginary parts that are not used.
    private let others: DoubleBuffer

    /// - Parameters:
    ///   - length: Samples of a frame, N, at least `type.minimumLength`.
    ///   - window: Of all N samples, without the factor of the transform's input; its order counts as natural.
    /// - Throws: As `LaneFFT.init`.
    init(
        type: CosineTransformType, length: Int, window: LaneWindow, engine: TransformEngine = .lanes,
        kernels: UnsafePointer<veery_kernels>? = nil
    ) throws(SignalError) {
        (self.type, self.length) = (type, length)
        let points = Self.points(type, length: length)
        let fourier = try LaneFFT(length: points, engine: engine, kernels: kernels)
        self.fourier = fourier
        let isFolded = type == .two || type == .four
        let isSpread = type == .three && length % 2 != 0
        loader = try fourier.loader(
            LaneWindow(
                preparation: window.preparation, weights: window.weights.map { $0 * fourier.inputFactor },
                offset: window.offset, order: isFolded ? .evenThenOddReversed : .natural),
            length: isSpread ? length : points, step: isSpread ? 2 : 1)
        turns = try CosineTurns(length: type == .one ? 0 : points)
        values = try fourier.buffer(count: type == .one ? fourier.bins : points)
        others = try fourier.buffer(count: type == .one ? fourier.bins : 0)
    }

    /// The samples of the Fourier transform, an even number.
    static func points(_ type: CosineTransformType, length: Int) -> Int {
        switch type {
        case .one: 2 * (length - 1)
        case .two, .three: length % 2 == 0 ? length : 2 * length
        case .four: 2 * length
        }
    }

    /// Transforms a group: as many frames as there are lanes, or fewer.
    func transform(_ frames: FrameRun) {
        guard type != .three else {
            loader.load(frames, into: values)
            return fourier.samples(turns, inPlace: values)
        }
        fourier.transform(frames, by: loader)
        if type == .one {
            fourier.spectra(real: values, imaginary: others)
        } else {
            fourier.coefficients(turns, into: values)
        }
    }

    /// The first `columns` results of the group, or their squares, in the rows' precision.
    func store<Number: RowNumber>(
        columns: Int, squares: Bool = false, into target: UnsafeMutablePointer<Number>, width: Int, rows: Int
    ) {
        fourier.store(
            values, from: first, step: step, columns: columns, squares: squares, into: target, width: width, rows: rows)
    }

    /// Number `index` of the first frame's results.
    func result(_ index: Int) -> Double { values.pointer[(first + step * index) * groupLanes] }

    /// The first number of `values` that is a result, and the distance of two.
    private var first: Int { type == .four ? 1 : 0 }
    private var step: Int { type == .four || type == .two && length % 2 != 0 ? 2 : 1 }
}

/// cos and −sin of πk/2N, k = 0 … N/2, which turn the spectrum of folded samples into a DCT-II of length N.
struct CosineTurns {
    let cosines: DoubleBuffer
    let sines: DoubleBuffer

    /// - Parameter length: N; 0: none are needed.
    /// - Throws: `SignalError.outOfMemory`.
    init(length: Int) throws(SignalError) {
        cosines = try DoubleBuffer(count: length / 2 + 1)
        sines = try DoubleBuffer(count: length / 2 + 1)
        guard length > 0 else { return }
        for k in 0...length / 2 {
            let point = UnitCircle.point(k, of: 4 * length)
            (cosines.pointer[k], sines.pointer[k]) = (point.cosine, -point.sine)
        }
    }
}

/// What turns the sums of `LaneCosine` into a transform of a type and a normalisation.
struct CosineScaling {
    /// Factors of the N samples.
    let weights: [Double]
    /// Factors of the first and the last coefficient; of a single one, the last counts.
    let first, last: Double

    /// - Parameter scale: Multiplies every coefficient.
    init(_ type: CosineTransformType, length: Int, _ normalization: CosineNormalization, scale: Double = 1) {
        let isOrthogonal = normalization == .ortho
        let period = Double(type == .one ? length - 1 : length)
        var weights = [Double](repeating: scale * (isOrthogonal ? (2 / period).squareRoot() : 1), count: length)
        let end = scale * (isOrthogonal ? 1 / period.squareRoot() : 0.5)
        if type == .one || type == .three { weights[0] = end }
        if type == .one { weights[length - 1] = end }
        self.weights = weights
        let half = 0.5.squareRoot()
        first = isOrthogonal && (type == .one || type == .two) ? half : 1
        last = isOrthogonal && type == .one ? half : 1
    }

    /// Scales the coefficients of a row of `count` of `length`.
    func scaleEnds<Number: BinaryFloatingPoint>(_ row: UnsafeMutablePointer<Number>, count: Int) {
        row[0] *= Number(first)
        if count > 1, count == weights.count { row[count - 1] *= Number(last) }
    }
}
