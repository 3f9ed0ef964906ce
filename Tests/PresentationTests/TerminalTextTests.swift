import Foundation
import TestSupport
import Testing

@testable import Presentation

struct TerminalTextTests {
    private struct Widths: Decodable {
        let runs: [[UInt32]]
    }

    @Test func `every code point takes the columns that Unicode's tables say`() throws {
        var wrong: [String] = []
        for run in try Fixtures.golden("character-widths.json", as: Widths.self).runs {
            for value in run[0]...run[1] {
                guard let scalar = Unicode.Scalar(value), scalar.properties.generalCategory != .unassigned else {
                    continue
                }
                // U+1171E got a width in Unicode 15.
                if scalar.columns != run[2], value != 0x1171E {
                    wrong.append("U+\(String(value, radix: 16)): \(scalar.columns), not \(run[2])")
                }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(20))")
    }

    @Test(arguments: [
        ("", 0), ("abc", 3), ("e\u{301}", 1), ("日本語", 6), ("ｆｕｌｌ", 8), ("한글", 4),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("🐦", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2),
        ("❤", 1), ("1\u{FE0F}\u{20E3}", 2), ("👍🏽", 2), ("a\u{200B}b", 2), ("Z̸̛͔a", 2), ("…–·×", 4),
    ])
    func `characters of several code points`(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test func `control characters are not printed`() {
        #expect("a\nb\tc\r\u{85}d".printable == "a b c  d" && "\u{1B}[31mred".printable == "\u{FFFD}[31mred")
        #expect(
            "a\u{202E}b\u{7}\u{9B}".printable == "a\u{FFFD}b\u{FFFD}\u{FFFD}" && "żółć 日本 🐦".printable == "żółć 日本 🐦")
    }

    @Test func `line breaks and the program's own colours are kept, and other control sequences removed`() {
        let hostile = "a\u{1B}[31mb\u{1B}[0m\nc\u{7F}\u{9B}\td\u{1B}]0;title\u{7}\u{1B}\u{301}[1m\r\n"
        #expect(
            TerminalText.cleaned(hostile) { $0 == "\n" }
                == "a\u{FFFD}[31mb\u{FFFD}[0m\nc\u{FFFD}\u{FFFD} d\u{FFFD}]0;title\u{FFFD}\u{FFFD}\u{301}[1m \n")
        let styled = TerminalText.cleaned(styled: hostile)
        #expect(styled.hasPrefix("a\u{1B}[31mb\u{1B}[0m\nc"))
        #expect(styled.unicodeScalars.count { $0 == "\u{1B}" } == 2)
        for code in ["[2J", "[31;5m", "]0;x", "c", "[9m"] {
            #expect(!TerminalText.cleaned(styled: "\u{1B}\(code)").contains("\u{1B}"), "\(code)")
        }
    }

    @Test func `JSON keeps its values, and holds nothing that acts`() throws {
        let value = ["a\u{9B}b\u{7F}\u{202E}\u{2028}c\u{1B}\n": "🐦\u{85}"]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .prettyPrinted
        let text = TerminalText.escaped(json: String(decoding: try encoder.encode(value), as: UTF8.self))
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
        #expect(!text.contains("\u{202E}") && !text.contains("\u{2028}"))
        #expect(try JSONDecoder().decode([String: String].self, from: Data(text.utf8)) == value)
    }

    private static let pool: [Character] = [
        "a", "b", "z", "日", "本", "🐦", "👩‍👩‍👧", "e\u{301}", "-", "/", "ß", "ｆ", "❤\u{FE0F}",
    ]

    @Test func `a shortened text keeps its beginning and its end, and fits to a column or less`() {
        var random = RandomSource(seed: 3)
        for _ in 0..<2000 {
            let text = String(
                (0..<Int.random(in: 0...30, using: &random)).compactMap { _ in
                    Self.pool.randomElement(using: &random)
                })
            let limit = Int.random(in: 1...40, using: &random)
            for ellipsis in ["…", "..."] {
                let short = text.shortened(to: limit, ellipsis: ellipsis)
                guard text.columns > limit else {
                    #expect(short == text)
                    continue
                }
                #expect(short.columns <= limit && (short.columns >= limit - 1 || limit <= ellipsis.columns))
                guard limit > ellipsis.columns else { continue }
                let parts = short.components(separatedBy: ellipsis)
                #expect(parts.count == 2 && text.hasPrefix(parts[0]) && text.hasSuffix(parts[1]), "\(text) → \(short)")
                #expect(abs(parts[0].columns - parts[1].columns) <= 3)
            }
        }
        #expect("recordings/tuesday/dawn.wav".shortened(to: 15, ellipsis: "…") == "recordi…awn.wav")
        #expect("abc".shortened(to: 0, ellipsis: "…") == "" && "abcdef".shortened(to: 2, ellipsis: "...") == "..")
    }

