import CKernels
import Numerics

/// The tables of a complex Fourier transform over lanes, of any length, as the loops take them; see `fourier.h`.
///
/// Computed without the C library, so that they are the same on every machine (`UnitCircle`).
final class LanePlan {
    /// What the loops are given.
    var pointer: UnsafePointer<veery_lane_plan> { UnsafePointer(plan) }
    /// How many doubles for each lane the buffer that is transformed in place needs, and the scratch buffer.
    let (numbers, workNumbers): (Int, Int)

    private let plan: UnsafeMutablePointer<veery_lane_plan>
    private let radices: NumberBuffer<Int32>
    private let turns: DoubleBuffer
    private let positions: NumberBuffer<Int32>
    private let (cosines, sines): (DoubleBuffer, DoubleBuffer)
    private let convolution: LaneConvolution?

    /// The radices of the passes, whose product is `length`; nil where it has a prime factor beyond 13.
    ///
    /// As many eights as there are without a two at the end: 16 is 4 · 4. They come first, so that the parts of a long transform
    /// are short at once.
    static func radices(of length: Int) -> [Int]? {
        var rest = length
        func count(_ factor: Int) -> Int {
            var count = 0
            while rest % factor == 0 { (rest, count) = (rest / factor, count + 1) }
            return count
        }
        let twos = count(2)
        let fours = [0, twos > 1 ? 2 : 0, 1][twos % 3]
        let odd = [13, 11, 7, 5, 3].map { ($0, count($0)) }
        guard rest == 1 else { return nil }
        let eights = (twos - 2 * fours) / 3
        let factors = [(8, eights)] + odd[..<4] + [(4, fours)] + odd[4...] + [(2, twos == 1 ? 1 : 0)]
        return factors.flatMap { Array(repeating: $0.0, count: $0.1) }
    }

    /// Computes the tables; of a length with a prime factor beyond 13, also the transform of a chirp of about twice as many numbers.
    ///
    /// - Parameters:
    ///   - length: Number of complex numbers, at least 1.
    ///   - isOdd: Whether these are an odd number of real samples, with imaginary parts of 0: only the first half of the result
    ///     is computed.
    ///   - hasTransform: False: only what follows the transform, which another library computes.
    /// - Throws: `SignalError.outOfMemory`.
    init(length: Int, isOdd: Bool, hasTransform: Bool = true) throws(SignalError) {
        let passes = hasTransform ? Self.radices(of: length) : []
        radices = try NumberBuffer(count: passes?.count ?? 0)
        for (index, radix) in (passes ?? []).enumerated() { radices.pointer[index] = Int32(radix) }
        turns = try Self.turns(passes ?? [], length)
        positions = try NumberBuffer(count: length)
        Self.fill(positions, passes ?? [])
        let points = isOdd ? 0 : length / 2 + 1
        cosines = try DoubleBuffer(count: points)
        sines = try DoubleBuffer(count: points)
        for k in 0..<points {
            let point = UnitCircle.point(k, of: 2 * length)
            (cosines.pointer[k], sines.pointer[k]) = (point.cosine, -point.sine)
        }
        convolution =
            passes == nil ? try LaneConvolution(length: length, results: isOdd ? length / 2 + 1 : length) : nil
        workNumbers = convolution?.workNumbers ?? 0
        numbers = max(2 * length, workNumbers)
        plan = .allocate(capacity: 1)
        plan.initialize(
            to: veery_lane_plan(
                length: length, is_odd: isOdd ? 1 : 0, radices: radices.pointer, turns: turns.pointer,
                positions: positions.pointer, cosines: cosines.pointer, sines: sines.pointer,
                convolution: convolution?.pointer))
    }

    deinit { plan.deallocate() }

    private static func turns(_ radices: [Int], _ length: Int) throws(SignalError) -> DoubleBuffer {
        var (part, count) = (length, 0)
        for radix in radices {
            part /= radix
            count += 2 * (radix - 1) * (part - 1) + (hasRoots(radix) ? 2 * radix : 0)
        }
        let turns = try DoubleBuffer(count: count)
        var next = turns.pointer
        func add(_ point: (cosine: Double, sine: Double)) {
            (next[0], next[1]) = (point.cosine, point.sine)
            next += 2
        }
        part = length
        for radix in radices {
            if hasRoots(radix) { for p in 0..<radix { add(UnitCircle.point(p, of: radix)) } }
            for j in 1..<max(part / radix, 1) {
                for q in 1..<radix {
                    let point = UnitCircle.point(j * q, of: part)
                    add((point.cosine, -point.sine))
                }
            }
            part /= radix
        }
        return turns
    }

