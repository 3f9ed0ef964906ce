import FeatureModel

/// - Parameters:
///   - samples: Interleaved.
///   - frame: The first sample's frame in its recording, from 0.
/// - Throws: `ClipFailure.nonFiniteSample` for the first infinity or NaN.
package func requireFinite(_ samples: UnsafeBufferPointer<Float>, channels: Int, from frame: Int) throws(ClipFailure) {
    guard let index = firstNonFinite(samples) else { return }
    throw .nonFiniteSample(ClipFailure.SampleValue(samples[index]), frame: frame + index / channels)
}

/// Replaces infinities and NaNs by 0 and returns their number.
package func zeroNonFinite(_ samples: UnsafeMutableBufferPointer<Float>) -> Int {
    guard firstNonFinite(UnsafeBufferPointer(samples)) != nil else { return 0 }
    var count = 0
    for index in samples.indices where !samples[index].isFinite {
        samples[index] = 0
        count += 1
    }
    return count
}
