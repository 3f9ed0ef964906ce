/// Which side of a band's edges a filter takes away.
public enum DCTFilterMode: String, CaseIterable, Codable, Sendable {
    /// The band stays, the rest goes.
    case bandPass = "band_pass"
    /// The band goes, the rest stays.
    case bandStop = "band_stop"
}
