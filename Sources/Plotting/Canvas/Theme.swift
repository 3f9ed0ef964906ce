/// The colours of what surrounds the values.
package enum Theme: String, CaseIterable, Sendable {
    /// Dark print on white.
    case light
    /// Light print on near black.
    case dark

    /// The paper.
    package var background: RGB { RGB(hex: self == .light ? 0xFFFFFF : 0x15171C) }
    /// Print and lines.
    package var ink: RGB { RGB(hex: self == .light ? 0x222222 : 0xE4E6EA) }
    /// Print of less weight.
    package var faint: RGB { RGB(hex: self == .light ? 0x555555 : 0xA4A9B3) }
    /// Where there are no values.
    package var empty: RGB { RGB(hex: self == .light ? 0xF4F4F4 : 0x22262E) }
    /// A waveform.
    package var wave: RGB { RGB(hex: self == .light ? 0x3A5A94 : 0x8DB3E8) }
}
