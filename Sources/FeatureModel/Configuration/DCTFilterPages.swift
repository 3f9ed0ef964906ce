/// How a filter in the DCT domain cuts a signal into pages: `condition.dct_filter.pages`.
public enum DCTFilterPages: String, CaseIterable, Codable, Sendable {
    /// A page begins every 256 samples; a Hann window before the transform and after it fades each into the next.
    case overlapping
    /// A page begins every 1024 samples, without a window, as in the program that the filter comes from: a tone is broken
    /// where two pages meet, which is heard as a click.
    case separate

    /// Samples from the beginning of a page to that of the next.
    public var hop: Int {
        self == .overlapping ? DCTFilterConfiguration.pageLength / 4 : DCTFilterConfiguration.pageLength
    }
}
