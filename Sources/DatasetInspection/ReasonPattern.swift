/// Reasons that differ in their numbers only, as one: "expected 16000 Hz, found 8000 to 44100 Hz".
struct ReasonPattern: Sendable {
    /// A number as it was written.
    private struct Number: Sendable {
        let text: String
        let value: Double
    }

    /// What stands before each number, and behind the last.
    private let words: [String]
    private var least: [Number] = []
    private var greatest: [Number] = []

    /// The pattern of one reason: as it is.
    init(_ reason: String) {
        var words = [""]
        var digits = ""
        func isSign(_ place: String.Index) -> Bool {
            guard reason[place] == "-", let next = reason[place...].dropFirst().first, Self.isDigit(next) else {
                return false
            }
            return words[words.count - 1].last.map { $0 == " " } ?? true
        }
        for place in reason.indices {
            let character = reason[place]
            let next = reason[place...].dropFirst().first
            let isPoint =
                character == "." && !digits.isEmpty && !digits.contains(".") && next.map(Self.isDigit) == true
            if Self.isDigit(character) || isPoint || (digits.isEmpty && isSign(place)) {
                digits.append(character)
                continue
            }
            if !digits.isEmpty {
                least.append(Number(text: digits, value: Double(digits) ?? 0))
                digits = ""
                words.append("")
            }
            words[words.count - 1].append(character)
        }
        if !digits.isEmpty {
            least.append(Number(text: digits, value: Double(digits) ?? 0))
            words.append("")
        }
        self.words = words
        greatest = least
    }

    /// Equal for reasons of one pattern: what stands before each number, and behind the last.
    var key: [String] { words }

    /// Takes in another reason; one of a different pattern changes nothing.
    mutating func merge(_ other: ReasonPattern) {
        guard other.key == key else { return }
        for place in least.indices {
            if other.least[place].value < least[place].value { least[place] = other.least[place] }
            if other.greatest[place].value > greatest[place].value { greatest[place] = other.greatest[place] }
        }
    }

    /// The sentence; a number that differs reads "least to greatest".
    var text: String {
        zip(words, least.indices).map { word, place in
            let (low, high) = (least[place], greatest[place])
            return word + (low.value == high.value ? low.text : "\(low.text) to \(high.text)")
        }.joined() + (words.last ?? "")
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isWholeNumber }
}
