import Testing

@testable import DatasetInspection

struct ReasonPatternTests {
    private static func merged(_ reasons: [String]) -> String? {
        guard let first = reasons.first else { return nil }
        var pattern = ReasonPattern(first)
        for reason in reasons.dropFirst() {
            let other = ReasonPattern(reason)
            guard other.words == pattern.words else { return nil }
            pattern.merge(other)
        }
        return pattern.text
    }

    @Test(
        arguments: [
            "", "no number", "7", "expected 16000 Hz, found 8000 Hz", "12 in front, behind 13", "-5 and 1.5.",
            "a-5 v1.2.3",
            "12.", "٣ and ½ are no digits", "sample 6000 is nan", "3e5", "--4", "don't. 5",
        ]) func `a single reason is not changed`(reason: String)
    {
        #expect(ReasonPattern(reason).text == reason)
    }

    @Test func `numbers that differ become a range, others are kept`() {
        #expect(
            Self.merged([
                "expected 16000 Hz, found 8000 Hz", "expected 16000 Hz, found 44100 Hz",
                "expected 16000 Hz, found 11025 Hz",
            ]) == "expected 16000 Hz, found 8000 to 44100 Hz")
        #expect(Self.merged(["ends at 2.25 s", "ends at 10.5 s", "ends at 3 s"]) == "ends at 2.25 to 10.5 s")
        #expect(Self.merged(["from -3 on", "from 5 on", "from -12 on"]) == "from -12 to 5 on")
        #expect(Self.merged(["1 of 2", "2 of 2"]) == "1 to 2 of 2" && Self.merged(["9", "10"]) == "9 to 10")
        #expect(Self.merged(["found 1", "found nan"]) == nil && Self.merged(["a 1", "a 1 2"]) == nil)
        let huge = String(repeating: "9", count: 400)
        #expect(Self.merged(["found \(huge)", "found 1"]) == "found 1 to \(huge)")
    }

    @Test func `a mark in a reason is not a number`() {
        let pairs = [("x # bad", "x 1 bad"), ("#", "1"), ("##", "1#"), ("1 # 2", "# 1 #"), ("a\u{0}1", "a1\u{0}")]
        for (one, other) in pairs {
            var pattern = ReasonPattern(one)
            let marked = ReasonPattern(other)
            #expect(pattern.words != marked.words)
            pattern.merge(marked)
            #expect(pattern.text == one)
        }
        #expect(Self.merged(["take # 1", "take # 2"]) == "take # 1 to 2")
    }
}
