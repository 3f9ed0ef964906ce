/// A number for all columns of a row, or one for each.
public enum ColumnConstants: Hashable, Sendable {
    /// The same for all.
    case all(Double)
    /// One for each column of a row or, where patches are stacked, of a stacked row.
    case columns([Double])

    /// The greatest number of columns.
    public static let maximumColumns = 1 << 14

    /// The number of columns; nil: any.
    public var count: Int? { if case .columns(let values) = self { values.count } else { nil } }

    /// The number for all columns; nil: they differ.
    public var single: Double? { if case .all(let value) = self { value } else { nil } }

    /// The numbers of `count` columns.
    ///
    /// - Precondition: A list has a divisor of `count` numbers, which are repeated.
    public func values(_ count: Int) -> [Double] {
        switch self {
        case .all(let value): return Array(repeating: value, count: count)
        case .columns(let values):
            precondition(count % values.count == 0, "a number for each column")
            return (0..<count).map { values[$0 % values.count] }
        }
    }

    /// The first number out of a range, for an error, with its column if it has one; nil: none is.
    fileprivate func firstOutside(_ range: ClosedRange<Double>) -> String? {
        switch self {
        case .all(let value): range.contains(value) ? nil : "\(value)"
        case .columns(let values): Self.firstOutside(range, values)
        }
    }

    /// The first number of a list that is out of a range, for an error: `0.0 in column 3`; nil: none is. Columns are counted from 0.
    package static func firstOutside(_ range: ClosedRange<Double>, _ numbers: [Double]) -> String? {
        numbers.firstIndex { !range.contains($0) }.map { "\(numbers[$0]) in column \($0) (counted from 0)" }
    }
}

extension ValueFormat where Value == ColumnConstants {
    /// A number in a range, or a list of them.
    static func constants(_ range: ClosedRange<Double>, _ allowed: String) -> Self {
        Self(
            form: .either([.number(range, isOpenBelow: false), .list(range)]), allowed: allowed, readable: allowed,
            read: { value, _ in value.number.map { .all($0) } ?? value.list.map { .columns($0) } },
            write: { constants in
                switch constants {
                case .all(let value): .number(value)
                case .columns(let values): .numbers(values)
                }
            },
            refused: { constants in
                if let count = constants.count, !(1...ColumnConstants.maximumColumns).contains(count) {
                    return "a list of \(count)"
                }
                return constants.firstOutside(range)
            })
    }
}
