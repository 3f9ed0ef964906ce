import ArgumentParser
import FeatureModel
import Presentation

extension ExpressibleByArgument {
    /// A parser for `transform` whose error says what is expected.
    static func expecting(_ expected: String) -> @Sendable (String) throws -> Self {
        { text in
            guard let value = Self(argument: text) else { throw ValidationError("expected \(expected)") }
            return value
        }
    }
}

extension ValidationError {
    /// Throws if the value of an option is out of its range; nil: it was not given.
    static func check<Value: Comparable>(_ option: String, _ value: Value?, in range: ClosedRange<Value>) throws {
        guard let value, !range.contains(value) else { return }
        func text(_ value: Value) -> String { (value as? Double).map(Wording.number) ?? "\(value)" }
        throw ValidationError(
            "--\(option): expected \(text(range.lowerBound)) to \(text(range.upperBound)), found \(text(value)).")
    }
}

/// A band of frequencies, as `300-3400`, `300Hz-3.4kHz` or `20-300bins`.
struct FrequencyBand: ExpressibleByArgument {
    let low: FrequencyEdge
    let high: FrequencyEdge

    /// An edge without a unit has the unit of the other edge; if neither has one, both are in Hz.
    init?(argument: String) {
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let units = parts.map { FrequencyEdge.unit(of: $0) }
        guard let low = FrequencyEdge(text: parts[0], unit: units[1] ?? .hertz),
            let high = FrequencyEdge(text: parts[1], unit: units[0] ?? .hertz)
        else { return nil }
        self.low = low
        self.high = high
    }
}

/// Two numbers, the first less than the second, as `-80:0`.
struct ValueRange: ExpressibleByArgument {
    let range: ClosedRange<Float>

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map { Float($0) }
        guard parts.count == 2, let low = parts[0], let high = parts[1], low.isFinite, high.isFinite, low < high else {
            return nil
        }
        range = low...high
    }
}

/// How many clips may fail before the exit status is 3.
enum FailureLimit: ExpressibleByArgument, Equatable, CustomStringConvertible {
    case clips(Int)
    case percent(Double)

    init?(argument: String) {
        if argument.hasSuffix("%"), let share = Double(argument.dropLast()), (0...100).contains(share) {
            self = .percent(share)
        } else if let count = Int(argument), count >= 0 {
            self = .clips(count)
        } else {
            return nil
        }
    }

    var description: String {
        switch self {
        case .clips(let count): "\(count)"
        case .percent(let share): "\(Wording.number(share))%"
        }
    }

    func allows(_ failures: Int, of clips: Int) -> Bool {
        switch self {
        case .clips(let limit): failures <= limit
        case .percent(let share): Double(failures) * 100 <= share * Double(clips)
        }
    }
}
