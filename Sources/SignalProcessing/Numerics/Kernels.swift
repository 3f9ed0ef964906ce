import CKernels

/// The innermost loops, compiled for this processor: see `kernels.h`.
enum Kernels {
    /// A lookup, cheaper than a loop over eight numbers.
    static var best: UnsafePointer<veery_kernels> { veery_kernels_best() }
    /// Those with the fewest lanes, which every processor of the architecture has. Their results have the same bits.
    static var narrow: UnsafePointer<veery_kernels> { veery_kernels_set(0) ?? veery_kernels_best() }
    /// All that this processor can run, by ascending number of lanes.
    static var all: [UnsafePointer<veery_kernels>] {
        var all: [UnsafePointer<veery_kernels>] = []
        while let next = veery_kernels_set(all.count) { all.append(next) }
        return all
    }
}

// Unaligned access to eight numbers at a time. Kernels stay in this module: a generic function that crosses modules
// without being inlined costs two orders of magnitude.

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

/// The natural logarithm of eight positive normal numbers, within 1 unit in the last place.
///
/// Method of Cephes' `logf` (Moshier): x = m · 2ᵉ with √½ ≤ m < √2; ln m by a polynomial of degree 9 in m − 1; e · ln 2
/// is added in two parts. The coefficients are those of Cephes.
@inline(__always)
func naturalLogarithm(_ x: SIMD8<Float>) -> SIMD8<Float> {
    let bits = unsafeBitCast(x, to: SIMD8<UInt32>.self)
    // Exponents counted from √½ put the mantissa into √½ …< √2 without a branch.
    let shifted = bits &- SIMD8(repeating: 0x3F35_04F3)
    let exponent = SIMD8<Float>(SIMD8<Int32>(truncatingIfNeeded: shifted) &>> 23)
    let mantissa = unsafeBitCast((shifted & 0x007F_FFFF) &+ 0x3F35_04F3, to: SIMD8<Float>.self) - 1
    var polynomial = SIMD8<Float>(repeating: 7.037_683_6e-2)
    polynomial = polynomial * mantissa - 0.115_146_1
    polynomial = polynomial * mantissa + 0.116_769_98
    polynomial = polynomial * mantissa - 0.124_201_41
    polynomial = polynomial * mantissa + 0.142_493_23
    polynomial = polynomial * mantissa - 0.166_680_58
    polynomial = polynomial * mantissa + 0.200_007_15
    polynomial = polynomial * mantissa - 0.249_999_94
    polynomial = polynomial * mantissa + 0.333_333_31
    let square = mantissa * mantissa
    var rest = polynomial * square * mantissa
    rest = rest - exponent * 2.121_944_4e-4
    rest = rest - square * 0.5
    return (mantissa + rest) + exponent * 0.693_359_375
}
