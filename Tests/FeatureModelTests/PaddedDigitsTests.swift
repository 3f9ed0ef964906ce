import Testing

@testable import FeatureModel

struct PaddedDigitsTests {
    @Test func `numbers get zeros before them`() {
        #expect(7.padded(to: 2) == "07" && 123.padded(to: 2) == "123" && 0.padded(to: 3) == "000")
        #expect(0x1F.padded(to: 4, radix: 16) == "001f" && 0o644.padded(to: 7, radix: 8) == "0000644")
        #expect(UInt64.max.padded(to: 16, radix: 16) == "ffffffffffffffff")
    }
}
