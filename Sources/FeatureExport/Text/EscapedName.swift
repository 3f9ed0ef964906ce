/// Names for formats that do not allow every character: what is not allowed becomes `%` and two hexadecimal digits for each byte
/// of its UTF-8, as in a URL. `urllib.parse.unquote` of Python undoes it.
enum EscapedName {
    /// What a format does not allow, in addition to `%`, control characters and white space.
    enum Rule {
        /// Kaldi: a name ends with a space.
        case kaldi
        /// WebDataset: a key ends with a dot, and is the name of a file.
        case webDataset
    }

    /// The name as the format allows it. Different names have different results.
    static func escape(_ name: String, _ rule: Rule) -> [UInt8] {
        var bytes: [UInt8] = []
        for scalar in name.unicodeScalars {
            if isAllowed(scalar, rule) {
                bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            } else {
                for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
                    bytes.append(UInt8(ascii: "%"))
                    bytes.append(digit(byte >> 4))
                    bytes.append(digit(byte & 15))
                }
            }
        }
        return bytes
    }

    private static func isAllowed(_ scalar: Unicode.Scalar, _ rule: Rule) -> Bool {
        if scalar.value <= 0x20 || scalar.value == 0x7F || scalar == "%" { return false }
        if scalar.value >= 0x80 {
            // Python splits lines and words at these, too.
            return !scalar.properties.isWhitespace && scalar.properties.generalCategory != .control
        }
        switch rule {
        case .kaldi: return true
        case .webDataset: return scalar != "." && scalar != "/" && scalar != "\\"
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x37 + value }
}
