import CKernels
import FeatureModel

/// Real Fourier transforms of frames that lie side by side in the lanes of vectors, of any length, by the project's own loops.
///
/// X[k] = Σ x[n] · exp(−2πikn/N), k = 0 … N/2, unscaled, in double precision, since features are logarithms: what is 100 dB below the
/// loudest bin of a frame would drown in the rounding of single precision. The algebra is in `spectrum.h` and `fourier.h`: half as many
/// complex numbers, **samples multiplied by `inputFactor` on the way in**, passes of radix 13, 11, 8, 7, 5, 4, 3 and 2, or, for a
/// prime factor beyond 13, a convolution. Every frame has a lane of its own, so nothing depends on the number of lanes or on the other
/// frames: the bits are the same with SSE2 (2 lanes), AVX2 (4), AVX-512 (8) and NEON (2).
///
/// Frames are transformed group by group, a group being as many as there are lanes, or fewer (`LaneLoops`). They are prepared, and
/// multiplied by a window, on their way into lanes. Nothing is allocated after `init`. Not safe to use from two threads at once.
final class LaneFFT {
    /// Frames of a batch, a multiple of the lanes of every set.
    static let rows = 8

    /// Number of samples of a frame, N.
    let length: Int
    /// Number of bins of a frame, N/2 + 1.
    var bins: Int { length / 2 + 1 }
    /// What the window has to be multiplied by.
    var inputFactor: Double { Self.inputFactor(length: length) }
    /// Frames in a group, at most.
    var groupRows: Int { choice.groupRows }
    /// Lanes of the latest group: two numbers of a frame are so far apart.
    var groupLanes: Int { loops.count }

    private let choice: LaneLoops
    /// The complex numbers of a group.
    private let lanes: DoubleBuffer
    private let work: DoubleBuffer
    private let plan: LanePlan
    /// What computes the transform instead; nil: the loops.
    private let library: (any LaneLibrary)?

    static func inputFactor(length: Int) -> Double { length % 2 == 0 ? 0.5 : 1 }

    /// Computes the tables.
    ///
    /// - Parameters:
    ///   - length: Number of samples, at least 1.
    ///   - engine: What computes the complex transform.
    ///   - kernels: The instructions with the most lanes; nil: those for the length.
    /// - Throws: `SignalError.outOfMemory`; of FFTW, `.noPlan`.
    init(
        length: Int, engine: TransformEngine = .lanes, kernels: UnsafePointer<veery_kernels>? = nil
    ) throws(SignalError) {
        self.length = length
        choice = LaneLoops(length: length, engine: engine, kernels: kernels)
        let isOdd = length % 2 != 0
        let numbers = isOdd ? length : length / 2
        plan = try LanePlan(length: numbers, isOdd: isOdd, hasTransform: engine == .lanes)
        lanes = try DoubleBuffer(count: plan.numbers * choice.groupRows)
        work = try DoubleBuffer(count: plan.workNumbers * choice.groupRows)
        library = engine == .lanes ? nil : try laneLibrary(lanes, numbers: numbers, lanes: choice.groupRows)
    }

    private var loops: veery_lanes { choice.latest.pointee }

    /// A buffer of `count` numbers of each row of a group.
    func buffer(count: Int) throws(SignalError) -> DoubleBuffer { try DoubleBuffer(count: count * groupRows) }

    /// The way of frames into the lanes.
    ///
    /// - Parameters:
    ///   - length: Samples of the transform's input; nil: its length.
    ///   - step: Distance of two samples in lanes; nil: as the transform takes them.
    /// - Throws: `SignalError.outOfMemory`.
    func loader(_ window: LaneWindow, length: Int? = nil, step: Int? = nil) throws(SignalError) -> LaneLoader {
        try LaneLoader(window, length: length ?? self.length, step: step ?? (self.length % 2 == 0 ? 1 : 2), choice)
    }

    /// Transforms a group: as many frames as there are lanes, or fewer.
    func transform(_ frames: FrameRun, by loader: LaneLoader) {
        loader.load(frames, into: lanes)
        execute()
    }

    private func execute() {
        if let library { return library.execute() }
        loops.transform(lanes.pointer, plan.pointer, work.pointer)
    }

    /// The powers of the group, |X[k]|², k = 0 … N/2.
    func powers(into powers: DoubleBuffer) { loops.powers(lanes.pointer, plan.pointer, powers.pointer) }

    /// The spectra of the group, k = 0 … N/2.
    func spectra(real: DoubleBuffer, imaginary: DoubleBuffer) {
        loops.spectra(lanes.pointer, plan.pointer, real.pointer, imaginary.pointer)
    }

