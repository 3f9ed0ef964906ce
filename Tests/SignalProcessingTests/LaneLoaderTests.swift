import TestSupport
import Testing

@testable import SignalProcessing

struct LaneLoaderTests {
    /// Lengths of a frame and of the transform.
    private static let shapes: [(Int, Int)] = (1...40).flatMap { (length: Int) -> [(Int, Int)] in
        let transforms: [Int] = [length, length + 1, length + 2, 2 * length + 3, 96]
        return transforms.map { (length, $0) }
    }

    /// The transform's input in the last lane.
    private func row(
        _ frame: [Float], window: [Double], factor: Double, order: LaneWindow.Order, fftLength: Int, step: Int = 1
    ) throws -> [Double] {
        let loops = LaneLoops(length: fftLength)
        let count = loops.groupRows
        let lanes = try DoubleBuffer(count: fftLength * step * count)
        for index in 0..<lanes.count { lanes.pointer[index] = .nan }
        let weights = window.map { $0 * factor }
        let loader = try LaneLoader(LaneWindow(weights: weights, order: order), length: fftLength, step: step, loops)
        try frameRun(Array(repeating: frame, count: count)) { loader.load($0, into: lanes) }
        return (0..<fftLength * step).map { lanes.pointer[$0 * count + count - 1] }
    }

    @Test(arguments: shapes)
    func `natural order: samples times window, then zeros`(length: Int, fftLength: Int) throws {
        var random = RandomSource(seed: UInt64(1000 * length + fftLength))
        let (frame, window) = (random.samples(length), random.samples(length))
        let row = try row(frame, window: window.map(Double.init), factor: 2, order: .natural, fftLength: fftLength)
        let expected = zip(frame, window).map { Double($0) * (Double($1) * 2) }
        #expect(row == expected + [Double](repeating: 0, count: fftLength - length))
    }

    @Test(arguments: shapes)
    func `reordered: even samples forwards, odd samples backwards, zeros between`(length: Int, fftLength: Int) throws {
        var random = RandomSource(seed: UInt64(1000 * length + fftLength))
        let (frame, window) = (random.samples(length), random.samples(length))
        let row = try row(
            frame, window: window.map(Double.init), factor: 0.5, order: .evenThenOddReversed, fftLength: fftLength)
        let windowed =
            zip(frame, window).map { Double($0) * (Double($1) * 0.5) }
            + [Double](repeating: 0, count: fftLength - length)
        let evens = stride(from: 0, to: fftLength, by: 2).map { windowed[$0] }
        let odds = stride(from: 1, to: fftLength, by: 2).map { windowed[$0] }
        #expect(row == evens + odds.reversed())
    }

    @Test func `the scale of the samples is part of the window`() throws {
        let row = try row([0.5, -1, 0.25], window: [1, 1, 1], factor: 32_768, order: .natural, fftLength: 3)
        #expect(row == [16_384, -32_768, 8192])
    }

    @Test(arguments: shapes)
    func `numbers of an odd length have zeros between them`(length: Int, fftLength: Int) throws {
        var random = RandomSource(seed: UInt64(1000 * length + fftLength))
        let frame = random.samples(length)
        let row = try row(
            frame, window: Array(repeating: 1, count: length), factor: 1, order: .natural, fftLength: fftLength, step: 2
        )
        let samples = frame.map(Double.init) + [Double](repeating: 0, count: fftLength - length)
        #expect(row == samples.flatMap { [$0, 0] })
    }
}
