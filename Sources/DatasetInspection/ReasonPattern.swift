/// Reasons of one kind that differ in their numbers only, as one: "expected 16000 Hz, found 8000 to 44100 Hz". For display
/// only: a feature file stores the sentence, not the numbers in it.
struct ReasonPattern: Sendable {
    /// A number as it was written.
    private struct Number: Sendable {
        let text: String
        let value: Double
    }

    /// The text before each number, and after the last.
    private let words: [String]
    private var minimum: [Number] = []
    private var maximum: [Number] = []

    init(_ reason: String) {
        var words = [""]
        var digits = ""
        func isSign(_ index: String.Index) -> Bool {
            guard reason[index] == "-", let next = reason[index...].dropFirst().first, Self.isDigit(next) else {
                return false
            }
            return words[words.count - 1].last.map { $0 == " " } ?? true
        }
        for index in reason.indices {
            let character = reason[index]
            let next = reason[index...].dropFirst().first
            let isPoint =
                character == "." && !digits.isEmpty && !digits.contains(".") && next.map(Self.isDigit) == true
            if Self.isDigit(character) || isPoint || (digits.isEmpty && isSign(index)) {
                digits.append(character)
                continue
            }
            if !digits.isEmpty {
                minimum.append(Number(text: digits, value: Double(digits) ?? 0))
                digits = ""
                words.append("")
            }
            words[words.count - 1].append(character)
        }
        if !digits.isEmpty {
            minimum.append(Number(text: digits, value: Double(digits) ?? 0))
            words.append("")
        }
        self.words = words
        maximum = minimum
    }

    /// Equal for reasons of one pattern: the text before each number, and after the last.
    var key: [String] { words }

    /// Adds another reason; one of a different pattern is ignored.
    mutating func merge(_ other: ReasonPattern) {
        guard other.key == key else { return }
        for index in minimum.indices {
            if other.minimum[index].value < minimum[index].value { minimum[index] = other.minimum[index] }
            if other.maximum[index].value > maximum[index].value { maximum[index] = other.maximum[index] }
        }
    }

    /// The sentence; a number that differs reads "minimum to maximum".
    var text: String {
        zip(words, minimum.indices).map { word, index in
            let (low, high) = (minimum[index], maximum[index])
            return word + (low.value == high.value ? low.text : "\(low.text) to \(high.text)")
        }.joined() + (words.last ?? "")
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isWholeNumber }
}
