import DatasetInspection
import FeatureModel
import Plotting

/// Chooses hop and transform length for a picture's pixels: in a short recording, frames every 5 ms would be blocks.
extension RenderCommand {
    /// Bins per pixel, if memory allows.
    private static let binsPerPixel = 2.0
    /// Maximum length of the transform in frame lengths; more zeros add nothing.
    private static let maximumPadding = 16

    /// The configuration with a shorter hop and a longer transform, but the same length of frames; nil: it has enough frames and
    /// bins, or the values would take too much memory, or `--set` sets these lengths or a number of rows, or each value is a pixel.
    func configuration(finerThan features: RecordingFeatures) throws -> FeatureConfiguration? {
        let configuration = features.plan.configuration
        guard !panels.plain, features.framesPerRow == 1, case .fft(.standard) = configuration.transform.method else {
            return nil
        }
        // With a shorter hop, the same number of rows would show less of the recording.
        guard !configuration.rows.isActive, configuration.patches.length == nil else { return nil }
        let frame = configuration.frame
        let geometry = features.plan.geometry
        let rate = Double(configuration.audio.sampleRate ?? features.recording.sampleRate)
        let duration = features.recording.duration
        let maximumValues = panels.maximumValues(panels: inputs.count)
        func values(hop: Int, _ fftLength: Int) -> Double {
            (duration * rate / Double(hop) + 1) * Double(fftLength / 2 + 1)
        }

        var fftLength = geometry.fftLength
        if !settings.sets("frame.fft_length") {
            let share = axes.frequencies.map { min(($0.upperBound - $0.lowerBound) / (rate / 2), 1) } ?? 1
            let wanted = Self.binsPerPixel * panelPixels.height / max(share, 1e-3)
            while Double(fftLength / 2) < wanted, 2 * fftLength <= Self.maximumPadding * geometry.length,
                values(hop: geometry.hop, 2 * fftLength) <= Double(maximumValues)
            { fftLength *= 2 }
        }
        var hop = geometry.hop
        if !settings.sets("frame.hop") {
            let wanted = max(Int(duration * rate / panelPixels.width), 1)
            let possible = Int((duration * rate * Double(fftLength / 2 + 1) / Double(maximumValues)).rounded(.up)) + 1
            hop = min(hop, max(wanted, possible))
        }
        guard hop < geometry.hop || fftLength > geometry.fftLength else { return nil }
        return try configuration.with(
            frame: frame.with(length: .samples(geometry.length), hop: .samples(hop), fftLength: fftLength))
    }

    /// A panel's size in pixels, with its axes.
    private var panelPixels: (width: Double, height: Double) {
        let count = inputs.count
        let across = min(panels.across, count)
        let rows = (count + across - 1) / across
        let height = appearance.height ?? panels.defaultHeight(panels: count, hasWaveform: overlays.waveform)
        let scale = appearance.dpi / 96
        return (Double(appearance.width) * scale / Double(across), Double(height) * scale / Double(rows))
    }
}
