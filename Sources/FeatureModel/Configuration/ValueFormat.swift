/// How the values of a key are read, written and checked, and the allowed ones in words and for the schema.
struct ValueFormat<Value: Sendable>: Sendable {
    /// A value; nil: unreadable, and the error expects `readable`. A format with a better error throws it.
    typealias Reading = @Sendable (ConfigurationValue, _ key: String) throws(ConfigurationError) -> Value?

    /// The values, for the schema.
    let form: ValueForm
    /// The allowed values, for documentation and for the error of a value out of range.
    let allowed: String
    /// What the error of an unreadable value expects.
    let readable: String
    /// Whether null is a value, not the default.
    var takesNull = false
    let read: Reading
    let write: @Sendable (Value) -> ConfigurationValue
    /// A value out of range, for its error; nil: it is allowed.
    let refused: @Sendable (Value) -> String?

    /// The same, where a value out of range counts as unreadable: the error repeats it as written.
    var strict: ValueFormat {
        ValueFormat(
            form: form, allowed: allowed, readable: allowed,
            read: { [read, refused] value, key throws(ConfigurationError) in
                try read(value, key).flatMap { refused($0) == nil ? $0 : nil }
            }, write: write, refused: refused)
    }

    /// The same with null as a value, which the texts mention already.
    var orNull: ValueFormat<Value?> {
        ValueFormat<Value?>(
            form: form, allowed: allowed, readable: readable, takesNull: true,
            read: { [read] value, key throws(ConfigurationError) in
                value.isNull ? .some(nil) : try read(value, key).map { .some($0) }
            }, write: { [write] in $0.map(write) ?? .null }, refused: { [refused] in $0.flatMap(refused) })
    }

    /// The same with a word as a value, which the texts mention already.
    func orWord(_ word: String) -> ValueFormat<RateFollowing<Value>> where Value: Hashable {
        ValueFormat<RateFollowing<Value>>(
            form: .either([form, .names([word])]), allowed: allowed, readable: readable,
            read: { [read] value, key throws(ConfigurationError) in
                value.text == word ? .following : try read(value, key).map { .value($0) }
            }, write: { [write] in $0.value.map(write) ?? .text(word) },
            refused: { [refused] in $0.value.flatMap(refused) })
    }

    /// The same with null and a word as values, which the texts mention already.
    func orNull(orWord word: String) -> ValueFormat<RateFollowing<Value>> where Value: Hashable {
        ValueFormat<RateFollowing<Value>>(
            form: .either([form, .names([word])]), allowed: allowed, readable: readable, takesNull: true,
            read: { [read] value, key throws(ConfigurationError) in
                if value.isNull { return .null }
                return value.text == word ? .following : try read(value, key).map { .value($0) }
            }, write: { [write] in $0.value.map(write) ?? ($0.isFollowing ? .text(word) : .null) },
            refused: { [refused] in $0.value.flatMap(refused) })
    }
}

extension ValueFormat {
    /// A format whose errors print values out of range as Swift prints them.
    ///
    /// - Parameter readable: Nil: what is allowed.
    init(
        _ form: ValueForm, _ allowed: String, readable: String? = nil, read: @escaping Reading,
        write: @escaping @Sendable (Value) -> ConfigurationValue,
        isAllowed: @escaping @Sendable (Value) -> Bool = { _ in true }
    ) {
        self.init(
            form: form, allowed: allowed, readable: readable ?? allowed, read: read, write: write,
            refused: { isAllowed($0) ? nil : "\($0)" })
    }
}

/// A number that a key has, or that follows from something else: the sample rate, or the clip.
enum RateFollowing<Value: Hashable & Sendable>: Hashable, Sendable {
    /// Computed when needed, and not stored.
    case null
    /// Becomes a number once the sample rate, or the clip, is known.
    case following
    case value(Value)

    init(_ value: Value?) { self = value.map { .value($0) } ?? .null }

    /// The number; nil: there is none yet.
    var value: Value? { if case .value(let value) = self { value } else { nil } }

    /// Whether it becomes a number once the sample rate is known.
    var isFollowing: Bool { if case .following = self { true } else { false } }

    /// With `value` where it follows the sample rate; nil: the rate is unknown.
    func resolved(to value: Value?) -> Self { isFollowing ? Self(value) : self }
}

/// The values that a key accepts, from which `.ci/schema` makes the schema. Null is accepted too, and means the default.
package indirect enum ValueForm: Hashable, Sendable, Encodable {
    case flag
    case text
    case names([String])
    /// An integer; `Int.max`: no upper bound.
    case whole(ClosedRange<Int>)
    /// A number; infinity: no upper bound.
    case number(ClosedRange<Double>, isOpenBelow: Bool)
    /// A text that is a number with a unit, or a note.
    case quantity(Quantity)
    case section(String)
    /// A list of numbers in a range.
    case list(ClosedRange<Double>)
    case either([ValueForm])

    /// The kinds of text that hold a quantity.
    package enum Quantity: String, CaseIterable, Sendable, Encodable {
        /// A frequency, such as `7.6 kHz`.
        case frequency
        /// A time, such as `25 ms`.
        case time
        /// A time or a number of samples.
        case span
        /// A frequency or a number of bins.
        case edge
        /// A note, such as `F#3`.
        case note
    }
}

