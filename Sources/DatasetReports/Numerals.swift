import Foundation

/// Values as a person reads them on the page; counts, lengths and sizes are those of `Wording`.
enum Numerals {
    /// Four significant digits: 0.01235, −12.35, 1.235e+06; or nan, ∞, −∞
    static func value(_ value: Double) -> String {
        guard value.isFinite else { return value.isNaN ? "nan" : value < 0 ? "−∞" : "∞" }
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

    /// 440 Hz, 1.25 kHz
    static func frequency(_ hertz: Double) -> String {
        guard hertz.isFinite else { return "?" }
        return hertz < 999.5
            ? String(format: "%.0f Hz", hertz) : String(format: "%.4g kHz", (hertz / 10).rounded() / 100)
    }
}
