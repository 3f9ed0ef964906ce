import Annotations
import DatasetExtraction
import DatasetInspection
import FeatureModel
import Messages
import Plotting
import Presentation
import SignalProcessing

struct RecordingPanels {
    let command: RenderCommand
    let table: AnnotationTable?

    func content() throws -> PictureContent {
        let chosen = try command.settings.chosen(default: .spectrogram)
        let configuration = chosen.configuration
        // The resolution of a file's configuration is not changed.
        let isSpectrogram = command.settings.config == nil && chosen.preset == .spectrogram
        var warnings: [String] = []
        var notes: [String] = []
        var panels: [SpectrogramPanel] = []
        var account = Account()
        var lowerRates = LowerRates()
        let limits = FeatureLimits(configuration)
        // The first one that is longer than the features or their model take, and the first that is shorter.
        var remarked: [Remark.Kind: String] = [:]
        var plan: FeaturePlan?
        var isOfStackedRows = false
        for (index, (path, title)) in zip(command.inputs, RecordingTitles.titles(of: command.inputs)).enumerated() {
            try FileRefusal.naming(path, command.policy.advice(takesParts: true)) {
                var remarks: RecordingRemarks = []
                var rate: Int?
                for channel in try channels(of: path, configuration) {
                    let (panel, features) = try panel(
                        path, channel: channel, title: title, chosen, isSpectrogram: isSpectrogram,
                        warnings: &warnings, notes: &notes)
                    panels.append(panel)
                    remarks.formUnion(features.recording.allRemarks(limits, channel: channel))
                    (plan, rate) = (features.plan, features.recording.sampleRate)
                    isOfStackedRows = configuration.normalizesStackedRows(columns: features.plan.bins)
                }
                account.add(remarks, ofClip: path, at: index, limits)
                for kind in remarks.kinds where remarked[kind] == nil { remarked[kind] = path }
                if let plan, let rate { lowerRates.add(rate, plan) }
            }
        }
        warnings += RemarkWords.warnings(account, cutting: CuttingAdvice(remarked, configuration))
        if let lacking = plan.flatMap({ lowerRates.warning(of: "recording", $0, model: chosen.model) }) {
            warnings.append(lacking)
        }
        for warning in warnings { Console.warn(warning) }
        for note in notes { Console.note("note: \(note.printable)") }
        // Rows are drawn one by one, before they are stacked.
        let isNormalized = [.clip, .constant].contains(configuration.normalize.scope) && !isOfStackedRows
        let units = isNormalized ? configuration.storedUnits : configuration.units
        let isLevel = isSpectrogram && !isNormalized && units == "dB" && configuration.transform.kind == .fft
        let relative = isLevel ? try Self.relativeToPeak(panels) : nil
        return PictureContent(
            path: command.inputs.first ?? "", panels: relative ?? panels, recordings: command.inputs,
            units: relative == nil ? units : "dB re peak", musical: configuration.transform.notes,
            usualSpan: isLevel ? .levels : .usual,
            ofOtherChannels: command.overlays.ofOtherChannels(
                command.inputs, table, single: command.recording.channel ?? configuration.audio.channels.single))
    }

    /// The channels that are drawn, one a panel; nil: the signal that the configuration makes of all channels.
    private func channels(of path: String, _ configuration: FeatureConfiguration) throws -> [Int?] {
        guard command.recording.channel == nil, configuration.audio.channels == .all else {
            return [command.recording.channel]
        }
        return try (0..<RecordingFeatures.channels(of: path)).map { $0 }
    }

    /// The panels with the maximum of all values at 0 dB; nil: there is no peak, since all values are the same, as those of silence.
    private static func relativeToPeak(_ panels: [SpectrogramPanel]) throws -> [SpectrogramPanel]? {
        var (least, peak) = (Float.infinity, -Float.infinity)
        for panel in panels {
            for value in panel.matrix.values where value.isFinite {
                (least, peak) = (min(least, value), max(peak, value))
            }
        }
        guard least < peak else { return nil }
        return try panels.map { panel in
            try panel.with(FeatureMatrix(bins: panel.matrix.bins, values: panel.matrix.values.map { $0 - peak }))
        }
    }

