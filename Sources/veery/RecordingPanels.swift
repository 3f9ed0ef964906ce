import FeatureModel
import FeaturePipeline
import Foundation
import Manifests
import Plotting

/// The recordings that a picture is to show.
struct RecordingPanels {
    let command: RenderCommand
    let table: AnnotationTable?

    /// Computes their features.
    func content() throws -> PictureContent {
        let configuration = try command.settings.configuration
        var warnings: [String] = []
        var panels: [SpectrogramPanel] = []
        for (path, title) in zip(command.inputs, RecordingTitles.titles(of: command.inputs)) {
            do {
                panels.append(try panel(path, title: title, configuration, warnings: &warnings))
            } catch let failure as ClipFailure {
                throw PictureError(path: path, reason: failure.reason)
            } catch let error as PlotError {
                throw PictureError(path: path, reason: "\(error)")
            }
        }
        for warning in warnings { Console.note("warning: \(warning)") }
        let isNormalized = configuration.normalize.scope == .clip
        return PictureContent(
            path: command.inputs.first ?? "", panels: panels, recordings: command.inputs,
            units: isNormalized ? configuration.storedUnits : configuration.units,
            musical: configuration.transform.notes)
    }

    private func panel(
        _ path: String, title: String, _ configuration: FeatureConfiguration, warnings: inout [String]
    ) throws -> SpectrogramPanel {
        let segment = try command.recording.segment
        let channel = command.recording.channel
        let features = try RecordingFeatures(
            path: path, segment: segment, channel: channel, configuration: configuration,
            policy: command.policy.policy, mostValues: command.panels.mostValues(panels: command.inputs.count),
            newest: command.panels.newest)
        try command.panels.checkComplete(
            path: path, kept: features.matrix.rows, frames: features.frameCount, bins: features.matrix.bins,
            remedy: "draw the newest frames with --columns, or a part with --start and --end")
        warnings += features.warnings.map { "\(path): \($0)" }
        // The preset's lowest notes are what they are; who changes it is told.
        if try configuration != Preset.musicalSpectrum.configuration() {
            for warning in features.plan.warnings where !warnings.contains(warning) { warnings.append(warning) }
        }
        let envelope =
            command.overlays.waveform
            ? try SampleEnvelope.read(
                path: path, segment: segment, channel: channel, channels: configuration.audio.channels,
                policy: command.policy.policy) : nil
        return try SpectrogramPanel(
            matrix: features.matrix, axis: AxisOptions.axis(features.plan.axis), framePeriod: features.framePeriod,
            firstFrameTime: features.firstFrameTime, title: title,
            subtitle: "\(configuration.transform.longName), \(Wording.duration(features.recording.duration)) "
                + "recorded at \(features.recording.sampleRate) Hz",
            envelope: envelope, annotations: command.overlays.annotations(of: path, table: table, offset: 0))
    }
}
