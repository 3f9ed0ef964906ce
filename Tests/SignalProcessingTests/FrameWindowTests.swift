import TestSupport
import Testing

@testable import SignalProcessing

struct FrameWindowTests {
    /// Lengths of a frame and of the transform.
    private static let shapes: [(Int, Int)] = (1...40).flatMap { (length: Int) -> [(Int, Int)] in
        let transforms: [Int] = [length, length + 1, length + 2, 2 * length + 3, 96]
        return transforms.map { (length, $0) }
    }

    /// The row that the window writes into zeros, with a mark behind it that has to survive.
    private func row(
        _ frame: [Float], window: [Double], factor: Double, order: FrameWindow.Order, fftLength: Int
    ) throws -> [Double] {
        var row = [Double](repeating: 0, count: fftLength) + [7, 7, 7, 7, 7, 7, 7, 7]
        FrameWindow(window, factor: factor, order: order, fftLength: fftLength).apply(frame, into: &row)
        try #require(row[fftLength...].allSatisfy { $0 == 7 }, "written past the row's end")
        return Array(row[..<fftLength])
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
}
