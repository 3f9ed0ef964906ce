/// Signals are on the unit scale: full scale is ±1.
enum SignalCheck {
    /// Larger than any sample on the unit scale, and less than samples of 16 bits soon are that were not divided.
    static var limit: Float { 256 }

    /// - Parameter start: Samples of the signal before these.
    /// - Throws: `InterfaceError` for the first sample that is not finite, or not on the unit scale. Which one that is does not
    ///   depend on how the signal is cut into pieces.
    static func require(_ samples: UnsafeBufferPointer<Float>, from start: Int = 0) throws(InterfaceError) {
        guard let index = firstUnusable(samples) else { return }
        let (sample, number) = (samples[index], start + index)
        throw sample.isFinite ? .notUnitScale(sample, index: number) : .notFinite(sample, index: number)
    }

    private static func firstUnusable(_ samples: UnsafeBufferPointer<Float>) -> Int? {
        // As integers, magnitudes have the order of their values, with infinities and NaN above all numbers.
        var greatest = SIMD8<UInt32>.zero
        let whole = samples.count / 8 * 8
        if let start = samples.baseAddress {
            for index in stride(from: 0, to: whole, by: 8) {
                let bits = UnsafeRawPointer(start + index).loadUnaligned(as: SIMD8<UInt32>.self)
                greatest = pointwiseMax(greatest, bits & 0x7FFF_FFFF)
            }
        }
        func isUsable(_ sample: Float) -> Bool { sample.magnitude < limit }
        if greatest.max() < limit.bitPattern, samples[whole...].allSatisfy(isUsable) { return nil }
        return samples.firstIndex { !isUsable($0) }
    }
}

extension InterfaceError {
    static func notFinite(_ sample: Float, index: Int) -> Self {
        Self(.notFinite, "sample \(index): expected a finite number, found \(sample)")
    }

    static func notUnitScale(_ sample: Float, index: Int) -> Self {
        Self(
            .notUnitScale,
            "sample \(index): expected samples within ±1, found \(sample): divide samples of 16-bit PCM by 32768")
    }
}
