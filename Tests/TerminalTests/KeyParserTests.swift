import Terminal
import Testing

struct KeyParserTests {
    private static func keys(_ text: String, ends: Bool = true) -> [TerminalKey] {
        var parser = KeyParser()
        var keys = text.utf8.compactMap { parser.push($0) }
        if ends, let last = parser.end() { keys.append(last) }
        return keys
    }

    @Test(
        arguments: [
            ("q", [.character("q")]), (" ", [.character(" ")]), ("\t", [.tab]), ("\r\n", [.enter, .enter]),
            ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
            ("\u{1B}OA\u{1B}OD", [.up, .left]), ("\u{1B}", [.escape]), ("\u{1B}\u{1B}", [.escape, .escape]),
            ("é€🎵", [.character("é"), .character("€"), .character("🎵")]),
            ("\u{1B}[1;5Cq", [.other, .character("q")]), ("\u{1B}[15~q", [.other, .character("q")]),
            ("\u{1B}xq", [.other, .character("q")]), ("\u{1}q", [.other, .character("q")]), ("", []),
        ] as [(String, [TerminalKey])])
    func `bytes are keys`(text: String, expected: [TerminalKey]) {
        #expect(Self.keys(text) == expected)
    }

    @Test func `a sequence may come byte by byte, and only an escape that nothing follows is the key`() {
        var parser = KeyParser()
        #expect(!parser.isWaiting)
        #expect(parser.push(0x1B) == nil)
        #expect(parser.isWaiting)
        #expect(parser.push(UInt8(ascii: "[")) == nil)
        #expect(parser.push(UInt8(ascii: "A")) == .up)
        #expect(!parser.isWaiting && parser.end() == nil)
    }

    @Test(arguments: [[0xC3], [0xE2, 0x82], [0xFF], [0x80], [0x1B, 0x5B, 0xC3]])
    func `no key after broken bytes is lost`(bytes: [UInt8]) {
        var parser = KeyParser()
        let keys = (bytes + Array("q".utf8)).compactMap { parser.push($0) }
        #expect(keys.last == .character("q"))
    }
}
