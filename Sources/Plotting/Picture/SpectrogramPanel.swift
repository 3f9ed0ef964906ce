import FeatureModel

/// One spectrogram of a picture, with what belongs to it: time to the right, low bins at the bottom.
package struct SpectrogramPanel: Sendable {
    /// The values, frames in time order. Without rows the panel says "no frames".
    package private(set) var matrix: FeatureMatrix
    package private(set) var axis: BinAxis
    /// Seconds from one frame to the next, above 0.
    package let framePeriod: Double
    /// Seconds at the centre of the first frame.
    package let firstFrameTime: Double
    /// Seconds at the start of the signal, where the time axis starts, often before the first frame's left edge. Nil: the axis
    /// starts with the frames.
    package let signalStart: Double?
    /// Seconds from the start of the recording to 0 s of the panel.
    package let recordingOffset: Double
    /// The title above, such as a clip's name and label; shortened in the middle if it is too wide.
    package let title: String
    package let subtitle: String?
    /// The recording's samples, at the panel's times, for a strip above; nil: no strip.
    package let envelope: SampleEnvelope?
    /// Annotations, at the panel's times.
    package let annotations: [Annotation]

    /// - Throws: `PlotError` if the axis does not fit the matrix, the frame period is not positive, or a time is beyond ±1e9 s.
    package init(
        matrix: FeatureMatrix, axis: BinAxis, framePeriod: Double, firstFrameTime: Double = 0,
        signalStart: Double? = nil, recordingOffset: Double = 0, title: String, subtitle: String? = nil,
        envelope: SampleEnvelope? = nil, annotations: [Annotation] = []
    ) throws(PlotError) {
        try axis.validate(bins: matrix.bins)
        guard framePeriod >= 1e-9, framePeriod * Double(matrix.rows + 1) <= 1e9 else {
            throw .invalidSetting(
                name: "frame period", found: "\(framePeriod)",
                expected: "seconds from 1e-9 on, and at most 1e9 s in all")
        }
        for (name, seconds) in [
            ("first frame's time", firstFrameTime), ("start in the recording", recordingOffset),
            ("start of the signal", signalStart ?? 0),
        ] where !(seconds.magnitude <= 1e9) {
            throw .invalidSetting(name: name, found: "\(seconds)", expected: "−1e9 to 1e9 s")
        }
        self.matrix = matrix
        self.axis = axis
        self.framePeriod = framePeriod
        self.firstFrameTime = firstFrameTime
        self.signalStart = signalStart
        self.recordingOffset = recordingOffset
        self.title = title
        self.subtitle = subtitle
        self.envelope = envelope
        self.annotations = annotations
    }

    /// The panel with the bins of a band of frequencies in hertz alone.
    ///
    /// - Throws: `PlotError` if no bin is in it, or bins have no frequency.
    func cropped(to band: ClosedRange<Double>) throws(PlotError) -> SpectrogramPanel {
        let bins = try axis.bins(in: band)
        guard bins.count < matrix.bins else { return self }
        var values: [Float] = []
        values.reserveCapacity(matrix.rows * bins.count)
        for row in 0..<matrix.rows {
            values.append(
                contentsOf: matrix.values[row * matrix.bins + bins.lowerBound..<row * matrix.bins + bins.upperBound])
        }
        var panel = self
        panel.matrix = FeatureMatrix(bins: bins.count, values: values)
        panel.axis = axis.cropped(to: bins)
        return panel
    }

    /// The panel with other values for the same frames and bins.
    ///
    /// - Throws: `PlotError` if the axis does not fit them.
    package func with(_ matrix: FeatureMatrix) throws(PlotError) -> SpectrogramPanel {
        try axis.validate(bins: matrix.bins)
        var panel = self
        panel.matrix = matrix
        return panel
    }

    /// Whether the panel is drawn as a waveform.
    package var isWaveform: Bool { axis.isWaveform(bins: matrix.bins) }

    /// Seconds that the frames span.
    package var duration: Double { framePeriod * Double(matrix.rows) }

    /// Seconds at the left edge of the frames, half a period before the first frame's centre.
    package var start: Double { firstFrameTime - framePeriod / 2 }

    /// Seconds at the left edge of the time axis.
    var axisStart: Double { min(start, signalStart ?? start) }

    /// Seconds from the left edge of the time axis to the last frame's right edge.
    var extent: Double { start - axisStart + duration }
}
