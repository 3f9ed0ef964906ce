import Testing

@testable import FeatureStorage

struct FixedTextTests {
    private func roundTrip(_ texts: [String], width: Int) -> [String] {
        FixedText.texts(FixedText.bytes(texts, width: width), width: width)
    }

    @Test func `texts that fit come back whole, empty ones too`() {
        let texts = ["", "a", "Größe", "日本語", "🐦", "", "e\u{301}"]
        let width = texts.map(\.utf8.count).max() ?? 0
        let found = roundTrip(texts, width: width)
        // Compared by bytes: to Swift, é in one and in two code points are equal.
        #expect(found.map { Array($0.utf8) } == texts.map { Array($0.utf8) })
    }

    @Test func `a text that is too long keeps as many whole characters as fit`() {
        for text in ["abcdef", "äöüß", "日本語文字", "🐦🐧🦜", "a日b🐦c"] {
            for width in 1...text.utf8.count {
                var expected = ""
                for scalar in text.unicodeScalars {
                    guard expected.utf8.count + String(scalar).utf8.count <= width else { break }
                    expected.unicodeScalars.append(scalar)
                }
                #expect(roundTrip([text, text], width: width) == [expected, expected], "\(text) in \(width) bytes")
            }
        }
    }

    @Test func `each text takes exactly its width`() {
        #expect(FixedText.bytes(["a", "", "abc"], width: 2) == [97, 0, 0, 0, 97, 98])
    }

    @Test func `no width and no texts are not an error`() {
        #expect(FixedText.texts([], width: 0).isEmpty)
        #expect(FixedText.texts([], width: 5).isEmpty)
        #expect(FixedText.bytes([], width: 5).isEmpty)
    }
}
