import FeatureModel

/// Numbers in the fields of tables: of manifests, and of annotations.
package enum FieldValue {
    /// A finite number, with blanks around it or without; nil for other text.
    ///
    /// - Parameter decimalComma: Whether a comma is a decimal point, as spreadsheets write it where semicolons separate the fields.
    ///   Points in a number with such a comma are between groups of three digits.
    package static func number(_ field: ArraySlice<UInt8>, decimalComma: Bool = false) -> Double? {
        let bytes = field.trimmingBlanks
        if decimalComma, bytes.contains(Byte.comma) { return withComma(String(decoding: bytes, as: UTF8.self)) }
        // Swift's own parser would accept "nan", "inf" and hexadecimal numbers.
        guard !bytes.isEmpty, bytes.allSatisfy(isPartOfNumber),
            let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite
        else { return nil }
        return value
    }

    /// The same of a text.
    package static func number(_ text: String, decimalComma: Bool = false) -> Double? {
        number(Array(text.utf8)[...], decimalComma: decimalComma)
    }

    private static func withComma(_ text: String) -> Double? { withPoint(text).flatMap { number($0) } }

    /// A number with a decimal comma, written with a point and without those between its groups; nil: it has no such comma.
    static func withPoint(_ text: String) -> String? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].utf8.contains(Byte.dot) else { return nil }
        let whole = isGrouped(parts[0]) ? String(parts[0]).replacing(".", with: "") : String(parts[0])
        return whole.utf8.contains(Byte.dot) ? nil : "\(whole).\(parts[1])"
    }

    /// Whether a text is whole and has points between groups of three digits, as `2.000`, which may also be a decimal point; `0.512`
    /// has one.
    package static func isGrouped(_ text: some StringProtocol) -> Bool { isGrouped(text, by: ".") }

    fileprivate static func isGrouped(_ text: some StringProtocol, by mark: Unicode.Scalar) -> Bool {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        let groups = digits.split(separator: UInt8(ascii: mark), omittingEmptySubsequences: false)
        let isOfDigits = groups.allSatisfy { group in
            group.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        }
        return groups.count > 1 && isOfDigits && (1...3).contains(groups[0].count)
            && groups[0].first != UInt8(ascii: "0") && groups.dropFirst().allSatisfy { $0.count == 3 }
    }

    package static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), Byte.dot, UInt8(ascii: "e"),
            UInt8(ascii: "E"):
            true
        default: false
        }
    }
}

/// The decimal marks that numbers of a table show, in which a comma may be one: what `2.000` is, only the others can tell.
package struct DecimalMarks {
    private var (hasComma, hasPoint) = (false, false)

    package init() {}

    /// Takes note of a number.
    package mutating func take(_ text: some StringProtocol) {
        if text.utf8.contains(Byte.comma) {
            if !FieldValue.isGrouped(text, by: ",") { hasComma = true }
        } else if text.utf8.contains(Byte.dot), !FieldValue.isGrouped(text) {
            hasPoint = true
        }
    }

    package mutating func merge(_ other: DecimalMarks) {
        (hasComma, hasPoint) = (hasComma || other.hasComma, hasPoint || other.hasPoint)
    }

    /// Whether points are between groups of digits: numbers have decimal commas, and none such as 7.5 or 0.512 has a decimal point.
    package var groupDigits: Bool { hasComma && !hasPoint }
}

/// Numbers of a manifest whose point may be decimal, or between groups of digits: rows are read one by one, and what others show
/// comes too late.
struct GroupedNumbers<Place> {
    private var marks = DecimalMarks()
    private var first: (place: Place, column: ManifestColumn, text: String)?

    /// Takes note of a value in a column of numbers, where a comma may be decimal.
    mutating func take(_ text: String, _ column: ManifestColumn, at place: Place) {
        guard FieldValue.number(text, decimalComma: true) != nil else { return }
        marks.take(text)
        if first == nil, FieldValue.isGrouped(text) { first = (place, column, text) }
    }

    /// The first such number, and what is wrong with it, where others have a decimal comma; nil: there is none.
    var problem: (place: Place, text: Note)? {
        guard marks.groupDigits, let (place, column, text) = first else { return nil }
        return (
            place,
            "\(column.name) is \(quoted(text)), and other numbers have a decimal comma; write it without a point between its digits"
        )
    }
}
