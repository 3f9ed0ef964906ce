#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// 2 to the power of `exponent`.
func exponential2(_ exponent: Double) -> Double { exp2(exponent) }
