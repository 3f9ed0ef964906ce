import FeatureModel

/// What a live analysis is given besides inputs and configuration.
package struct LiveOptions: Sendable {
    /// The feature file to write; nil: none.
    package var record: String?
    /// Whether a feature file of that name may be replaced.
    package var overwrite: Bool
    /// Seconds of rows that are kept for the display.
    package var seconds: Double
    /// The band of an equaliser between the input and standard output; nil: nothing is written there.
    package var band: LiveEqualizer.Band?
    /// How the equaliser cuts its input into pages.
    package var pages: DCTFilterPages

    /// Keeps the values.
    package init(
        record: String? = nil, overwrite: Bool = false, seconds: Double = 10, band: LiveEqualizer.Band? = nil,
        pages: DCTFilterPages = .overlapping
    ) {
        self.record = record
        self.overwrite = overwrite
        self.seconds = seconds
        self.band = band
        self.pages = pages
    }
}
