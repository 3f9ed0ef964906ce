extension String {
    /// The text with what Cairo cannot draw replaced: controls (line ends, tabs, the null that ends a C string) by
    /// spaces, and the code points that Unicode reserves as "not a character", which Cairo takes for a broken string.
    var drawable: String {
        guard unicodeScalars.contains(where: { $0.isControl || $0.isNoncharacter }) else { return self }
        var result = ""
        for scalar in unicodeScalars {
            if scalar.isControl {
                result.append(" ")
            } else {
                result.unicodeScalars.append(scalar.isNoncharacter ? "\u{FFFD}" : scalar)
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control }

    fileprivate var isNoncharacter: Bool { (0xFDD0...0xFDEF).contains(value) || value & 0xFFFE == 0xFFFE }
}
