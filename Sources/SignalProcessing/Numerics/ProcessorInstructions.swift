import CKernels

/// Instructions of x86-64 by which libraries choose their functions, beyond those that all its processors have.
package enum ProcessorInstructions: String, CaseIterable, Sendable {
    case avx, fma, fma4, avx2, avx512f

    /// Whether this processor has them, and its system lets programs use them.
    package var arePresent: Bool { veery_processor_has(code) != 0 }

    private var code: veery_instructions {
        switch self {
        case .avx: VEERY_AVX
        case .fma: VEERY_FMA
        case .fma4: VEERY_FMA4
        case .avx2: VEERY_AVX2
        case .avx512f: VEERY_AVX512F
        }
    }
}

/// The instructions that FFTW plans with on a processor: those among the ones that it was built for.
///
/// - Parameters:
///   - version: FFTW's text, which lists what it was built for: `fftw-3.3.10-sse2-avx`.
///   - present: What the processor has.
/// - Returns: Such as `["sse2", "avx"]`, in the text's order; names that are not known count as present.
package func transformInstructions(
    of version: String, on present: (ProcessorInstructions) -> Bool = \.arePresent
) -> [String] {
    version.split(separator: "-").map(String.init).drop { $0.first?.isNumber != true }.dropFirst().filter { name in
        switch name {
        case "avx": present(.avx)
        case "avx2", "avx2_128": present(.avx2)
        case "avx_128_fma": present(.fma4)
        case "avx512": present(.avx512f)
        default: true
        }
    }
}
