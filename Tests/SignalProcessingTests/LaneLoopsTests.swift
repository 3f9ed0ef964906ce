import FeatureModel
import TestSupport
import Testing

@testable import SignalProcessing

/// The number of lanes that a group of frames takes.
struct LaneLoopsTests {
    @Test func `a group takes the fewest lanes that hold its frames, and one or two frames take two`() throws {
        for (index, kernels) in Kernels.all.enumerated() {
            let lanes = Kernels.all[...index].map(\.pointee.lanes.pointee.count)
            let fourier = try LaneFFT(length: 12, kernels: kernels)
            let loader = try fourier.loader(.rectangle(12))
            #expect(fourier.groupRows == lanes.last)
            // Also after groups of other sizes.
            for count in Array(1...fourier.groupRows) + (1...fourier.groupRows).reversed() {
                try frameRun(Array(repeating: [Float](repeating: 1, count: 12), count: count)) {
                    fourier.transform($0, by: loader)
                }
                #expect(fourier.groupLanes == lanes.first { $0 >= count })
                #expect(count > 2 || fourier.groupLanes == 2)
            }
        }
    }

    @Test func `a cosine transform of one frame takes two lanes, of every type`() throws {
        for type in CosineTransformType.allCases {
            let cosine = try LaneCosine(type: type, length: 12, window: .rectangle(12))
            try frameRun([[Float](repeating: 1, count: 12)]) { cosine.transform($0) }
            #expect(cosine.groupLanes == 2 && cosine.groupRows == Kernels.best.pointee.lanes.pointee.count)
        }
    }

    @Test func `long transforms have two lanes at most`() {
        #expect(LaneLoops(length: 16_384).groupRows == Kernels.best.pointee.lanes.pointee.count)
        #expect(LaneLoops(length: 16_385).groupRows == 2)
    }

    @Test func `FFTW computes groups of one size`() {
        let loops = LaneLoops(length: 512, engine: .fftw)
        loops.choose(frames: 1)
        #expect(loops.latest == Kernels.best.pointee.lanes)
    }
}