extension ValueFormat where Value == Bool {
    static var flag: Self {
        Self(
            .flag, "true or false", read: { value, _ in value.scalar?.flag },
            write: { .flag($0) })
    }
}

extension ValueFormat where Value == String {
    static func text(_ allowed: String) -> Self {
        Self(.text, allowed, read: { value, _ in value.text }, write: { .text($0) })
    }
}

extension ValueFormat where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of the names of a closed set.
    static var choice: Self {
        let names = Value.allCases.map(\.rawValue)
        let allowed = "one of " + names.joined(separator: ", ")
        return Self(
            .names(names), allowed,
            read: { value, key throws(ConfigurationError) in
                guard let name = value.text else { return nil }
                if let choice = Value(rawValue: name) { return choice }
                throw .invalidValue(key: key, found: ConfigurationKeys.found(name, among: names), expected: allowed)
            }, write: { .text($0.rawValue) })
    }
}

extension ValueFormat where Value == Int {
    /// An integer.
    ///
    /// - Parameters:
    ///   - allowed: Nil: the range in words.
    ///   - isStrict: Whether the error of a number out of range repeats it as written.
    static func whole(_ range: ClosedRange<Int>, _ allowed: String? = nil, isStrict: Bool = true) -> Self {
        let format = Self(
            .whole(range), allowed ?? "a whole number from \(range.lowerBound) to \(range.upperBound)",
            read: { value, _ in value.whole }, write: { .whole($0) },
            isAllowed: { range.contains($0) })
        return isStrict ? format.strict : format
    }
}

extension ValueFormat where Value == Double {
    /// A finite number.
    ///
    /// - Parameter isOpenBelow: Whether the lower end is excluded.
    static func number(
        _ range: ClosedRange<Double>, isOpenBelow: Bool = false, _ allowed: String, readable: String? = nil
    ) -> Self {
        Self(
            .number(range, isOpenBelow: isOpenBelow), allowed, readable: readable,
            read: { value, _ in value.number }, write: { .number($0) },
            isAllowed: { $0.isFinite && range.contains($0) && !(isOpenBelow && $0 == range.lowerBound) })
    }

    static var preEmphasis: Self { .number(0...1, "a number from 0 (none) to 1") }

    /// A number of s, or a text such as `3 s` or `500 ms`.
    static func time(
        _ range: ClosedRange<Double>, isOpenBelow: Bool = false, _ allowed: String, readable: String
    ) -> Self {
        number(range, isOpenBelow: isOpenBelow, allowed, readable: readable).or(.time) { text in
            if case .seconds(let time)? = SampleSpan(text: text) { time } else { nil }
        }
    }

    /// A number of Hz, or a text such as `16 kHz`, `16k` or `300 Hz`.
    static func frequency(_ range: ClosedRange<Double>, isOpenBelow: Bool = false, _ allowed: String) -> Self {
        number(range, isOpenBelow: isOpenBelow, allowed).or(.frequency, read: hertz).strict
    }

    /// The frequency of a text such as `16 kHz`, in Hz; nil for other text.
    static func hertz(_ text: String) -> Double? {
        if case .hertz(let hertz)? = FrequencyEdge(text: text) { hertz } else { nil }
    }

    private func or(_ quantity: ValueForm.Quantity, read text: @escaping @Sendable (String) -> Double?) -> Self {
        Self(
            form: .either([form, .quantity(quantity)]), allowed: allowed, readable: readable,
            read: { value, _ in value.number ?? value.text.flatMap(text) }, write: write, refused: refused)
    }
}

extension ValueFormat where Value: ConfigurationSection {
    static var section: Self {
        let table = Value.table
        return Self(
            .section(table.path), table.allowed,
            read: { value, _ throws(ConfigurationError) in try table.read(value) }, write: { table.write($0) })
    }

    /// A section whose kinds without keys may be written as a name: `hann`, or a mapping such as `{kind: kaiser, beta: 14}`.
    static var shortSection: Self {
        let table = Value.table
        return Self(
            .section(table.path), table.allowedKinds,
            read: { value, key throws(ConfigurationError) in
                guard let name = value.text else { return value.entries == nil ? nil : try table.read(value) }
                guard let variant = table.variants.first(where: { $0.kinds.contains(name) }) else {
                    let found = ConfigurationKeys.found(name, among: table.kinds)
                    throw .invalidValue(key: key, found: found, expected: table.allowedKinds)
                }
                if let example = variant.keys.first?.required {
                    throw .invalidValue(key: key, found: "'\(name)' without its parameter", expected: example)
                }
                return variant.standard(name)
            },
            write: { section in
                let written = table.write(section)
                return written.entries?.count == 1 ? written["kind"] ?? written : written
            })
    }
}
