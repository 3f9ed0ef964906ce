import CKernels
import FeatureModel

/// Resampling by a table of phases. A sample is delayed by half of the filter, and by no more.
///
/// Sums are in double precision, in an order that depends on nothing but the design.
final class PhaseFilter: ResamplingEngine {
    private let design: any PhaseDesign
    private let table: PhaseTable
    private let (input, target): (Int, Int)
    private let method: ResamplingMethod

    /// The latest samples of the input, after zeros in front of its first one.
    private let history: UnsafeMutablePointer<Float>
    private let capacity: Int
    private var filled = 0
    /// The number of the sample of the input that `history` begins with; below 0: one of the zeros.
    private var origin = 0
    /// Samples of the input that have come.
    private var received = 0
    /// The number of the next sample of the output, and its phase.
    private var (produced, phase) = (0, 0)
    /// Its position in the input: the whole part, and the numerator of the rest over `up`.
    private var (position, part) = (0, 0)

    private let output: UnsafeMutablePointer<Float>
    private let starts: UnsafeMutablePointer<Int>
    private let rows: UnsafeMutablePointer<UnsafePointer<Double>>
    private let batch: Int

    private static let pieceSamples = 4096
    private static let mostAtATime = 256

    /// Nil: libsoxr computes the method.
    ///
    /// - Precondition: `Resampler.check` accepts the rates.
    init?(from input: Int, to target: Int, by method: ResamplingMethod) {
        guard let design = phaseDesign(method, from: input, to: target) else { return nil }
        (self.input, self.target, self.method, self.design) = (input, target, method, design)
        table = PhaseTable(design)
        batch = min(Self.mostAtATime, table.usable ?? Self.mostAtATime)
        capacity = 8 * table.blocks + 1 + Self.pieceSamples
        history = .allocate(capacity: capacity)
        output = .allocate(capacity: batch)
        starts = .allocate(capacity: batch)
        rows = .allocate(capacity: batch)
        reset()
    }

    deinit {
        history.deallocate()
        output.deallocate()
        starts.deallocate()
        rows.deallocate()
    }

    func reset() {
        // A position that is late counts from the sample before.
        let zeros = table.before + 1
        history.update(repeating: 0, count: zeros)
        (filled, origin, received) = (zeros, -zeros, 0)
        (produced, phase, position, part) = (0, 0, 0, 0)
    }

    func push(
        _ samples: UnsafeBufferPointer<Float>, receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void
    ) throws(ClipFailure) {
        try samples.forEachPiece { source, left throws(ClipFailure) in
            let count = makeSpace(for: left)
            (history + filled).update(from: source, count: count)
            (filled, received) = (filled + count, received + count)
            try produce(upTo: .max, receive)
            return count
        }
    }

    func finish(receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void) throws(ClipFailure) {
        try Resampler.requireSample(of: received, from: input, to: target, by: method)
        let total = design.count(of: received)
        while produced < total {
            let count = makeSpace(for: Self.pieceSamples)
            (history + filled).update(repeating: 0, count: count)
            filled += count
            try produce(upTo: total, receive)
        }
    }

    /// Moves what is still needed to the front, if there is no space for a sample; returns for how many there is, up to `wanted`.
    private func makeSpace(for wanted: Int) -> Int {
        if filled == capacity {
            let first = position - table.before - 1
            let unneeded = max(0, min(first - origin, filled))
            history.update(from: history + unneeded, count: filled - unneeded)
            (filled, origin) = (filled - unneeded, origin + unneeded)
        }
        return min(wanted, capacity - filled)
    }

    /// Hands over the samples whose input is there, before number `limit`.
    private func produce(
        upTo limit: Int, _ receive: (UnsafeBufferPointer<Float>) throws(ClipFailure) -> Void
    ) throws(ClipFailure) {
        let ratio = design.ratio
        let last = origin + filled - 1 - design.reach.after
        let (whole, rest) = ratio.down.quotientAndRemainder(dividingBy: ratio.up)
        let first = table.before + origin
        let kernel = veery_kernels_best().pointee.filter
        while true {
            // In local variables: those of an object are checked at each access.
            var (produced, phase, position, part, count) = (produced, phase, position, part, 0)
            while count < batch, produced < limit, position <= last {
                let isLate = phase == 0 && design.isLate(produced)
                starts[count] = position - first - (isLate ? 1 : 0)
                rows[count] = table.row(isLate ? ratio.up : phase)
                count += 1
                produced += 1
                phase = phase + 1 == ratio.up ? 0 : phase + 1
                position += whole
                part += rest
                if part >= ratio.up { (part, position) = (part - ratio.up, position + 1) }
            }
            guard count > 0 else { return }
            (self.produced, self.phase, self.position, self.part) = (produced, phase, position, part)
            kernel(history, starts, rows, table.blocks, count, output)
            try receive(UnsafeBufferPointer(start: output, count: count))
        }
    }
}