    @Test func `lines are no wider than asked, and lose nothing that fits`() {
        var random = RandomSource(seed: 5)
        let style = ReportStyle(width: 80, isColored: false, isUnicode: true)
        for _ in 0..<500 {
            let words = (0..<Int.random(in: 0...25, using: &random)).map { _ in
                let letters = (0..<Int.random(in: 1...12, using: &random)).compactMap { _ in
                    Self.pool.randomElement(using: &random)
                }
                return String(letters) + (Bool.random(using: &random) ? "," : "")
            }
            let limit = Int.random(in: 26...60, using: &random)
            let lines = style.wrapped(words.joined(separator: " "), to: limit)
            #expect(
                lines.allSatisfy { $0.columns <= limit } && lines.joined(separator: " ") == words.joined(separator: " ")
            )
        }
        #expect(style.wrapped("one two, three four, five", to: 20) == ["one two, three four,", "five"])
        #expect(style.wrapped("one two, three four five", to: 20) == ["one two,", "three four five"])
        #expect(style.wrapped("abcdefghijklmnop", to: 9) == ["abcd…mnop"] && style.wrapped("", to: 9) == [""])
        #expect(style.entry("Name", "value") == "Name            value\n")
    }

    @Test func `a bar has eighths of a column, and is seen where there is anything`() {
        let (fine, coarse) = (ReportStyle.plain, ReportStyle(width: 80, isColored: false, isUnicode: false))
        #expect(Bar.text(1, columns: 4, style: fine) == "████" && Bar.text(0.5, columns: 4, style: fine) == "██")
        #expect(Bar.text(0.28125, columns: 4, style: fine) == "█▏" && Bar.text(1e-9, columns: 4, style: fine) == "▏")
        #expect(Bar.text(0, columns: 4, style: fine) == "" && Bar.text(.nan, columns: 4, style: fine) == "")
        #expect(Bar.text(7, columns: 4, style: fine) == "████" && Bar.text(1, columns: 0, style: fine) == "")
        #expect(Bar.text(0.5, columns: 4, style: coarse) == "##" && Bar.text(1e-9, columns: 4, style: coarse) == "#")
        var last = 0
        for eighth in 1...64 {
            let bar = Bar.text(Double(eighth) / 64, columns: 8, style: fine)
            let length = bar.unicodeScalars.reduce(0) { $0 + (8 - (Int($1.value) - 0x2588)) }
            #expect(length == eighth && bar.columns == (eighth + 7) / 8 && length > last)
            last = length
        }
    }

    @Test func `a sparkline rises with its numbers`() {
        #expect(
            Sparkline.counts([0, 1, 50, 100], style: .plain) == " ▁▅█"
                && Sparkline.counts([0, 0], style: .plain) == "  ")
        #expect(Sparkline.levels((0..<8).map(Double.init), style: .plain) == "▁▂▃▄▅▆▇█")
        #expect(Sparkline.levels([-5, .nan, 5, .infinity], style: .plain) == "▁?█?")
        #expect(Sparkline.levels([3, 3], style: .plain) == "▁▁" && Sparkline.levels([], style: .plain) == "")
        #expect(Sparkline.levels([-1e308, 0, 1e308], style: .plain) == "▁▅█")
        let ascii = ReportStyle(width: 80, isColored: false, isUnicode: false)
        #expect(Sparkline.levels((0..<8).map(Double.init), style: ascii) == ".:-=+*#@")
        #expect(Sparkline.grouped([1, 2, 3, 4, 5], into: 2) { $0.reduce(0, +) } == [3, 12])
        #expect(Sparkline.grouped([1, 2], into: 5) { $0.reduce(0, +) } == [1, 2])
    }

    @Test func `colours are for terminals that want them, and signs beyond ASCII for locales that have them`() {
        let usual = ["TERM": "xterm-256color", "LANG": "en_GB.UTF-8"]
        #expect(
            ReportStyle(environment: usual, terminalWidth: 100)
                == ReportStyle(width: 100, isColored: true, isUnicode: true))
        #expect(ReportStyle(environment: usual, terminalWidth: nil) == .plain)
        for (name, value, isColored, isUnicode) in [
            ("NO_COLOR", "1", false, true), ("NO_COLOR", "", true, true), ("TERM", "dumb", false, true),
            ("TERM", "", false, true), ("LANG", "C", true, false), ("LANG", "", true, false),
            ("LC_ALL", "POSIX", true, false), ("LC_ALL", "C.utf8", true, true),
            ("LC_CTYPE", "de_DE.ISO-8859-1", true, false),
        ] {
            let style = ReportStyle(environment: usual.merging([name: value]) { $1 }, terminalWidth: 90)
            #expect(style.isColored == isColored && style.isUnicode == isUnicode, "\(name)=\(value)")
        }
        #expect(ReportStyle(environment: [:], terminalWidth: 3).width == ReportStyle.minimumWidth)
        #expect(ReportStyle(environment: usual, terminalWidth: 80).painted("x", .failure) == "\u{1B}[31mx\u{1B}[0m")
        #expect(ReportStyle.plain.painted("x", .failure) == "x")
    }
}