    /// Whether the butterfly of a radix is given the radix's roots of 1.
    private static func hasRoots(_ radix: Int) -> Bool { radix == 7 || radix > 8 }

    private static func fill(_ positions: NumberBuffer<Int32>, _ radices: [Int]) {
        for k in 0..<positions.count {
            var (position, rest, part) = (0, k, positions.count)
            for radix in radices {
                part /= radix
                position += rest % radix * part
                rest /= radix
            }
            // Without passes, the results are in order.
            positions.pointer[k] = Int32(position + rest)
        }
    }
}

/// The tables of a transform that is computed by a longer one; see `convolve` in `fourier.h`.
final class LaneConvolution {
    var pointer: UnsafePointer<veery_convolution> { UnsafePointer(convolution) }
    let workNumbers: Int

    private let convolution: UnsafeMutablePointer<veery_convolution>
    private let plan: LanePlan
    private let (chirp, response): (DoubleBuffer, DoubleBuffer)

    /// - Parameters:
    ///   - length: Numbers of the transform, M.
    ///   - results: How many of the result are needed.
    /// - Throws: `SignalError.outOfMemory`.
    init(length: Int, results: Int) throws(SignalError) {
        let points = Self.fastLength(atLeast: length + results - 1)
        // Nothing is untangled: the tables of even lengths are not needed.
        plan = try LanePlan(length: points, isOdd: true)
        workNumbers = 2 * points
        chirp = try DoubleBuffer(count: 2 * length)
        for n in 0..<length {
            let point = UnitCircle.point(n * n % (2 * length), of: 2 * length)
            (chirp.pointer[2 * n], chirp.pointer[2 * n + 1]) = (point.cosine, -point.sine)
        }
        response = try Self.response(chirp, length: length, results: results, plan, points)
        convolution = .allocate(capacity: 1)
        convolution.initialize(
            to: veery_convolution(
                plan: plan.pointer, length: length, results: results, chirp: chirp.pointer, response: response.pointer))
    }

    deinit { convolution.deallocate() }

    /// The least number from `least` on that has no prime factor beyond 5 and, if it is long, many eights.
    static func fastLength(atLeast least: Int) -> Int {
        let step = least < 64 ? 1 : 8
        var length = (least + step - 1) / step * step
        while true {
            var rest = length
            for factor in [2, 3, 5] { while rest % factor == 0 { rest /= factor } }
            if rest == 1 { return length }
            length += step
        }
    }

    /// The transform of the chirp's conjugate around 0, divided by its length. Every set of loops gives the same bits.
    private static func response(
        _ chirp: DoubleBuffer, length: Int, results: Int, _ plan: LanePlan, _ points: Int
    ) throws(SignalError) -> DoubleBuffer {
        let loops = Kernels.narrow.pointee.lanes.pointee
        let lanes = loops.count
        let z = try DoubleBuffer(count: 2 * points * lanes)
        func put(_ n: Int, at index: Int) {
            for lane in 0..<lanes {
                z.pointer[2 * index * lanes + lane] = chirp.pointer[2 * n]
                z.pointer[(2 * index + 1) * lanes + lane] = -chirp.pointer[2 * n + 1]
            }
        }
        for n in 0..<results { put(n, at: n) }
        for n in 1..<max(length, 1) { put(n, at: points - n) }
        loops.transform(z.pointer, plan.pointer, nil)
        let response = try DoubleBuffer(count: 2 * points)
        for k in 0..<points {
            let position = Int(plan.pointer.pointee.positions[k])
            response.pointer[2 * k] = z.pointer[2 * position * lanes] / Double(points)
            response.pointer[2 * k + 1] = z.pointer[(2 * position + 1) * lanes] / Double(points)
        }
        return response
    }
}
