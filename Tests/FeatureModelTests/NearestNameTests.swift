import FeatureModel
import Testing

@Suite("nearestName")
struct NearestNameTests {
    @Test(
        "the name with the fewest changes is meant, if they are few",
        arguments: [
            ("hopp", "hop"), ("HOP", "hop"), ("lenght", "length"), ("windw", "window"), ("xyz", nil),
            ("", nil), ("fftlength", "fft_length"),
        ] as [(String, String?)])
    func nearest(typed: String, expected: String?) {
        let names = ["length", "hop", "fft_length", "window"]
        #expect(nearestName(to: typed, in: names) == expected)
    }

    @Test("of two as near, the first is meant, and of none, none")
    func ties() {
        #expect(nearestName(to: "lo", in: ["low", "log"]) == "low")
        #expect(nearestName(to: "low", in: []) == nil)
    }
}
