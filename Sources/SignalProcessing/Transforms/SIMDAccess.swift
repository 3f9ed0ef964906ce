// Unaligned access to eight numbers at a time. Kernels stay in this module: a generic function that crosses modules
// without being inlined costs two orders of magnitude.

extension UnsafePointer<Float> {
    /// The eight numbers from `index` on.
    @inline(__always)
    func eight(at index: Int) -> SIMD8<Float> {
        UnsafeRawPointer(self + index).loadUnaligned(as: SIMD8<Float>.self)
    }
}

extension UnsafeMutablePointer<Float> {
    /// The eight numbers from `index` on.
    @inline(__always)
    func eight(at index: Int) -> SIMD8<Float> {
        UnsafeRawPointer(self + index).loadUnaligned(as: SIMD8<Float>.self)
    }

    /// Stores eight numbers from `index` on.
    @inline(__always)
    func store(_ values: SIMD8<Float>, at index: Int) {
        UnsafeMutableRawPointer(self + index).storeBytes(of: values, as: SIMD8<Float>.self)
    }
}

extension UnsafePointer<Double> {
    /// The four numbers from `index` on.
    @inline(__always)
    func four(at index: Int) -> SIMD4<Double> {
        UnsafeRawPointer(self + index).loadUnaligned(as: SIMD4<Double>.self)
    }
}

extension UnsafeMutablePointer<Float> {
    /// Stores four numbers from `index` on.
    @inline(__always)
    func store(_ values: SIMD4<Float>, at index: Int) {
        UnsafeMutableRawPointer(self + index).storeBytes(of: values, as: SIMD4<Float>.self)
    }
}

extension SIMD4<Double> {
    /// The same numbers, last first.
    @inline(__always)
    var reversed: SIMD4<Double> { SIMD4(self[3], self[2], self[1], self[0]) }
}
