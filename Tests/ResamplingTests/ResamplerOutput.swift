import FeatureModel

@testable import Resampling

extension Resampler {
    /// Everything that comes out, where the signal goes in by pieces of `piece` samples.
    func output(_ samples: [Float], piece: Int = 65_536) throws -> [Float] {
        var result: [Float] = []
        func keep(_ samples: UnsafeBufferPointer<Float>) throws(ClipFailure) { result += samples }
        try samples.withUnsafeBufferPointer { samples in
            for start in stride(from: 0, to: samples.count, by: piece) {
                let part = UnsafeBufferPointer(rebasing: samples[start..<min(start + piece, samples.count)])
                try push(part, receive: keep)
            }
            try finish(receive: keep)
        }
        return result
    }
}
