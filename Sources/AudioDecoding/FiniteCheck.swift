import FeatureModel

/// The index of the first infinity or NaN; nil where all numbers are finite.
package func firstNonFinite(_ samples: UnsafeBufferPointer<Float>) -> Int? {
    // Zero times a finite number is zero: one pass of multiplications shows whether to search.
    var sum = SIMD8<Float>.zero
    let whole = samples.count / 8 * 8
    if let start = samples.baseAddress {
        for index in stride(from: 0, to: whole, by: 8) {
            sum += UnsafeRawPointer(start + index).loadUnaligned(as: SIMD8<Float>.self) * 0
        }
    }
    if sum == .zero, samples[whole...].allSatisfy(\.isFinite) { return nil }
    return samples.firstIndex { !$0.isFinite }
}

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