    private func panel(
        _ path: String, channel: Int?, title: String, _ chosen: ChosenConfiguration, isSpectrogram: Bool,
        warnings: inout [String],
        notes: inout [String]
    ) throws -> (SpectrogramPanel, RecordingFeatures) {
        let configuration = chosen.configuration
        let segment = try command.recording.segment
        func compute(_ configuration: FeatureConfiguration) throws -> RecordingFeatures {
            try RecordingFeatures(
                path: path, segment: segment, channel: channel, configuration: configuration,
                policy: command.policy.policy,
                maximumValues: command.panels.maximumValues(panels: command.inputs.count),
                newest: command.panels.newest)
        }
        var features = try compute(try framed(configuration, path, segment, channel))
        if isSpectrogram, let finer = try command.configuration(finerThan: features) { features = try compute(finer) }
        let axis = AxisOptions.axis(features.plan.axis, configuration.transform)
        try command.panels.checkComplete(
            path: path, kept: features.matrix.rows, frames: features.frameCount, bins: features.matrix.bins,
            drawn: command.axes.drawn(axis, bins: features.matrix.bins), hasFrequencies: axis.hasFrequencies,
            remedy: "draw the newest frames with --columns, or a part with --start and --end")
        warnings.addNew(features.warnings.map { "\(path): \($0)" })
        // No warnings about the lowest notes of the preset itself.
        if try configuration != Preset.musicalSpectrum.configuration() {
            warnings.addNew(try chosen.warnings(of: features.plan))
        }
        let end = PictureEnd(
            configuration, highest: features.plan.axis.highest, sampleRate: features.recording.sampleRate,
            band: command.axes.frequencies)
        // Notes end below the recorded frequencies anyway.
        if command.axes.frequencies == nil, configuration.transform.notes == nil, let note = end.note {
            notes.addNew(["\(path.printable): \(note)"])
        }
        let envelope =
            command.overlays.waveform
            ? try SampleEnvelope.read(
                path: path, segment: segment, channel: channel, channels: configuration.audio.channels,
                policy: command.policy.policy) : nil
        let panel = try SpectrogramPanel(
            matrix: features.matrix.rising(by: features.plan.axis),
            axis: axis, framePeriod: features.framePeriod, firstFrameTime: features.firstFrameTime,
            signalStart: features.recording.start,
            title: title
                + (configuration.audio.channels == .all ? channel.map { "  –  channel \($0)" } ?? "" : ""),
            subtitle: (command.settings.title(chosen).map { "\($0): " } ?? "")
                + "\(configuration.transform.longName), \(Wording.duration(features.recording.duration)) "
                + "recorded at \(features.recording.sampleRate) Hz\(end.words)",
            envelope: envelope,
            annotations: try command.overlays.annotations(
                of: path, table: table, offset: 0, sampleRate: features.recording.sampleRate,
                channels: features.recording.channels, channel: channel ?? configuration.audio.channels.single))
        return (panel, features)
    }
}

extension RecordingPanels {
    /// The configuration with the frames of the default picture, unless the user has chosen them.
    private func framed(
        _ configuration: FeatureConfiguration, _ path: String, _ segment: Segment?, _ channel: Int?
    ) throws -> FeatureConfiguration {
        let settings = command.settings
        // If the recording cannot be read, the reason is reported when it is read.
        guard settings.isDefault, !command.panels.plain, case .fft = configuration.transform.method,
            !["frame.length", "frame.fft_length"].contains(where: settings.sets),
            !configuration.rows.isActive, configuration.patches.length == nil,
            let recording = try? RecordingFeatures.survey(
                path: path, segment: segment, channel: channel, configuration.audio, command.policy.policy)
        else { return configuration }
        return try PictureFrames.configuration(
            configuration, for: recording, keepsHop: settings.sets("frame.hop"))
    }
}

extension [String] {
    /// Appends the sentences that are not in the list yet, so that what holds for a whole recording is printed once, not once a channel.
    fileprivate mutating func addNew(_ texts: [String]) {
        for text in texts where !contains(text) { append(text) }
    }
}

enum RecordingTitles {
    /// The files' names, each with enough folders to be distinct.
    ///
    /// Cost: grows with the square of the number of paths, of which a picture has few.
    static func titles(of paths: [String]) -> [String] {
        let all = paths.map { $0.split(separator: "/") }
        return all.map { parts in
            let others = all.filter { $0 != parts }
            let count = (1..<max(parts.count, 1)).first { count in
                !others.contains { $0.suffix(count) == parts.suffix(count) }
            }
            return parts.suffix(count ?? max(parts.count, 1)).joined(separator: "/")
        }
    }
}
