import FeatureModel
import FeatureStorage
import FileIO

/// The failures of a file by kind, and those of a kind by reason.
package struct FailureGrouping {
    let kinds: [DatasetSummary.FailureKind]
    /// Groups of one kind together, in the order of the kinds; in each kind the most frequent first.
    let groups: [DatasetSummary.FailureGroup]
    /// The first failure of each group, and their number; in the order of `groups`.
    package let counts: [(first: StoredFailure, clips: Int)]

    /// Reasons of one kind that share their words and differ in numbers; payloads are not stored.
    private struct Reasons {
        let first: StoredFailure
        var group: DatasetSummary.FailureGroup
        var pattern: ReasonPattern
    }

    private static let maximumExamples = 5

    package init(of reader: FeatureReader) throws(StorageError) {
        var found = Tally<[String?], (kind: DatasetSummary.FailureKind, reasons: Tally<[String], Reasons>)>()
        let blockSize = DatasetSummary.blockSize
        for range in (0..<reader.failureCount).blocks(of: blockSize) {
            for failure in try reader.failures(range) {
                let record = failure.failure
                let (stage, kind) = (record.stage, record.kind)
                let pattern = ReasonPattern(record.reason)
                let first = DatasetSummary.FailureGroup(
                    stage: stage, kind: kind, reason: record.reason, pattern: record.reason, clips: 0, examples: [])
                let none = DatasetSummary.FailureKind(stage: stage, kind: kind, clips: 0)
                found.update([stage.rawValue, kind], default: (none, Tally())) { found in
                    found.kind.clips += 1
                    found.reasons.update(
                        pattern.words, default: Reasons(first: failure, group: first, pattern: pattern)
                    ) {
                        $0.pattern.merge(pattern)
                        $0.group.clips += 1
                        if $0.group.examples.count < Self.maximumExamples { $0.group.examples.append(failure.id) }
                    }
                }
            }
        }
        let sorted = found.sorted { $0.kind.clips }
        kinds = sorted.map(\.kind)
        let all = sorted.flatMap { $0.reasons.sorted { $0.group.clips } }
        counts = all.map { ($0.first, $0.group.clips) }
        groups = all.map { reasons in
            var group = reasons.group
            group.pattern = reasons.pattern.text
            return group
        }
    }
}

/// Values by key, in the order in which their keys first appeared.
private struct Tally<Key: Hashable, Value> {
    private var values: [Value] = []
    private var indices: [Key: Int] = [:]

    mutating func update(_ key: Key, default first: @autoclosure () -> Value, _ change: (inout Value) -> Void) {
        let index = indices[key] ?? values.count
        if index == values.count {
            indices[key] = index
            values.append(first())
        }
        change(&values[index])
    }

    /// The greatest count first; of equal ones, the one that came first.
    func sorted(by count: (Value) -> Int) -> [Value] {
        values.sorted { count($0) > count($1) }
    }
}

/// Reasons of one kind that differ in their numbers only, as one: "expected 16000 Hz, found 8000 to 44100 Hz". For display
/// only: a feature file stores the sentence, not the numbers in it.
struct ReasonPattern: Sendable {
    private struct Number: Sendable {
        let text: String
        let value: Double
    }

    /// The text before each number, and after the last: equal for reasons of one pattern.
    let words: [String]
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
            let isPoint = character == "." && !digits.isEmpty && !digits.contains(".") && next.map(Self.isDigit) == true
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

    mutating func merge(_ other: ReasonPattern) {
        guard other.words == words else { return }
        for index in minimum.indices {
            if other.minimum[index].value < minimum[index].value { minimum[index] = other.minimum[index] }
            if other.maximum[index].value > maximum[index].value { maximum[index] = other.maximum[index] }
        }
    }

    /// The sentence; numbers that differ are written as "minimum to maximum".
    var text: String {
        zip(words, minimum.indices).map { word, index in
            let (low, high) = (minimum[index], maximum[index])
            return word + (low.value == high.value ? low.text : "\(low.text) to \(high.text)")
        }.joined() + (words.last ?? "")
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isWholeNumber }
}
