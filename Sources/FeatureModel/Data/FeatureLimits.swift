/// Which recordings have most of their band above the features, where these are the default ones; which clips are longer than the
/// features, or their model, take, or shorter than the model takes; and which are of the first of several channels alone.
///
/// It follows from the configuration, the recordings' sample rates, lengths and channels, and the edges of annotations alone: so it is
/// the same however a run went, and need not be stored. A configuration with another rate, band or scale was chosen by the user, and has no remarks on bands.
package struct FeatureLimits: Sendable {
    /// The end of the bands of default features, in Hz; infinite: they are others.
    private let highest: Double
    /// The highest sample rate, in Hz, of recordings that have at least half of their band in the features.
    private var highestRate: Double { 4 * highest }
    /// The index of a manifest's column of the upper edges of annotations; nil: there is none.
    private let highColumn: Int?
    /// The longest clip that is taken whole, in seconds, by `audio.duration`.
    private let longest: Double
    /// How many rows of which frames are kept (`rows.count`); nil: all.
    private let rows: (count: Int, frame: FrameConfiguration)?
    /// The rate in Hz that recordings are brought to; nil: each keeps its own.
    private let rate: Int?
    /// What the model takes at a time; nil: there is no model, or it takes clips of any length.
    private let window: ModelWindow?
    /// What decides how short clips are padded.
    private let audio: AudioConfiguration
    /// Whether all channels but the first are left out.
    private let takesFirst: Bool

    /// The columns of a manifest with the edges of annotations, in Hz.
    package enum EdgeColumn: String, Sendable {
        case low = "low_frequency"
        case high = "high_frequency"
    }

    /// - Parameter columns: The manifest's apart from those with a meaning.
    package init(_ configuration: FeatureConfiguration, columns: [String] = []) {
        highColumn = columns.firstIndex(of: EdgeColumn.high.rawValue)
        window = ModelWindow(of: configuration)
        audio = configuration.audio
        takesFirst = configuration.audio.channels == .first
        longest = configuration.audio.duration ?? .infinity
        rows = configuration.rows.count.map { ($0, configuration.frame) }
        rate = configuration.audio.sampleRate
        let standard = MelConfiguration.standard
        guard let rate = AudioConfiguration.standard.sampleRate, configuration.audio.sampleRate == rate,
            configuration.scale == .standard, case .mel(let mel, _) = configuration.transform.method,
            let high = mel.high,
            high == Double(rate) / 2, mel.low == standard.low, mel.scale == standard.scale,
            mel.norm == standard.norm, mel.triangles == standard.triangles, mel.spectrum == standard.spectrum
        else {
            highest = .infinity
            return
        }
        highest = high
    }

    /// Whether a recording can have remarks.
    package var isLimited: Bool {
        takesEdges || longest.isFinite || rows != nil || window != nil || takesFirst
    }

    /// Whether remarks follow from the edges of annotations.
    package var takesEdges: Bool { highest.isFinite }

    /// The upper edge of a clip's annotation, in Hz; nil: it has none.
    package func edge(of clip: Clip) -> Double? {
        guard let highColumn, clip.extra.indices.contains(highColumn) else { return nil }
        return Double(clip.extra[highColumn])
    }

    /// The remarks of a clip.
    ///
    /// - Parameters:
    ///   - sampleRate: Rate of the recording in Hz.
    ///   - duration: Length of the clip in seconds.
    ///   - channels: Channels of the recording.
    ///   - channel: The one that the clip itself names, which is no remark; nil: none.
    ///   - edge: The upper edge of its annotation in Hz; nil: it has none.
    package func remarks(
        sampleRate: Int, duration: Double, channels: Int, channel: Int?, edge: Double? = nil
    ) -> RecordingRemarks {
        var remarks: RecordingRemarks = []
        if Double(sampleRate) > highestRate {
            remarks.insert(.bandsAbove)
        } else if let edge, edge > highest, Double(sampleRate) > 2 * highest {
            remarks.insert(.annotationsAbove)
        }
        // Of a sample less than half is not a loss.
        let rest = 0.5 / Double(max(sampleRate, 1))
        let taken = min(longest, span(at: Double(rate ?? sampleRate)))
        if duration - taken > rest { remarks.insert(.clipsShortened) }
        if let window {
            if min(duration, taken) - window.seconds > rest { remarks.insert(.windowsExceeded) }
            // Of a live input, the length is 0.
            if duration > 0, !window.takesLess, window.seconds - padded(min(duration, longest)) > rest {
                remarks.insert(.windowsShort)
            }
        }
        if takesFirst, channels > 1, channel == nil { remarks.insert(.channelsLeftOut) }
        return remarks
    }

    /// What a remark on clips is about, as messages call it.
    package func source(of kind: Remark.Kind) -> String {
        kind.isOfWindows ? window?.words ?? RecordingRemarks.source : RecordingRemarks.source
    }

    /// The seconds of a clip that is neither too long nor too short, for a kind of remark; nil: the kind is another one, or there is no
    /// such limit.
    package func seconds(for kind: Remark.Kind) -> Double? {
        if kind.isOfWindows { return window?.seconds }
        guard kind == .clipsShortened else { return nil }
        if longest.isFinite { return longest }
        guard let rows, let rate, let geometry = try? rows.frame.geometry(at: Double(rate)) else { return nil }
        return Double(rows.count) * Double(geometry.hop) / Double(rate)
    }

    /// The length that a clip has after padding, in seconds; infinite: rows are added until there are enough.
    private func padded(_ duration: Double) -> Double {
        guard rows == nil else { return .infinity }
        var padded = max(duration, audio.minimum ?? 0)
        if let longest = audio.duration, audio.fit != .keep { padded = max(padded, longest) }
        guard audio.multiple > 1, let rate else { return padded }
        let step = Double(audio.multiple) / Double(rate)
        return (padded / step).rounded(.up) * step
    }

    /// The seconds that `rows.count` rows span at a sample rate in Hz; infinite: it is not set, or there are no frames at it.
    private func span(at sampleRate: Double) -> Double {
        guard let rows, sampleRate > 0, let geometry = try? rows.frame.geometry(at: sampleRate) else {
            return .infinity
        }
        let (length, hop) = (Double(geometry.length), Double(geometry.hop))
        // One sample more, and there is one more frame, where frames end in the signal. Of others, the last may have up to half a hop more.
        let rest = rows.frame.align == .start && !rows.frame.padEnd ? length - 1 : hop / 2
        return (Double(rows.count) * hop + rest) / sampleRate
    }
}

