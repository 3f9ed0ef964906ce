import Testing

@testable import SignalProcessing

struct ProcessorInstructionsTests {
    private typealias Case = (version: String, present: Set<ProcessorInstructions>, expected: [String])

    private static let cases: [Case] = [
        ("fftw-3.3.10-sse2-avx", [], ["sse2"]),
        ("fftw-3.3.10-sse2-avx", [.avx], ["sse2", "avx"]),
        ("fftw-3.3.10-sse2-avx-avx2-avx2_128", [.avx, .fma], ["sse2", "avx"]),
        ("fftw-3.3.10-sse2-avx-avx2-avx2_128", [.avx, .fma, .avx2], ["sse2", "avx", "avx2", "avx2_128"]),
        ("fftw-3.3.10-sse2-avx-avx_128_fma-avx512", [.avx, .fma4], ["sse2", "avx", "avx_128_fma"]),
        ("fftw-3.3.10-sse2-avx-avx_128_fma-avx512", [.avx, .avx2, .avx512f], ["sse2", "avx", "avx512"]),
        ("fftw-3.3.10-neon", [], ["neon"]),
        ("fftw-3.3.10", [.avx], []),
        ("", [], []),
    ]

    @Test func `FFTW plans with what it was built for and the processor has`() {
        for (version, present, expected) in Self.cases {
            #expect(transformInstructions(of: version, on: present.contains) == expected, "\(version) \(present)")
        }
    }

    @Test func `sets of instructions imply those before them, and match the loops`() {
        #expect(!ProcessorInstructions.avx2.arePresent || ProcessorInstructions.avx.arePresent)
        #expect(!ProcessorInstructions.avx512f.arePresent || ProcessorInstructions.avx2.arePresent)
        #expect(instructionSet() != "avx2" || ProcessorInstructions.avx2.arePresent)
        #expect(instructionSet() != "avx512" || ProcessorInstructions.avx512f.arePresent)
    }
}
