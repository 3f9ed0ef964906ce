import FeatureModel
import Testing

@testable import veery

struct BandErrorTests {
    @Test func `an edge is refused in terms of the command line`() throws {
        let lower = #expect(throws: ConfigurationError.self) {
            try DCTFilterConfiguration(mode: .bandPass, low: .hertz(3400), high: .hertz(300))
        }
        #expect(
            BandError(mode: .bandPass, error: try #require(lower)).description
                == "--band-pass, lower edge: expected less than the upper edge, 300 Hz, found 3400 Hz")
        let band = try DCTFilterConfiguration(mode: .bandStop, low: .hertz(300), high: .hertz(5000))
        let upper = #expect(throws: ConfigurationError.self) { try band.bins(at: 8000) }
        #expect(
            BandError(mode: .bandStop, error: try #require(upper), input: "a.wav").description
                == "--band-stop, upper edge: expected at most half the sample rate, 4000 Hz in a.wav, found 5000 Hz")
    }
}
