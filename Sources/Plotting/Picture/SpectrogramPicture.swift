import FeatureModel
import FileIO

/// A picture of one or several spectrograms with a common scale of time, one range of values and one colour bar.
package struct SpectrogramPicture: Sendable {
    /// The spectrograms, in reading order; at least one.
    package let panels: [SpectrogramPanel]
    /// The name of the colour bar: what the values are, such as "dB".
    package let valueLabel: String
    /// The values at the two ends of the colours, found from all panels together.
    package let span: ValueSpan
    package let frequencies: FrequencyDisplay
    /// What is shown of the frequencies, in hertz; nil: all.
    package let band: ClosedRange<Double>?
    package let time: TimeDisplay
    /// The time of day at the start of the recordings; nil: unknown.
    package let startTime: ClockTime?
    package let annotationStyle: AnnotationStyle
    /// Panels side by side, 1 or more.
    package let across: Int
    package let style: PictureStyle

    package static let maximumPanels = 400

    /// - Throws: `PlotError` if there are no panels or too many, the span is invalid, or an axis of frequencies is asked for and
    ///   bins have none.
    package init(
        panels: [SpectrogramPanel], valueLabel: String, span: ValueSpan = .usual,
        frequencies: FrequencyDisplay = .bins, band: ClosedRange<Double>? = nil, time: TimeDisplay = .automatic,
        startTime: ClockTime? = nil, annotationStyle: AnnotationStyle = .boxes, across: Int = 1, style: PictureStyle
    ) throws(PlotError) {
        guard (1...Self.maximumPanels).contains(panels.count) else {
            throw .invalidSetting(
                name: "panels", found: "\(panels.count)", expected: "1 to \(Self.maximumPanels) clips or recordings")
        }
        guard across >= 1 else { throw .invalidSetting(name: "columns", found: "\(across)", expected: "1 or more") }
        try span.validate()
        for panel in panels { try frequencies.validate(panel.axis) }
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
        self.startTime = startTime
        self.annotationStyle = annotationStyle
        self.across = min(across, panels.count)
        self.style = style
    }
}

extension SpectrogramPicture {
    /// Whether values are colours, as they are of all panels but waveforms.
    var hasColors: Bool { !panels.allSatisfy(\.isWaveform) }

    /// The picture as a file of a format. Equal pictures give equal bytes on one system: glyphs come from its fonts.
    package func file(as format: PictureFormat) throws(PlotError) -> PictureFile {
        let (canvas, _, annotations) = try draw(format)
        return PictureFile(bytes: try canvas.bytes(), annotations: annotations)
    }

    func draw(
        _ format: PictureFormat
    ) throws(PlotError) -> (canvas: Canvas, layout: PictureLayout, annotations: [AnnotationCount]) {
        let canvas = try Canvas(
            width: style.columns, height: style.rows, background: style.theme.background, format: format,
            dpi: style.dpi)
        let layout = try PictureLayout(self, measuring: canvas)
        let annotations = zip(panels, layout.panels).map { panel, panelLayout in
            PanelDrawing(
                panel: panel, layout: panelLayout, sizes: layout.sizes, values: layout.values, colors: style.colors,
                lanes: layout.lanes, isAlone: panels.count == 1, canvas: canvas
            ).draw()
        }
        if hasColors, panels.contains(where: { $0.matrix.rows > 0 }) {
            let margin = layout.sizes.margin
            ColorBarDrawing(
                bar: layout.bar, ticks: layout.valueTicks, beyond: layout.beyond, name: valueLabel,
                nameEnd: style.columns - margin, nameLimit: layout.bar.height + 2 * margin, colors: style.colors,
                sizes: layout.sizes, canvas: canvas
            ).draw()
        }
        try canvas.finish()
        return (canvas, layout, annotations)
    }
}

package struct PictureFile: Hashable, Sendable {
    package let bytes: [UInt8]
    package let annotations: [AnnotationCount]

    package init(bytes: [UInt8], annotations: [AnnotationCount] = []) {
        self.bytes = bytes
        self.annotations = annotations
    }

    /// Writes the file whole or not at all; replaces a regular file of that name.
    package func write(to path: String) throws(PlotError) {
        do throws(AtomicFileError) {
            try AtomicFile.write(bytes, to: path)
        } catch {
            throw PlotError(error, path: path, byteCount: bytes.count)
        }
    }
}
