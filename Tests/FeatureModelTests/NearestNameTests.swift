import FeatureModel
import Testing

struct NearestNameTests {
    @Test(
        arguments: [
            ("hopp", "hop"), ("HOP", "hop"), ("lenght", "length"), ("windw", "window"), ("xyz", nil),
            ("", nil), ("fftlength", "fft_length"),
        ] as [(String, String?)])
    func `the name with the fewest changes is meant, if they are few`(typed: String, expected: String?) {
        let names = ["length", "hop", "fft_length", "window"]
        #expect(nearestName(to: typed, in: names) == expected)
    }

    @Test func `the first of two equally near names is meant, and without names none`() {
        #expect(nearestName(to: "lo", in: ["low", "log"]) == "low")
        #expect(nearestName(to: "low", in: []) == nil)
    }
}
