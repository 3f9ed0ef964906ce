/// Numbers in the fields of a manifest.
package enum FieldValue {
    /// A finite number, with blanks around it or without; nil for other text.
    ///
    /// - Parameter decimalComma: Whether a comma is a decimal point, as spreadsheets write it where semicolons separate the fields.
    package static func number(_ field: ArraySlice<UInt8>, decimalComma: Bool = false) -> Double? {
        var bytes = field.trimmingBlanks
        if decimalComma, let comma = bytes.firstIndex(of: Byte.comma) { bytes[comma] = Byte.dot }
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

    package static func isPartOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), Byte.dot, UInt8(ascii: "e"),
            UInt8(ascii: "E"):
            true
        default: false
        }
    }
}
