import Presentation

/// How far a clock is ahead of UTC, as ISO 8601 writes it: `Z`, `+05:30`, `-0500` or `+02`.
package struct ClockZone: Hashable, Sendable {
    /// Minutes, −23 h 59 min … 23 h 59 min.
    package let minutes: Int

    /// The time before a zone, and the zone; nil for the zone: the text has none. Nil: what follows the time is not a zone.
    static func split(_ text: String) -> (time: String, zone: ClockZone?)? {
        if let last = text.last, last == "Z" || last == "z" {
            return (String(text.dropLast()), ClockZone(minutes: 0))
        }
        // A day has hyphens, too: a zone comes after the first colon.
        guard let colon = text.firstIndex(of: ":"),
            let sign = text[colon...].firstIndex(where: { "+-\u{2212}".contains($0) })
        else { return (text, nil) }
        let digits = text[text.index(after: sign)...]
        let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
        let (hours, rest): (Substring, Substring)
        switch (parts.count, digits.count) {
        case (2, 5): (hours, rest) = (parts[0], parts[1])
        case (1, 4): (hours, rest) = (digits.prefix(2), digits.suffix(2))
        case (1, 2): (hours, rest) = (digits, "00")
        default: return nil
        }
        guard hours.count == 2, rest.count == 2, (hours + rest).allSatisfy({ "0123456789".contains($0) }),
            let hours = Int(hours), hours < 24, let rest = Int(rest), rest < 60
        else { return nil }
        let minutes = hours * 60 + rest
        return (String(text[..<sign]), ClockZone(minutes: text[sign] == "+" ? minutes : -minutes))
    }

    /// `UTC`, `UTC+05:30` or `UTC−05:00`.
    package var text: String {
        guard minutes != 0 else { return "UTC" }
        let size = Int(minutes.magnitude)
        return "UTC\(minutes < 0 ? "\u{2212}" : "+")\((size / 60).padded(to: 2)):\((size % 60).padded(to: 2))"
    }
}
