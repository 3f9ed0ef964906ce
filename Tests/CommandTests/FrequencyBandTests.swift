import FeatureModel
import Testing

@testable import veery

struct FrequencyBandTests {
    @Test(
        arguments: [
            ("300-3400", .hertz(300), .hertz(3400)), ("300-3400Hz", .hertz(300), .hertz(3400)),
            ("300Hz-3.4kHz", .hertz(300), .hertz(3400)), ("0.3-3.4kHz", .hertz(300), .hertz(3400)),
            ("20-300bins", .bin(20), .bin(300)), ("20bins-300", .bin(20), .bin(300)),
            ("0Hz-300bins", .hertz(0), .bin(300)), ("300 Hz - 3.4 kHz", .hertz(300), .hertz(3400)),
        ] as [(String, FrequencyEdge, FrequencyEdge)])
    func `a band is two edges; one without a unit has that of the other`(
        text: String, low: FrequencyEdge, high: FrequencyEdge
    ) throws {
        let band = try #require(FrequencyBand(argument: text))
        #expect(band.low == low && band.high == high)
    }

    @Test(arguments: ["", "-", "300", "300-", "-3400", "300-400-500", "a-b", "300:3400", "1.5-3bins", "300Hz3400Hz"])
    func `anything else is not a band`(text: String) {
        #expect(FrequencyBand(argument: text) == nil)
    }
}
