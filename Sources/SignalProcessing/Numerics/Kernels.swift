import CKernels

/// The innermost loops, compiled for this processor: see `kernels.h`.
enum Kernels {
    /// A lookup, cheaper than a loop over eight numbers.
    static var best: UnsafePointer<veery_kernels> { veery_kernels_best() }
}

/// The natural logarithm of a positive normal number, within 1 unit in the last place, as the kernels compute it.
///
/// Method of Cephes' `logf` (Moshier): x = m · 2ᵉ with √½ ≤ m < √2; ln m by a polynomial of degree 9 in m − 1; e · ln 2
/// is added in two parts. The coefficients are those of Cephes.
@inline(__always)
func naturalLogarithm(_ x: Float) -> Float {
    // Exponents counted from √½ put the mantissa into √½ …< √2 without a branch.
    let shifted = x.bitPattern &- 0x3F35_04F3
    let exponent = Float(Int32(bitPattern: shifted) &>> 23)
    let mantissa = Float(bitPattern: (shifted & 0x007F_FFFF) &+ 0x3F35_04F3) - 1
    var polynomial: Float = 7.037_683_6e-2
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