/// What a model takes at a time, where the features of such a window are not rows of those of a longer clip: each window has a
/// maximum, a mean or ends of its own.
package struct ModelWindow: Hashable, Sendable {
    /// The name of the model's preset.
    package let model: String
    package let seconds: Double
    /// Whether the preset pads short clips to what the model needs.
    let takesLess: Bool

    /// That of the preset whose input a configuration is; nil: it is none that has a window.
    ///
    /// Cost: the presets of this sample rate that have one are read; none where features are normalised over a dataset, which no
    /// model's are.
    package init?(of configuration: FeatureConfiguration) {
        guard configuration.normalize.scope != .dataset, let rate = configuration.audio.sampleRate else { return nil }
        for name in PresetEntry.namesWithWindow(at: rate) {
            guard let preset = Preset(rawValue: name), let seconds = preset.window,
                let own = try? preset.configuration(), ModelInput.isInput(configuration, of: preset, own)
            else { continue }
            (model, self.seconds, takesLess) = (name, seconds, own.audio.minimum != nil)
            return
        }
        return nil
    }

    /// `perch-2, windows of 5 s`.
    package var words: String { "\(model), windows of \(seconds.shortText) s" }
}

extension Remark.Kind {
    /// Whether it is about what a model takes at a time.
    package var isOfWindows: Bool { self == .windowsExceeded || self == .windowsShort }

    /// What the features of clips or signals lack, for the kinds that commands warn of and that a plan knows before it computes; nil:
    /// another kind.
    ///
    /// - Parameters:
    ///   - things: What it is about, with its number: `2 clips`, `the signal`.
    ///   - isOne: Whether that is one thing.
    package func words(on things: String, isOne: Bool) -> String? {
        let (are, them) = isOne ? ("is", "it") : ("are", "them")
        return switch self {
        case .clipsShortened:
            "\(things) \(are) longer than the features take (audio.duration or rows.count), and the rest of \(them) is left out"
        case .windowsExceeded: "\(things) \(are) longer than the model takes at a time, and not cut into such windows"
        case .windowsShort:
            "\(things) \(are) shorter than the model takes at a time, and \(isOne ? "has" : "have") too few rows for it"
        case .channelsLeftOut:
            "\(things) \(are) of the first channel alone (audio.channels), and the others of "
                + "\(isOne ? "its recording" : "their recordings") are left out"
        default: nil
        }
    }
}
