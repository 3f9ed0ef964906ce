import Foundation

/// Figures as a person reads them, in the terminal and on a page.
package enum Wording {
    /// 1234567 → 1,234,567
    package static func count(_ number: Int) -> String {
        var digits = Array(String(number.magnitude))
        for place in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: place) }
        return (number < 0 ? "-" : "") + String(digits)
    }

    /// 1 clip, 2 clips
    package static func count(_ number: Int, _ noun: String) -> String {
        "\(count(number)) \(noun)\(number == 1 ? "" : "s")"
    }

    /// 0.173 s; 12.3 s; 4 min 05 s; 2 h 10 min; 3 d 4 h
    package static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e12 else { return "?" }
        // Neither what is left of a sum that was taken back is shown, nor its sign.
        let seconds = abs(seconds) < 5e-4 ? 0 : seconds
        let whole = Int(seconds.rounded())
        // By what is shown: 59.996 s is not 60.00 s, and 3599.6 s is not 60 min 00 s.
        switch whole {
        case _ where seconds < 0.9995: return String(format: "%.3f s", seconds)
        case _ where seconds < 59.995: return String(format: "%.2f s", seconds)
        case ..<3600: return String(format: "%d min %02d s", whole / 60, whole % 60)
        case ..<172_800: return String(format: "%d h %02d min", whole / 3600, whole % 3600 / 60)
        default: return String(format: "%d d %d h", whole / 86_400, whole % 86_400 / 3600)
        }
    }

    /// 119.6 MB
    package static func bytes(_ count: Int) -> String {
        let units = ["bytes", "kB", "MB", "GB", "TB"]
        var size = Double(count)
        var unit = 0
        while size >= 999.5, unit < units.count - 1 {
            size /= 1000
            unit += 1
        }
        return unit == 0 ? "\(count) bytes" : String(format: size < 10 ? "%.2f %@" : "%.1f %@", size, units[unit])
    }

    /// 16000 → 16000; 22050.5 → 22050.5; 0.25 → 0.25
    package static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(format: "%g", value)
    }

    /// mono, stereo, of 3 channels
    package static func channels(_ count: Int) -> String {
        switch count {
        case 1: "mono"
        case 2: "stereo"
        default: "of \(count) channels"
        }
    }
}
