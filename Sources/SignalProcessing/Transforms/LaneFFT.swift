import CKernels

/// Real Fourier transforms of frames that lie side by side in the lanes of vectors, by the project's own loops.
///
/// The algebra is that of `RealFFT`: half as many complex numbers, **samples halved on the way in** (`inputFactor`), double
/// precision, untangling. The complex transform (`fourier.h`) has passes of radix 8, 5, 4, 3 and 2. Every frame has a lane of its
/// own, so nothing depends on the number of lanes or on the other frames: the bits are the same with SSE2 (2 lanes), AVX2 (4) and
/// AVX-512 (8). FFTW does not promise that. NEON would have 2 lanes; that has been compiled, and never been run.
///
/// Frames are transformed group by group, a group being as many as there are lanes. They are prepared, and multiplied by a window,
/// on their way into lanes. Not safe to use from two threads at once.
final class LaneFFT {
    /// Frames of a batch, a multiple of the lanes of every set.
    static let rows = 8
    /// The maximum number of samples: beyond it, the lanes of a group leave the second-level cache.
    static let maximumLength = 16_384
    /// What `/provenance/software` says; another number where the bits of its results are others.
    static let version = "lanes 1"

    /// Number of samples in a row, N.
    let length: Int
    /// Number of bins of a row, N/2 + 1.
    var bins: Int { length / 2 + 1 }
    /// What the window has to be multiplied by.
    static let inputFactor = 0.5
    /// Frames in a group.
    let groupRows: Int
    /// The energy of each frame of the latest group; 0 where it is not measured.
    var energies: UnsafePointer<Double> { UnsafePointer(sums.pointer) }

    private let loops: veery_lanes
    /// The complex numbers of a group.
    private let lanes: DoubleBuffer
    private let sums: DoubleBuffer
    private let plan: LanePlan
    private let window: LaneWindow

    /// Whether there are transforms of this length.
    static func serves(length: Int) -> Bool {
        length <= maximumLength && length > 0 && length % 2 == 0 && LanePlan.radices(of: length / 2) != nil
    }

    /// Computes the tables.
    ///
    /// - Parameters:
    ///   - length: Number of samples that `serves` accepts.
    ///   - window: The window of the frames, and what comes before it.
    ///   - kernels: The instructions.
    /// - Throws: `SignalError.outOfMemory`, `.noPlan`.
    init(
        length: Int, window: LaneWindow, kernels: UnsafePointer<veery_kernels> = Kernels.best
    ) throws(SignalError) {
        guard Self.serves(length: length), let plan = LanePlan(length: length / 2) else {
            throw .noPlan(length: length)
        }
        self.plan = plan
        self.length = length
        loops = kernels.pointee.lanes.pointee
        groupRows = loops.count
        self.window = window
        sums = try DoubleBuffer(count: groupRows)
        lanes = try DoubleBuffer(count: length * groupRows)
    }

    /// A buffer of `count` numbers of each row of a group.
    func buffer(count: Int) throws(SignalError) -> DoubleBuffer { try DoubleBuffer(count: count * groupRows) }

    /// Transforms a group: as many frames as there are lanes, or fewer. Lanes that are left over get a copy of the last one.
    func transform(_ frames: FrameRun) {
        var group = veery_frames(
            first: frames.first, stride: frames.stride, count: frames.count, rest: frames.rest ?? 0)
        window.withWindow(length: length) { loops.from_frames(&group, $0, lanes.pointer, sums.pointer) }
        plan.withPlan { loops.transform(lanes.pointer, $0) }
    }

    /// The powers of the group, |X[k]|², k = 0 … N/2.
    func powers(into powers: DoubleBuffer) { plan.withPlan { loops.powers(lanes.pointer, $0, powers.pointer) } }

    /// The spectra of the group, k = 0 … N/2.
    func spectra(real: DoubleBuffer, imaginary: DoubleBuffer) {
        plan.withPlan { loops.spectra(lanes.pointer, $0, real.pointer, imaginary.pointer) }
    }

    /// The coefficients of a DCT-II of the group, k = 0 … N − 1, unscaled, where the rows hold its reordered samples (see
    /// `CosineTransform`).
    func coefficients(_ turns: CosineTurns, into values: DoubleBuffer) {
        plan.withPlan { loops.cosines(lanes.pointer, $0, turns.cosines, turns.sines, values.pointer) }
    }

    /// Square roots of `count` numbers of each row, in place.
    func takeRoots(_ values: DoubleBuffer, count: Int) { loops.roots(values.pointer, count) }

    /// The sums of bands of the group's powers.
    func bands(_ bank: BandWeights, of powers: DoubleBuffer, into values: DoubleBuffer) {
        loops.bands(powers.pointer, bank.weights, bank.first, bank.counts, bank.counts.count, values.pointer)
    }

    /// Every `step`th number of the group, in single precision, or the square of that, to rows that are `width` values apart.
    func store(
        _ values: DoubleBuffer, step: Int = 1, columns: Int, squares: Bool = false,
        into target: UnsafeMutablePointer<Float>, width: Int, rows: Int
    ) {
        loops.to_rows(values.pointer, step, columns, squares ? 1 : 0, target, width, rows)
    }
}

/// A window on the way of frames into lanes, and what comes before it; the other samples of the transform are 0.
struct LaneWindow {
    var preparation = veery_preparation()
    /// A factor for each sample of a frame.
    let weights: [Double]
    /// Index of the frame's first sample in the transform's input.
    let offset: Int
    let order: FrameWindow.Order

    /// Calls `body` with the window of a transform of `length` samples.
    @inline(__always)
    fileprivate func withWindow(length: Int, _ body: (UnsafePointer<veery_lane_window>) -> Void) {
        weights.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            var window = veery_lane_window(
                preparation: preparation, weights: start, samples: buffer.count, length: length, offset: offset,
                is_folded: order == .evenThenOddReversed ? 1 : 0)
            body(&window)
        }
    }
}

/// cos and −sin of πk/2N, k = 0 … N/2, which turn the spectrum of the reordered samples into a DCT-II of length N.
struct CosineTurns {
    let cosines: [Double]
    let sines: [Double]

    init(length: Int) {
        let points = (0...length / 2).map { UnitCircle.point($0, of: 4 * length) }
        cosines = points.map(\.cosine)
        sines = points.map { -$0.sine }
    }
}
