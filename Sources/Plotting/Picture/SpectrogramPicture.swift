import FeatureModel

/// A picture of one or several spectrograms with a common scale of time, one range of values and one colour bar.
package struct SpectrogramPicture: Sendable {
    /// The spectrograms, in reading order; at least one.
    package let panels: [SpectrogramPanel]
    /// What the values are, beside the colour bar, such as "dB".
    package let valueLabel: String
    /// The values at the two ends of the colours, found from all panels together.
    package let span: ValueSpan
    /// How frequencies are spread over the height.
    package let frequencies: FrequencyDisplay
    /// What is shown of the frequencies, in hertz; nil: all.
    package let band: ClosedRange<Double>?
    /// How the time is told.
    package let time: TimeDisplay
    /// The time of day at the recordings' beginning; nil: unknown.
    package let begins: ClockTime?
    /// How annotations are shown.
    package let annotationStyle: AnnotationStyle
    /// Panels side by side, 1 or more.
    package let across: Int
    /// How it looks.
    package let style: PictureStyle

    /// The most panels.
    package static let mostPanels = 400

    /// Describes a picture.
    ///
    /// Throws `PlotError` where there are no panels or too many, the span is none, or an axis of frequencies is asked for and
    /// there are none.
    package init(
        panels: [SpectrogramPanel], valueLabel: String, span: ValueSpan = .usual,
        frequencies: FrequencyDisplay = .bins, band: ClosedRange<Double>? = nil, time: TimeDisplay = .automatic,
        begins: ClockTime? = nil, annotationStyle: AnnotationStyle = .boxes, across: Int = 1, style: PictureStyle
    ) throws(PlotError) {
        guard (1...Self.mostPanels).contains(panels.count) else {
            throw .invalidSetting(
                name: "panels", found: "\(panels.count)", expected: "1 to \(Self.mostPanels) clips or recordings")
        }
        guard across >= 1 else { throw .invalidSetting(name: "columns", found: "\(across)", expected: "1 or more") }
        try span.validate()
        if !frequencies.isOfBins, panels.contains(where: { !$0.axis.hasFrequencies }) {
            throw .invalidSetting(
                name: "frequency axis", found: "values that do not stand for frequencies",
                expected: "bins with a frequency each; an axis of bins shows these values")
        }
        var shown: [SpectrogramPanel] = []
        for panel in panels {
            if let band { shown.append(try panel.cropped(to: band)) } else { shown.append(panel) }
        }
        self.panels = shown
        self.valueLabel = valueLabel
        self.span = span
        self.frequencies = frequencies
        self.band = band
        self.time = time
        self.begins = begins
        self.annotationStyle = annotationStyle
        self.across = min(across, panels.count)
        self.style = style
    }

    /// Describes a picture of one spectrogram.
    ///
    /// - Parameter range: The values at the two ends of the colours; nil: percentiles.
    package init(
        matrix: FeatureMatrix, axis: BinAxis, framePeriod: Double, firstFrameTime: Double = 0, title: String,
        subtitle: String? = nil, valueLabel: String, colors: ColorTable = .viridis, range: ClosedRange<Float>? = nil,
        width: Int = 1000, height: Int = 420
    ) throws(PlotError) {
        let panel = try SpectrogramPanel(
            matrix: matrix, axis: axis, framePeriod: framePeriod, firstFrameTime: firstFrameTime, title: title,
            subtitle: subtitle)
        try self.init(
            panels: [panel], valueLabel: valueLabel, span: range.map(ValueSpan.fixed) ?? .usual,
            style: PictureStyle(colors: colors, width: width, height: height))
    }
}

extension BinAxis {
    /// Whether bins stand for frequencies.
    package var hasFrequencies: Bool { if case .frequencies = self { true } else { false } }
}

extension FrequencyDisplay {
    fileprivate var isOfBins: Bool { if case .bins = self { true } else { false } }
}
