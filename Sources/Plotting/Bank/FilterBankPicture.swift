import FeatureModel

/// What is made of a spectrum: sums over bands, or its bins.
package struct BankPanel: Sendable {
    package let title: String
    /// The frequency of each bin of the spectrum in Hz, rising.
    package let bins: [Float]
    /// A curve for each band; of a spectrum without bands, a bin each.
    package let curves: [SpectrumBand]
    /// Whether the curves are single bins.
    package let isPlain: Bool
    /// What a curve is, such as "Band".
    package let numbering: String
    /// Frequencies to mark, in Hz: the outer edges of the bank.
    package let edges: [Double]

    /// - Throws: `PlotError` if the frequencies do not rise, or there is no curve.
    package init(
        title: String, bins: [Float], curves: [SpectrumBand], isPlain: Bool, numbering: String, edges: [Double]
    ) throws(PlotError) {
        try BinAxis.frequencies(bins).validate(bins: bins.count)
        guard !curves.isEmpty, !bins.isEmpty else {
            throw .invalidSetting(name: "filter bank", found: "no band", expected: "one or more")
        }
        (self.title, self.bins, self.curves, self.isPlain) = (title, bins, curves, isPlain)
        (self.numbering, self.edges) = (numbering, edges)
    }
}

/// What a frame is multiplied by.
package struct WindowPanel: Sendable {
    package let title: String
    package let values: [Double]
    package let sampleRate: Double
    /// Samples from a frame to the next.
    package let hop: Int

    package init(title: String, values: [Double], sampleRate: Double, hop: Int) {
        (self.title, self.values, self.sampleRate, self.hop) = (title, values, sampleRate, hop)
    }
}

/// A picture of the bands that a spectrum is divided into, and of the window of its frames.
package struct FilterBankPicture: Sendable {
    package let title: String
    package let subtitle: String
    /// Nil: samples are not transformed.
    package let bank: BankPanel?
    package let window: WindowPanel
    package let frequencies: FrequencyDisplay
    /// What is shown of the frequencies, in Hz; nil: all.
    package let band: ClosedRange<Double>?
    package let style: PictureStyle

    package init(
        title: String, subtitle: String, bank: BankPanel?, window: WindowPanel, frequencies: FrequencyDisplay = .linear,
        band: ClosedRange<Double>? = nil, style: PictureStyle
    ) {
        (self.title, self.subtitle, self.bank, self.window) = (title, subtitle, bank, window)
        (self.frequencies, self.band, self.style) = (frequencies, band, style)
    }

    /// The picture as a file of a format. Equal pictures give equal bytes on one system.
    ///
    /// - Throws: `PlotError` where the picture has no room, or no frequency is in the band.
    package func file(as format: PictureFormat) throws(PlotError) -> PictureFile {
        PictureFile(bytes: try draw(format).canvas.bytes())
    }

    func draw(_ format: PictureFormat) throws(PlotError) -> (canvas: Canvas, layout: FilterBankLayout) {
        let canvas = try Canvas(
            width: style.columns, height: style.rows, background: style.theme.background, format: format,
            dpi: style.dpi)
        let layout = try FilterBankLayout(self, measuring: canvas)
        FilterBankDrawing(picture: self, layout: layout, canvas: canvas).draw()
        try canvas.finish()
        return (canvas, layout)
    }
}
