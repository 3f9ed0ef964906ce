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