    /// The coefficients of a DCT-II of the group, k = 0 … N − 1, unscaled, where the rows hold folded samples. N is even.
    func coefficients(_ turns: CosineTurns, into values: DoubleBuffer) {
        loops.cosines(lanes.pointer, plan.pointer, turns.cosines.pointer, turns.sines.pointer, values.pointer)
    }

    /// The samples of a DCT-III of the group, n = 0 … N − 1, unscaled, in the memory of its halved coefficients. N is even.
    func samples(_ turns: CosineTurns, inPlace values: DoubleBuffer) {
        loops.tangle(values.pointer, plan.pointer, turns.cosines.pointer, turns.sines.pointer, lanes.pointer)
        execute()
        loops.unfold(lanes.pointer, plan.pointer, values.pointer)
    }

    /// Adds a number to `count` numbers of each row, in place.
    func add(_ number: Double, to values: DoubleBuffer, count: Int) {
        for index in 0..<count * groupLanes { values.pointer[index] += number }
    }

    /// Replaces the first `count` numbers of each row by their square roots, in the precision of a type.
    func takeRoots<Number: RowNumber>(_ values: DoubleBuffer, count: Int, as type: Number.Type) {
        Number.takeRoots(values.pointer, count: count, by: choice.latest)
    }

    /// The sums of bands of the group's powers.
    func bands(_ bank: BandWeights, of powers: DoubleBuffer, into values: DoubleBuffer) {
        loops.bands(powers.pointer, bank.weights, bank.first, bank.counts, bank.counts.count, values.pointer)
    }

    /// Every `step`th number of the group from `first` on, in the rows' precision, or the square of that, to rows that are `width`
    /// values apart.
    func store<Number: RowNumber>(
        _ values: DoubleBuffer, from first: Int = 0, step: Int = 1, columns: Int, squares: Bool = false,
        into target: UnsafeMutablePointer<Number>, width: Int, rows: Int
    ) {
        Number.store(
            values.pointer + first * groupLanes, step: step, columns: columns, squares: squares, by: choice.latest,
            into: target, width: width, count: rows)
    }
}

/// A library that computes the complex transforms of a group of frames. The results replace the input.
protocol LaneLibrary {
    func execute()
}

/// A window on the way of frames into lanes, and what comes before it; the other samples of the transform are 0.
struct LaneWindow {
    /// The order of the samples in the transform's input.
    enum Order {
        /// In order of time.
        case natural
        /// Even samples forwards, then odd samples backwards: x₀ x₂ x₄ … x₅ x₃ x₁.
        case evenThenOddReversed
    }

    var preparation = veery_preparation()
    /// A factor for each sample of a frame.
    let weights: [Double]
    /// Index of the frame's first sample in the transform's input.
    var offset = 0
    var order: Order = .natural
}

/// The way of a group of frames into lanes.
final class LaneLoader {
    /// The energy of each frame of the latest group; 0 where it is not measured.
    var energies: UnsafePointer<Double> { UnsafePointer(sums.pointer) }

    private let weights: DoubleBuffer
    private let sums: DoubleBuffer
    private var window: veery_lane_window
    private let loops: LaneLoops

    /// - Parameters:
    ///   - length: Samples of the transform.
    ///   - step: Distance of two samples in the lanes, 1 or 2.
    ///   - loops: Those that it chooses from for each group.
    /// - Throws: `SignalError.outOfMemory`.
    init(_ window: LaneWindow, length: Int, step: Int, _ loops: LaneLoops) throws(SignalError) {
        precondition(window.offset + window.weights.count <= length, "a frame is no longer than the transform")
        self.loops = loops
        weights = try DoubleBuffer(count: window.weights.count)
        for (n, weight) in window.weights.enumerated() { weights.pointer[n] = weight }
        sums = try DoubleBuffer(count: loops.groupRows)
        self.window = veery_lane_window(
            preparation: window.preparation, weights: weights.pointer, samples: window.weights.count, length: length,
            offset: window.offset, step: step, is_folded: window.order == .evenThenOddReversed ? 1 : 0)
    }

    /// Chooses the loops for a group and puts its frames into `lanes`. Lanes that are left over get a copy of the last one.
    func load(_ frames: FrameRun, into lanes: DoubleBuffer) {
        var group = veery_frames(
            first: frames.first, stride: frames.stride, count: frames.count, rest: frames.rest ?? 0)
        loops.choose(frames: frames.count)
        loops.latest.pointee.from_frames(&group, &window, lanes.pointer, sums.pointer)
    }

    /// The first `columns` numbers of the lanes, in the rows' precision, to rows that are `width` values apart.
    func store<Number: RowNumber>(
        _ lanes: DoubleBuffer, columns: Int, into target: UnsafeMutablePointer<Number>, width: Int, rows: Int
    ) {
        Number.store(
            lanes.pointer, step: 1, columns: columns, squares: false, by: loops.latest, into: target, width: width,
            count: rows)
    }
}
