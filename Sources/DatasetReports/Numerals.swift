import Foundation

/// Figures as a person reads them on the page.
enum Numerals {
    /// 1234567 → 1,234,567
    static func count(_ number: Int) -> String {
        var digits = Array(String(number.magnitude))
        for place in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: place) }
        return (number < 0 ? "−" : "") + String(digits)
    }

    /// 1 clip, 2 clips
    static func count(_ number: Int, _ noun: String) -> String { "\(count(number)) \(noun)\(number == 1 ? "" : "s")" }

    /// Four significant digits: 0.01235, −12.35, 1.235e+06
    static func value(_ value: Double) -> String {
        guard value.isFinite else { return "\(value)" }
        let text = String(format: "%.4g", value == 0 ? 0 : value)
        return text.hasPrefix("-") ? "−" + text.dropFirst() : text
    }

    /// Twelve significant digits, as many as the edge of an interval has.
    static func exact(_ value: Double) -> String {
        String(format: "%.12g", value == 0 ? 0 : value).replacingOccurrences(of: "-", with: "−")
    }

    /// A share as percent: 0 %, 0.02 %, 12.3 %, 100 %; never 0 or 100 where it is not.
    static func share(_ share: Double) -> String {
        let percent = share * 100
        switch percent {
        case ...0: return "0 %"
        case 100...: return "100 %"
        case ..<0.01: return "< 0.01 %"
        case ..<1: return String(format: "%.2f %%", percent)
        case 99.95...: return "> 99.9 %"
        default: return String(format: "%.1f %%", percent)
        }
    }

    /// 0.173 s; 12.3 s; 4 min 05 s; 2 h 10 min; 3 d 4 h
    static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds.magnitude < 1e12 else { return "?" }
        let whole = Int(seconds.rounded())
        switch whole {
        case _ where seconds < 0.9995: return String(format: "%.3f s", max(seconds, 0))
        case _ where seconds < 59.995: return String(format: "%.2f s", seconds)
        case ..<3600: return String(format: "%d min %02d s", whole / 60, whole % 60)
        case ..<172_800: return String(format: "%d h %02d min", whole / 3600, whole % 3600 / 60)
        default: return String(format: "%d d %d h", whole / 86_400, whole % 86_400 / 3600)
        }
    }

    /// 119.6 MB
    static func bytes(_ count: Int) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var size = Double(count)
        var unit = 0
        while size >= 999.5, unit < units.count - 1 {
            size /= 1000
            unit += 1
        }
        return unit == 0 ? "\(count) bytes" : String(format: size < 10 ? "%.2f %@" : "%.1f %@", size, units[unit])
    }

    /// 440 Hz, 1.25 kHz
    static func frequency(_ hertz: Double) -> String {
        guard hertz.isFinite else { return "?" }
        return hertz < 999.5
            ? String(format: "%.0f Hz", hertz) : String(format: "%.4g kHz", (hertz / 10).rounded() / 100)
    }
}
