import FeatureModel
import SignalProcessing

/// What decides which variations are worth a try.
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
    /// The one value of the array's last row; nil: it has several.
    let endValue: Double?

    var isMel: Bool { plan.filterBank != nil }
    var isLogarithmic: Bool { configuration.scale.kind.isLogarithmic }
    var rate: Double { plan.sampleRate }
    var geometry: FrameGeometry { plan.geometry }

    /// The roundest duration in s of signals with the given number of rows.
    var duration: Double {
        let (hop, length, frame) = (geometry.hop, geometry.length, configuration.frame)
        let first =
            switch frame.align {
            case .start: (rows - 1) * hop + length
            case .center: (frame.dropLast ? rows : rows - 1) * hop
            case .kaldi, .lhotse: rows * hop - hop / 2
            }
        for steps in [1.0, 2, 10, 20, 100, 200, 1000] {
            let duration = (Double(max(first, 1)) / rate * steps).rounded(.up) / steps
            if duration * rate < Double(first + hop) { return duration }
        }
        return Double(first) / rate
    }

    /// Changes after which rows have the given number of bins, where that is not the expected one; none: no key leads to it.
    var binChanges: [Variation] {
        let (expected, transform) = (plan.bins, configuration.transform)
        guard bins != expected else { return [] }
        var changes: [Variation] = []
        let plain = expected / (transform.deltas.order + 1)
        for order in 0...2 where order != transform.deltas.order && plain * (order + 1) == bins {
            changes.append(Variation("transform.deltas", .whole(order)))
        }
        switch transform {
        case .fft:
            if bins > 1 {
                changes.append(
                    Variation([("frame.fft_length", .whole(2 * (bins - 1))), ("transform.bins", .null)]))
            }
            if bins < expected { changes.append(Variation("transform.bins", .whole(bins))) }
        case .mel, .dct: changes.append(Variation("transform.bins", .whole(bins)))
        case .mfcc, .lfcc:
            changes.append(Variation("transform.bins", .whole(bins)))
            changes.append(Variation([("transform.bins", .whole(bins)), ("transform.bands", .whole(max(bins, 40)))]))
        case .raw:
            changes.append(Variation([("frame.length", .whole(bins)), ("frame.fft_length", .whole(bins))]))
        case .musical: break
        }
        return changes + samples
    }

    /// Other channels, after which rows have another number of values.
    var channelChanges: [Variation] {
        guard channels > 1 else { return [] }
        guard configuration.audio.channels == .all else { return [Variation("audio.channels", .text("all"))] }
        return [
            Variation("audio.channels", .text("mix")), Variation("audio.channels", .text("first")),
            Variation("audio.channels", .whole(1), note: "the second channel"),
        ]
    }

    /// The samples themselves, one by one or in frames, where other features are expected.
    private var samples: [Variation] {
        guard configuration.transform != .raw, bins == 1 || bins == geometry.length else { return [] }
        return [
            Variation(
                [
                    ("transform.kind", .text("raw")), ("scale.kind", .text("linear")),
                    ("frame.window", .text("rectangular")), ("frame.length", .whole(bins)),
                    ("frame.fft_length", .whole(bins)), ("frame.hop", .whole(bins == 1 ? 1 : geometry.hop)),
                    ("frame.align", .text("start")), ("frame.drop_last", .flag(false)),
                    ("frame.pre_emphasis", .whole(0)), ("frame.remove_dc", .flag(false)),
                    ("scale.top_db", .null), ("scale.guard", .text("max")), ("scale.offset", .whole(0)),
                    ("scale.factor", .whole(1)), ("scale.reference", .whole(1)), ("scale.limit", .null),
                ], note: "the samples themselves")
        ]
    }
}
