import FeatureModel
import Manifests

extension AnnotationKind {
    package static let textGrid = AnnotationKind(name: "textgrid", title: "a Praat TextGrid")
}

/// Praat's TextGrids, in the long and the short text form.
///
/// Praat reads the numbers, the texts in quotation marks and the flags in angle brackets, and skips every other word; so does
/// this reader, and both forms are one to it.
enum TextGrid: AnnotationFormat {
    static var kind: AnnotationKind { .textGrid }

    static func matches(_ document: AnnotationDocument, _ options: AnnotationOptions) -> Bool {
        document.head(3).map(\.text).joined().contains("ooTextFile") && document.text?.contains("\"TextGrid\"") == true
    }

    private struct Tier {
        let name: String
        let isPoints: Bool
        var rows: [AnnotationRow] = []
    }

    static func read(
        _ document: AnnotationDocument, _ options: AnnotationOptions, into content: inout AnnotationContent
    ) {
        var tiers: [Tier] = []
        do throws(Damage) {
            tiers = try self.tiers(document.text ?? "", &content)
        } catch {
            content.add(problem: Note(error.text), line: error.line)
            return
        }
        content.hasColumns = false
        content.columns = ["tier"]
        for tier in chosen(tiers, options.tier, &content) {
            for var row in tier.rows where !row.label.isEmpty {
                row.origin = tier.name
                row.extra = [tier.name]
                content.add(row)
            }
        }
    }

    private static func chosen(_ tiers: [Tier], _ wanted: String?, _ content: inout AnnotationContent) -> [Tier] {
        let list = tiers.enumerated().map { index, tier in
            "#\(index + 1) \(quoted(tier.name)) (\(tier.rows.count) \(tier.isPoints ? "point" : "interval")\(tier.rows.count == 1 ? "" : "s"))"
        }.joined(separator: ", ")
        guard let wanted else {
            if tiers.count == 1 { return tiers }
            content.add(
                problem: tiers.isEmpty
                    ? "it has no tiers"
                    : "expected one tier, found \(tiers.count): \(list); choose one with \(setting: .tier), by its name or as '#1'",
                line: nil)
            return []
        }
        let named = tiers.filter { $0.name.utf8.elementsEqual(wanted.utf8) }
        if named.count == 1 { return named }
        if named.isEmpty, wanted.hasPrefix("#"), let number = Int(wanted.dropFirst()),
            (1..<tiers.count + 1).contains(number)
        {
            return [tiers[number - 1]]
        }
        let pattern = NamePattern(wanted)
        let alike = named.isEmpty && pattern.isPattern ? tiers.filter { pattern.matches($0.name) } : []
        guard alike.isEmpty else { return alike }
        content.add(
            problem: named.isEmpty
                ? "there is no tier \(quoted(wanted)); the tiers are: \(list)"
                : "\(named.count) tiers are named \(quoted(wanted)): \(list); choose one by its number, such as \(setting: .tier, "'#1'")",
            line: nil)
        return []
    }

    // MARK: - Content

    private struct Damage: Error {
        let line: Int
        let text: String
    }

