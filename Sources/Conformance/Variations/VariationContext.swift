import FeatureModel
import SignalProcessing

/// The facts that decide which variations are worth trying.
struct VariationContext {
    let configuration: FeatureConfiguration
    let plan: FeaturePlan
    /// Samples of the recording at the plan's rate.
    let sampleCount: Int
    /// Rate and channels of the recording.
    let recordingRate: Int
    let channels: Int
    /// Rows and bins of the given array.
    let rows: Int
    let bins: Int
    /// The value of all bins of the array's last row; nil: they differ.
    let endValue: Double?
    /// The least of the array's values where several have it, and the greatest: the least may be a limit. Nil: it is none.
    let limits: (least: Double, greatest: Double)?

    var isMel: Bool { plan.filterBank != nil }
    var isLogarithmic: Bool { configuration.scale.kind.isLogarithmic }
    var rate: Double { plan.sampleRate }
    var geometry: FrameGeometry { plan.geometry }

    /// Of the durations in s that give this number of rows, the one with the fewest digits.
    var duration: Double {
        let (hop, length, frame) = (geometry.hop, geometry.length, configuration.frame)
        let first =
            switch frame.align {
            case .start where frame.padEnd: (rows - 1) * hop + 1
            case .start: (rows - 1) * hop + length
            case .center: (frame.dropLast ? rows : rows - 1) * hop
            case .half: rows * hop
            case .kaldi, .lhotse: rows * hop - hop / 2
            }
        for steps in [1.0, 2, 10, 20, 100, 200, 1000] {
            let duration = (Double(max(first, 1)) / rate * steps).rounded(.up) / steps
            if duration * rate < Double(first + hop) { return duration }
        }
        return Double(first) / rate
    }

    /// Changes that give rows the array's number of bins, if the configuration gives another; empty: no key does.
    var binChanges: [Variation] {
        let (expected, transform) = (plan.bins, configuration.transform)
        guard bins != expected else { return [] }
        var changes: [Variation] = []
        if configuration.rows.resizeBins != nil {
            changes.append(Variation("rows.resize_bins=\(bins)"))
            changes.append(
                Variation(
                    "rows.resize=null rows.resize_bins=null rows.resize_method=bilinear rows.resize_multiple=1",
                    note: "rows and columns before they are resized"))
        }
        let plain = expected / (transform.deltas.order + 1)
        for order in 0...2 where order != transform.deltas.order && plain * (order + 1) == bins {
            changes.append(Variation("transform.deltas=\(order)"))
        }
        switch transform.method {
        case .fft:
            if bins > 1 { changes.append(Variation("frame.fft_length=\(2 * (bins - 1)) transform.bins=null")) }
            if bins < expected { changes.append(Variation("transform.bins=\(bins)")) }
        case .mel, .dct: changes.append(Variation("transform.bins=\(bins)"))
        case .mfcc, .lfcc:
            changes.append(Variation("transform.bins=\(bins)"))
            changes.append(Variation("transform.bins=\(bins) transform.bands=\(max(bins, 40))"))
        case .raw: changes.append(Variation("frame.length=\(bins) frame.fft_length=\(bins)"))
        case .musical: break
        }
        return changes + samples
    }

    /// Other choices of channels, which change the number of values in a row.
    var channelChanges: [Variation] {
        guard channels > 1 else { return [] }
        return configuration.audio.channels == .all ? Self.ofOneChannel : [Variation("audio.channels=all")]
    }

    /// Changes that make one channel of several.
    static let ofOneChannel =
        Variation.each("audio.channels", "mix first") + [Variation("audio.channels=1", note: "the second channel")]

    /// Rows that hold the samples themselves, one or a frame in each, if the configuration computes something else.
    private var samples: [Variation] {
        guard configuration.transform != .raw, bins == 1 || bins == geometry.length else { return [] }
        return [
            Variation(
                "transform.kind=raw scale.kind=linear frame.window=rectangular frame.length=\(bins) "
                    + "frame.fft_length=\(bins) frame.hop=\(bins == 1 ? 1 : geometry.hop) frame.align=start "
                    + "frame.drop_last=false frame.pre_emphasis=0 frame.remove_dc=false scale.top_db=null "
                    + "scale.guard=max scale.offset=0 scale.factor=1 scale.reference=1 scale.limit=null",
                note: "the samples themselves")
        ]
    }
}
