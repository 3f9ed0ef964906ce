import CKernels
import FeatureModel
import TestSupport
import Testing

@testable import Resampling

/// Laws of the resamplers that are tables of phases.
struct PhaseFilterTests {
    private static let methods = ResamplingMethod.allCases.filter { !$0.isSoxr }
    private static let rates = [
        (44_100, 16_000), (16_000, 44_100), (48_000, 16_000), (8000, 16_000), (16_000, 15_999), (7, 3), (1000, 1),
        (1, 1000),
    ]

    private func design(_ method: ResamplingMethod, _ rates: (Int, Int)) throws -> any PhaseDesign {
        try #require(phaseDesign(method, from: rates.0, to: rates.1))
    }

    /// The weights of a phase, and the place of the first of them relative to the phase's own, both in samples of the input.
    private func weights(_ design: any PhaseDesign, _ phase: Int) -> (first: Double, values: [Double]) {
        var values = [Double](repeating: .nan, count: design.reach.before + 1 + design.reach.after)
        design.weigh(phase, into: &values)
        let part = Double(design.ratio.position(phase).part) / Double(design.ratio.up)
        return (-Double(design.reach.before) - part, values)
    }

    private func isRefused(_ method: ResamplingMethod, _ rates: (Int, Int)) -> Bool {
        (try? Resampler.check(from: rates.0, to: rates.1, by: method)) == nil
    }

    @Test(arguments: methods, rates)
    func `a constant keeps its value within the ripple of the filter`(
        method: ResamplingMethod, rates: (Int, Int)
    ) throws {
        guard !isRefused(method, rates) else { return }
        let design = try design(method, rates)
        for phase in Set([0, 1, design.ratio.up / 3, design.ratio.up / 2, design.ratio.up - 1])
        where phase < design.ratio.up {
            let sum = weights(design, phase).values.reduce(0, +)
            // A filter of resampy whose step is rounded down is wider than its factor says, at worst by a half.
            let isRounded = (method == .kaiserBest || method == .kaiserFast) && rates.0 > rates.1
            #expect(abs(sum - 1) < (isRounded ? 0.6 : 0.02), "phase \(phase): \(sum)")
        }
    }

    @Test(arguments: methods, rates)
    func `an impulse comes out as the weights of the phases`(method: ResamplingMethod, rates: (Int, Int)) throws {
        guard !isRefused(method, rates) else { return }
        let design = try design(method, rates)
        let ratio = design.ratio
        let place = design.reach.before + 5
        var samples = [Float](repeating: 0, count: 2 * place + ratio.down)
        samples[place] = 1
        let found = try Resampler(from: rates.0, to: rates.1, by: method).output(samples, piece: 1000)
        #expect(found.count == design.count(of: samples.count))
        for (output, value) in found.enumerated().prefix(3000) {
            let (period, phase) = output.quotientAndRemainder(dividingBy: ratio.up)
            let isLate = phase == 0 && design.isLate(output)
            let start = period * ratio.down + ratio.position(phase).whole - design.reach.before - (isLate ? 1 : 0)
            let row = weights(design, isLate ? ratio.up : phase).values
            let expected = row.indices.contains(place - start) ? Float(row[place - start]) : 0
            guard value != expected else { continue }
            Issue.record("sample \(output) is \(value) instead of \(expected)")
            return
        }
    }

