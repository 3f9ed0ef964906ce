/// The splits of a dataset, each with its share of the clips.
package struct SplitShares: Hashable, Sendable {
    /// Names, each once and not empty, in the order in which they were given.
    package let names: [String]
    /// Shares of all clips, each more than 0; their sum is 1.
    package let shares: [Double]

    /// Why shares cannot be used.
    package enum Refusal: Error, Hashable, Sendable {
        case malformed(String)
        case repeated(String)
        case notPositive(name: String)
        case otherSum(Double)
    }

    /// By how much the sum may differ from 1, as thirds do that are written with a few digits.
    private static let tolerance = 0.005

    /// The names of splits that are given as numbers alone.
    private static let usualNames = [2: ["train", "test"], 3: ["train", "val", "test"]]

    /// Reads `train=0.8,val=0.1,test=0.1`, or the same with `80%`; and `80/20`, `80/10/10`, `4:1`, which are `train` and `test`, with `val`
    /// between them. Numbers with `:`, and small whole ones with `/`, are a proportion; other numbers have to add up to 100 or to 1.
    /// Shares are scaled so that their sum is exactly 1.
    package init(text: String) throws(Refusal) {
        if let numbers = Self.numbers(text), let names = Self.usualNames[numbers.count] {
            for (name, number) in zip(names, numbers) where number <= 0 { throw .notPositive(name: name) }
            let sum = numbers.reduce(0, +)
            guard sum.isFinite else { throw .malformed(text) }
            // Parts of a hundred, or of one, are shares; small numbers are a proportion, as after ':'.
            if text.contains("/"), text.contains("%") || numbers.contains(where: { $0 >= 10 || $0 < 1 }) {
                let whole = numbers.contains { $0 >= 10 } ? 100.0 : 1
                guard abs(sum / whole - 1) <= Self.tolerance else { throw .otherSum(sum / whole) }
            }
            (self.names, shares) = (names, numbers.map { $0 / sum })
            return
        }
        var (names, shares) = ([String](), [Double]())
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, !sides[0].isEmpty, let share = Self.number(sides[1]) else {
                throw .malformed(String(part))
            }
            let name = String(sides[0])
            guard !names.contains(name) else { throw .repeated(name) }
            guard share > 0 else { throw .notPositive(name: name) }
            names.append(name)
            shares.append(share)
        }
        let sum = shares.reduce(0, +)
        guard abs(sum - 1) <= Self.tolerance else { throw .otherSum(sum) }
        self.names = names
        self.shares = shares.map { $0 / sum }
    }

    /// `count` parts of one size, named `fold0`, `fold1` …
    ///
    /// - Precondition: `count` is 2 or more.
    package init(folds count: Int) {
        precondition(count > 1, "expected two folds or more")
        names = (0..<count).map { "fold\($0)" }
        shares = Array(repeating: 1 / Double(count), count: count)
    }

    /// The numbers of `80/20` or `4:1`; nil: it is written otherwise.
    private static func numbers(_ text: String) -> [Double]? {
        guard let separator = text.first(where: { $0 == "/" || $0 == ":" }), !text.contains("=") else { return nil }
        let numbers = text.split(separator: separator, omittingEmptySubsequences: false).map { Self.number($0) }
        return numbers.contains(nil) ? nil : numbers.compactMap(\.self)
    }

    private static func number(_ text: Substring) -> Double? {
        let isPercentage = text.hasSuffix("%")
        guard let number = Double(isPercentage ? text.dropLast() : text), number.isFinite else { return nil }
        return isPercentage ? number / 100 : number
    }

    /// The split at a fraction of the whole, 0 up to 1: shares follow one another in their order.
    package func index(at fraction: Double) -> Int {
        var end = 0.0
        for (index, share) in shares.enumerated() {
            end += share
            if fraction < end { return index }
        }
        return shares.count - 1
    }
}
