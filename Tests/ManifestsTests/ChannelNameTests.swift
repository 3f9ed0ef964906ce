import Testing

@testable import Manifests

struct ChannelNameTests {
    @Test(
        arguments: [
            ("1", 0, 1), ("1", 1, 0), (" 2 ", 1, 1), ("1023", 0, 1023), ("1024", 1, 1023), ("2.0", 1, 1), ("A", 1, 0),
            ("h", 0, 7), ("1024", 0, nil), ("1025", 1, nil), ("0", 1, nil), ("-1", 0, nil), ("1.5", 0, nil),
            ("L", 0, nil),
            ("", 0, nil), ("nan", 1, nil), ("inf", 1, nil), ("1e300", 1, nil), ("-1e300", 1, nil),
            ("-9223372036854775808", 1, nil), ("-9223372036854775808", 0, nil), ("9223372036854774784", 1, nil),
        ] as [(String, Int, Int?)])
    func `numbers from the base, and letters`(text: String, base: Int, expected: Int?) {
        #expect(ChannelName.channel(text, from: base) == expected)
    }
}
