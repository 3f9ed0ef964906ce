import CKernels
import FeatureModel
import Foundation
import TestSupport
import Testing

@testable import SignalProcessing

/// Discrete cosine transforms over lanes, with every set of instructions of this processor.
struct LaneCosineTests {
    private let sets = (0..<4).compactMap { veery_kernels_set($0) }

    /// X[k] for some k, with the factors ½ of the type.
    private func direct(_ row: [Float], _ type: CosineTransformType, _ indices: [Int]) -> [Double] {
        let count = row.count
        let period = type == .one ? count - 1 : count
        let table = (0..<8 * period).map { cos(LongDouble.pi * LongDouble($0) / LongDouble(4 * period)) }
        return indices.map { k in
            var sum: LongDouble = 0
            for (n, x) in row.enumerated() {
                let isEnd = n == 0 && (type == .one || type == .three) || n == count - 1 && type == .one
                sum += LongDouble(x) * (isEnd ? 0.5 : 1) * table[type.steps(n, k) % table.count]
            }
            return Double(sum)
        }
    }

    /// The results of a row in double precision.
    private func results(_ row: [Float], _ type: CosineTransformType) throws -> [Double] {
        let scaling = CosineScaling(type, length: row.count, .none)
        let cosine = try LaneCosine(type: type, length: row.count, window: LaneWindow(weights: scaling.weights))
        try frameRun([row]) { cosine.transform($0) }
        return (0..<row.count).map(cosine.result)
    }

    @Test(arguments: CosineTransformType.allCases)
    func `coefficients at every length are exact to 1e-15 of the greatest`(type: CosineTransformType) throws {
        var random = RandomSource(seed: 41)
        for length in Array(type.minimumLength...700) + [1000, 1001, 1021, 1024, 2048, 2049, 4099, 8192, 16_385] {
            let row = random.samples(length)
            let all = Array(0..<length)
            let indices = length <= 48 ? all : [0, 1, length / 2, length - 1] + all.shuffled(using: &random).prefix(6)
            let found = try results(row, type)
            let greatest = found.reduce(0) { max($0, abs($1)) }
            for (index, value) in zip(indices, direct(row, type, indices)) {
                let error = abs(found[index] - value)
                #expect(error <= 1e-15 * greatest, "length \(length), \(index): \(error / greatest)")
            }
        }
    }

    @Test(arguments: CosineTransformType.allCases)
    func `all instructions give the same bits, for batches of every size`(type: CosineTransformType) throws {
        var random = RandomSource(seed: 42)
        for length in Array(2...66) + [97, 100, 127, 128, 255, 256, 257, 400, 509, 512, 1000, 1021, 1024, 2048] {
            let rows = (0..<9).map { row in random.samples(length).map { $0 * (row % 2 == 0 ? 1 : 1e30) } }
            for norm in CosineNormalization.allCases {
                let alone = try rows.map { try cosineCoefficients(of: [$0], type, norm, kernels: sets[0])[0] }
                for kernels in sets {
                    let found = try cosineCoefficients(of: rows, type, norm, kernels: kernels)
                    #expect(
                        found.map { $0.map(\.bitPattern) } == alone.map { $0.map(\.bitPattern) }, "length \(length)")
                }
            }
        }
    }

    @Test(arguments: CosineTransformType.allCases)
    func `FFTW gives the same coefficients`(type: CosineTransformType) throws {
        guard transformLibraryVersion() != nil else { return }
        var random = RandomSource(seed: 43)
        for length in [2, 3, 16, 25, 97, 256, 400] {
            let rows = (0..<3).map { _ in random.samples(length) }
            let own = try cosineCoefficients(of: rows, type)
            let other = try cosineCoefficients(of: rows, type, engine: .fftw)
            for (own, other) in zip(own, other) {
                #expect(relativeError(own, other.map(Double.init)) <= 2e-7, "length \(length)")
            }
        }
    }
}