    private static func tiers(_ text: String, _ content: inout AnnotationContent) throws(Damage) -> [Tier] {
        var words = Words(text)
        func expect(_ what: String, _ found: Word?) -> Damage {
            let hint = if case .stray? = found { "; quotation marks inside a text are doubled" } else { "" }
            return Damage(
                line: words.line, text: "expected \(what), found \(found?.shown ?? "the end of the file")\(hint)")
        }
        func number(_ what: String) throws(Damage) -> Double {
            let word = words.next()
            guard case .number(let number)? = word else { throw expect(what, word) }
            return number
        }
        func string(_ what: String) throws(Damage) -> String {
            let word = words.next()
            guard case .text(let text)? = word else { throw expect(what, word) }
            return text
        }
        func count(_ what: String) throws(Damage) -> Int {
            let found = try number("the number of \(what)")
            guard let count = Int(exactly: found), count >= 0 else {
                throw Damage(line: words.line, text: "expected the number of \(what), found \(found)")
            }
            return count
        }
        // "ooTextFile" and "TextGrid".
        _ = try string("\"ooTextFile\"")
        _ = try string("\"TextGrid\"")
        _ = try number("the start")
        content.declaredLength = try number("the end")
        let flag = words.next()
        guard case .flag(let exists)? = flag, exists == "exists" else {
            if case .flag? = flag { return [] }
            throw expect("<exists>", flag)
        }
        var tiers: [Tier] = []
        let tierCount = try count("tiers")
        while tiers.count < tierCount {
            let kind = try string("a tier's class, \"IntervalTier\" or \"TextTier\"")
            guard kind == "IntervalTier" || kind == "TextTier" else {
                throw Damage(
                    line: words.line, text: "expected the class \"IntervalTier\" or \"TextTier\", found \(quoted(kind))"
                )
            }
            var tier = Tier(name: try string("the tier's name"), isPoints: kind == "TextTier")
            _ = try number("the tier's start")
            _ = try number("the tier's end")
            let entries = try count("the tier's entries")
            for _ in 0..<entries {
                let start = try number(tier.isPoints ? "the time of a point" : "the start of an interval")
                let line = words.line
                let end = tier.isPoints ? start : try number("the end of an interval")
                let label = try string("the text of \(tier.isPoints ? "a point" : "an interval")")
                guard end >= start else {
                    content.add(
                        problem: "the interval ends at \(end) s, before it starts at \(start) s", line: line)
                    continue
                }
                tier.rows.append(
                    AnnotationRow(
                        line: line, times: AnnotationTimes(seconds: .init(start: start, end: end)),
                        label: label.trimmingWhitespace()))
            }
            tiers.append(tier)
        }
        if let word = words.next() {
            throw Damage(
                line: words.line,
                text:
                    "expected the end of the file after what it counts, found \(word.shown); check the numbers of tiers and entries"
            )
        }
        return tiers
    }

    private enum Word {
        case number(Double)
        case text(String)
        case flag(String)
        /// A word with a quotation mark that starts no text.
        case stray(String)

        var shown: String {
            switch self {
            case .number(let number): "\(number)"
            case .text(let text): "the text \(quoted(text))"
            case .flag(let flag): "<\(flag)>"
            case .stray(let word): quoted(word)
            }
        }
    }

    /// The numbers, texts and flags of a text.
    private struct Words {
        private var rest: Substring.UTF8View
        /// The line of the last word, from 1.
        private(set) var line = 1
        private var nextLine = 1

        init(_ text: String) { rest = text[...].utf8 }

        mutating func next() -> Word? {
            while true {
                while let byte = rest.first, byte <= UInt8(ascii: " ") { take() }
                line = nextLine
                guard let byte = rest.first else { return nil }
                if byte == UInt8(ascii: "\"") { return .text(string()) }
                if byte == UInt8(ascii: "!") {
                    while let byte = rest.first, byte != UInt8(ascii: "\n") { take() }
                    continue
                }
                let word = Substring(rest.prefix { $0 > UInt8(ascii: " ") })
                rest = rest.dropFirst(word.utf8.count)
                if word.hasPrefix("<"), word.hasSuffix(">") { return .flag(String(word.dropFirst().dropLast())) }
                if word.utf8.contains(UInt8(ascii: "\"")) { return .stray(String(word)) }
                if let number = FieldNumber.read(word) { return .number(number) }
            }
        }

        private mutating func take() {
            if rest.removeFirst() == UInt8(ascii: "\n") { nextLine += 1 }
        }

        /// A text in quotation marks; those inside are doubled.
        private mutating func string() -> String {
            var bytes: [UInt8] = []
            take()
            while let byte = rest.first {
                take()
                if byte == UInt8(ascii: "\"") {
                    guard rest.first == UInt8(ascii: "\"") else { break }
                    take()
                }
                bytes.append(byte)
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}

extension String {
    /// The text without blanks and line ends at its ends.
    func trimmingWhitespace() -> String {
        let rest = unicodeScalars.drop { $0.properties.isWhitespace }
        guard let last = rest.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
        return String(String.UnicodeScalarView(rest[...last]))
    }
}