    @Test(arguments: [ResamplingMethod.torchaudio, .polyphase])
    func `weights are symmetric about the place of a sample`(method: ResamplingMethod) throws {
        let design = try design(method, (44_100, 16_000))
        for phase in 1..<design.ratio.up {
            let (first, values) = weights(design, phase)
            // The phase whose place is as far before a sample as this one is after it.
            let other = try #require(
                (1..<design.ratio.up).first {
                    design.ratio.position($0).part + design.ratio.position(phase).part == design.ratio.up
                })
            let (opposite, mirrored) = weights(design, other)
            for (index, value) in values.enumerated() {
                let mirror = -(first + Double(index)) - opposite
                guard mirror > -0.5, Int(mirror.rounded()) < mirrored.count else { continue }
                // torchaudio rounds times to single precision: by up to 1e-5 of the distance of two zeros.
                let limit = method == .torchaudio ? 1e-5 : 1e-14
                try #require(
                    abs(value - mirrored[Int(mirror.rounded())]) < limit, "phase \(phase), weight \(index)")
            }
        }
    }

    @Test(arguments: methods, rates)
    func `silence remains silence, and one sample has the length of its ratio`(
        method: ResamplingMethod, rates: (Int, Int)
    ) throws {
        guard !isRefused(method, rates) else { return }
        let design = try design(method, rates)
        let silence = try Resampler(from: rates.0, to: rates.1, by: method).output([Float](repeating: 0, count: 5000))
        #expect(silence.allSatisfy { $0 == 0 } && silence.count == design.count(of: 5000))
        guard design.count(of: 1) > 0 else { return }
        let one = try Resampler(from: rates.0, to: rates.1, by: method).output([0.75])
        #expect(one.count == design.count(of: 1) && one.allSatisfy(\.isFinite))
        #expect(one[0] == Float(0.75 * weights(design, 0).values[design.reach.before]))
    }

    @Test(arguments: methods)
    func `samples come after half of the filter, and no later`(method: ResamplingMethod) throws {
        let design = try design(method, (44_100, 16_000))
        let resampler = try Resampler(from: 44_100, to: 16_000, by: method)
        var count = 0
        let sample: [Float] = [0.5]
        for received in 1...2000 {
            try sample.withUnsafeBufferPointer { try resampler.push($0) { count += $0.count } }
            // All samples of the output whose last weight is for a sample that is there.
            let reached = received - 1 - design.reach.after
            try #require(count == (reached < 0 ? 0 : ((reached + 1) * 160 - 1) / 441 + 1), "\(received)")
        }
    }

    @Test func `rows that do not fit into memory are made again, with the same weights`() throws {
        // 9973 phases of kaiser_best are too many; the rates of polyphase have few.
        for (method, rates) in [(ResamplingMethod.kaiserBest, (9967, 9973)), (.polyphase, (3, 2))] {
            let design = try design(method, rates)
            let table = PhaseTable(design)
            #expect((table.usable == nil) == (method == .polyphase))
            for phase in [0, 1, 1, design.ratio.up - 1, 0, 1] {
                let row = UnsafeBufferPointer(start: table.row(phase), count: 8 * table.blocks)
                let expected = weights(design, phase).values
                #expect(Array(row.suffix(expected.count)) == expected)
                #expect(row.dropLast(expected.count).allSatisfy { $0 == 0 })
            }
        }
    }

    @Test func `the sums of all sets of instructions are those of eight lanes`() {
        var random = RandomSource(seed: 8)
        let samples = random.samples(400)
        for blocks in [1, 2, 5, 35] {
            let rows = (0..<3).map { _ in random.samples(8 * blocks).map(Double.init) }
            let starts = [0, 7, 101]
            let expected = zip(starts, rows).map { start, row in
                var lanes = [Double](repeating: 0, count: 8)
                for (index, weight) in row.enumerated() { lanes[index % 8] += Double(samples[start + index]) * weight }
                let half = (0..<4).map { lanes[$0] + lanes[$0 + 4] }
                return Float((half[0] + half[2]) + (half[1] + half[3]))
            }
            let pointers = rows.map { row in
                let pointer = UnsafeMutablePointer<Double>.allocate(capacity: row.count)
                pointer.initialize(from: row, count: row.count)
                return pointer
            }
            defer { for pointer in pointers { pointer.deallocate() } }
            for set in (0..<4).compactMap({ veery_kernels_set($0) }) {
                for count in 1...3 {
                    var found = [Float](repeating: .nan, count: 4)
                    set.pointee.filter(
                        samples, starts, pointers.map { UnsafePointer($0) }, blocks, count, &found)
                    #expect(Array(found[..<count]) == Array(expected[..<count]) && found[count].isNaN)
                }
            }
        }
    }

    @Test func `times of a cycle that come out early count from the sample before`() throws {
        // In double precision, 1 / (1 / 99) is less than 99: every sample but the first is late.
        let design = KaiserTable(RateRatio(from: 99, to: 1), .best)
        #expect((0..<5).map(design.isLate) == [false, true, true, true, true])
        #expect(!KaiserTable(RateRatio(from: 2, to: 1), .best).isLate(1000))
    }
}
