/// Numbers as text: counts, durations, sizes, frequencies and shares as a person reads them, in a terminal, a page and a message.
package enum Wording {
    /// 1234567 → 1,234,567
    package static func count(_ number: Int) -> String {
        var digits = Array(String(number.magnitude))
        for index in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: index) }
        return (number < 0 ? "-" : "") + String(digits)
    }

    /// 1 clip, 2 clips; 2 entries; 2 days
    package static func count(_ number: Int, _ noun: String) -> String {
        guard number != 1 else { return "1 \(noun)" }
        let endsInY = noun.hasSuffix("y") && !["ay", "ey", "oy", "uy"].contains(where: noun.hasSuffix)
        return "\(count(number)) " + (endsInY ? noun.dropLast() + "ies" : noun + "s")
    }

    /// 0.173 s; 12.30 s; 4 min 05 s; 2 h 10 min; 3 d 4 h
    package static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e12 else { return "?" }
        // A sum whose terms cancel leaves a tiny remainder, of either sign.
        let seconds = abs(seconds) < 5e-4 ? 0 : seconds
        let whole = Int(seconds.rounded())
        // By the rounded value: 59.996 s is not 60.00 s, and 3599.6 s is not 60 min 00 s.
        switch whole {
        case _ where seconds < 0.9995: return "\(seconds.fixed(3)) s"
        case _ where seconds < 59.995: return "\(seconds.fixed(2)) s"
        case ..<3600: return "\(whole / 60) min \((whole % 60).padded(to: 2)) s"
        case ..<172_800: return "\(whole / 3600) h \((whole % 3600 / 60).padded(to: 2)) min"
        default: return "\(whole / 86_400) d \(whole % 86_400 / 3600) h"
        }
    }

    /// 49 s; 4 min 05 s; 2 h 10 min: of an estimate, without fractions of a second.
    package static func estimate(_ seconds: Double) -> String {
        seconds < 59.5 ? "\(Int(max(seconds, 0).rounded())) s" : duration(seconds.rounded())
    }

    /// 0:07; 12:34; 1:02:03
    package static func clock(_ seconds: Double) -> String {
        let whole = Int(min(seconds, 1e9))
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, (whole % 60).padded(to: 2))
        return hours > 0 ? "\(hours):\(minutes.padded(to: 2)):\(rest)" : "\(minutes):\(rest)"
    }

    /// 999 bytes; 3.28 MB; 119.6 MB
    package static func bytes(_ count: Int) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var size = Double(count)
        var unit = 0
        while size >= 999.5, unit < units.count - 1 {
            size /= 1000
            unit += 1
        }
        return unit == 0 ? "\(count) bytes" : "\(size.fixed(size < 10 ? 2 : 1)) \(units[unit])"
    }

    /// Six significant digits at most: 16000; 22050.5; 0.25. Integers have all their digits.
    package static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : value.significant(6)
    }

    /// At most three decimals: 250; 22093.066
    package static func thousandths(_ value: Double) -> String {
        let number = (value * 1000).rounded() / 1000
        return number == number.rounded() && number.magnitude < 1e15 ? "\(Int(number))" : "\(number)"
    }

    /// Four significant digits: 0.01235; −12.35; 1.235e+06; nan; −∞
    package static func value(_ value: Double) -> String { rounded(value, digits: 4) }

    private static func rounded(_ value: Double, digits: Int) -> String {
        guard value.isFinite else { return value.isNaN ? "nan" : value < 0 ? "−∞" : "∞" }
        let text = (value == 0 ? 0 : value).significant(digits)
        return text.hasPrefix("-") ? "−" + text.dropFirst() : text
    }

    /// Two values with four significant digits, or as many more, up to 15, as show their difference: 0.68981 and 0.68984
    package static func distinct(_ one: Double, _ other: Double) -> (String, String) {
        let (greatest, difference) = (max(one.magnitude, other.magnitude), (one - other).magnitude)
        var digits = 4
        if difference > 0, greatest.isFinite {
            // The last digit is not above the difference.
            let last = RoundNumber.exponent(notAbove: difference)
            digits = min(max(RoundNumber.exponent(notAbove: greatest) - last + 1, digits), 15)
        }
        return (rounded(one, digits: digits), rounded(other, digits: digits))
    }

    /// Twelve significant digits, for the edges of intervals.
    package static func exact(_ value: Double) -> String {
        (value == 0 ? 0 : value).significant(12).replacing("-", with: "−")
    }

    /// A share of 1 in percent: 0 %; 0.02 %; 12.3 %; 100 %. Never 0 or 100 % by rounding.
    package static func share(_ share: Double) -> String {
        let percent = share * 100
        switch percent {
        case ...0: return "0 %"
        case 100...: return "100 %"
        case ..<0.01: return "< 0.01 %"
        case ..<1: return "\(percent.fixed(2)) %"
        case 99.95...: return "> 99.9 %"
        default: return "\(percent.fixed(1)) %"
        }
    }

    /// 440 Hz; 1.25 kHz
    package static func frequency(_ hertz: Double) -> String {
        guard hertz.isFinite else { return "?" }
        return hertz < 999.5 ? "\(hertz.fixed(0)) Hz" : "\(((hertz / 10).rounded() / 100).significant(4)) kHz"
    }

    /// mono; stereo; of 3 channels
    package static func channels(_ count: Int) -> String {
        switch count {
        case 1: "mono"
        case 2: "stereo"
        default: "of \(count) channels"
        }
    }
}
