import FeatureModel
import Foundation
import Presentation
import Terminal

@testable import DatasetInspection

/// What comes from a terminal, and what goes to one.
enum TerminalFuzzing {
    /// Keys.
    static func takeKeys(_ bytes: UnsafeRawBufferPointer) {
        var parser = KeyParser()
        var count = 0
        for byte in bytes where parser.push(byte) != nil { count += 1 }
        law(count <= bytes.count, "no more keys than bytes")
        if parser.end() != nil { count += 1 }
        law(!parser.isWaiting, "after the end nothing is awaited")
        law(parser.push(UInt8(ascii: "q")) == .character("q"), "no bytes keep a key from being seen")
    }

    /// Names, to be shown.
    static func takeText(_ bytes: UnsafeRawBufferPointer) {
        let (choice, rest) = bytes.split
        let text = rest.text
        let limit = choice % 80
        let clean = text.printable
        law(clean.unicodeScalars.allSatisfy { !acts($0) }, "a clean text holds nothing that acts")
        law(clean.printable == clean, "a clean text is not changed")
        law(clean.unicodeScalars.count == text.unicodeScalars.count, "every character stands for one")
        let styled = TerminalText.cleaned(styled: text)
        law(withoutColours(styled).unicodeScalars.allSatisfy { !acts($0) || $0 == "\n" }, "colours alone act")
        for ellipsis in ["…", "..."] {
            law(text.printable.shortened(to: limit, ellipsis: ellipsis).columns <= limit, "no wider than asked for")
        }
        let style = ReportStyle(width: limit, isColored: choice & 128 != 0, isUnicode: true)
        for line in style.wrapped(text, to: 40) { law(line.columns <= 40, "no line is wider than asked for: \(line)") }
        law(text.padded(to: limit).columns >= limit, "as wide as asked for")
        // Outside of strings, which hold none, an escape would be no JSON.
        if text.utf8.allSatisfy({ $0 >= 0x20 || $0 == 0x0A }),
            let value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
                as? NSObject
        {
            let escaped = Data(TerminalText.escaped(json: text).utf8)
            let again = try? JSONSerialization.jsonObject(with: escaped, options: .fragmentsAllowed) as? NSObject
            law(again == value, "escaped JSON has the same value: \(text)")
        }
        var pattern = ReasonPattern(text)
        law(pattern.text == text, "a single reason is not changed")
        pattern.merge(pattern)
        law(pattern.text == text, "a reason merged with itself is not changed")
    }

    private static func acts(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value)
            || (0x2066...0x2069).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
    }

    private static func withoutColours(_ text: String) -> String {
        ReportStyle.codes.reduce(text) { $0.replacing("\u{1B}[\($1)m", with: "") }
    }
}
