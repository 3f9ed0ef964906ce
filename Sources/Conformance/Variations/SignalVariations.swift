import FeatureModel
import SignalProcessing

/// Variations up to the window: recording, signal, frames. Of equally good ones, the first wins.
enum SignalVariations {
    static func all(_ context: VariationContext) -> [Variation] {
        audio(context) + condition + frames(context) + shifts(context) + preparation(context) + windows
    }

    /// Frames, or windows within the transform, that start some samples off, such as by a padding of one sample more.
    private static func shifts(_ context: VariationContext) -> [Variation] {
        let geometry = context.geometry
        guard geometry.length >= 8 * greatestShift else { return [] }
        let window = geometry.fftLength > geometry.length ? ", or the window does within fft_length" : ""
        return (1...greatestShift).flatMap { [$0, -$0] }.map { shift in
            let samples = abs(shift) == 1 ? "1 sample" : "\(abs(shift)) samples"
            let note = "frames start \(samples) \(shift > 0 ? "late" : "early")\(window)"
            return Variation(assignments: [], frameShift: shift, note: note)
        }
    }

    private static let greatestShift = 4

    private static func audio(_ context: VariationContext) -> [Variation] {
        var list = [
            Variation("audio.scale=unit", note: "samples from -1 to 1"),
            Variation("audio.scale=int16", note: "samples from -32768 to 32767"),
        ]
        if context.channels > 1, context.configuration.audio.channels != .all { list += VariationContext.ofOneChannel }
        if context.recordingRate != Int(context.rate) {
            let note = "samples at \(context.recordingRate) Hz, not resampled"
            list.append(Variation(assignments: [], ignoresRate: true, note: note))
            list += ResamplingMethod.allCases.map { Variation("audio.resampler=\($0.rawValue)") }
        }
        return list + leads(context) + lengths(context)
    }

    /// Zeros in front, of the hops that the number of rows suggests.
    private static func leads(_ context: VariationContext) -> [Variation] {
        let lead = context.configuration.audio.lead
        let hop = context.geometry.hop
        let missing = context.rows - context.plan.frameCount(samples: context.sampleCount)
        var list = lead == 0 ? [] : [Variation("audio.lead=0", note: "no zeros in front")]
        if (1...8).contains(missing) {
            list.append(Variation("audio.lead=\(lead + missing * hop)", note: "zeros in front of the clip"))
        }
        return list
    }

    /// Lengths that the number of rows suggests, and how a clip is padded or cut to them.
    private static func lengths(_ context: VariationContext) -> [Variation] {
        var list: [Variation] = []
        if context.configuration.audio.duration != nil {
            list.append(.ownDuration)
            list += Variation.each("audio.fit", "zero repeat repeat_pad")
            list += Variation.each("audio.crop", "start center")
        }
        let span = Double(context.rows * context.geometry.hop) / context.rate
        var tried: Set<Double> = []
        for duration in [context.duration, span.rounded(), span.rounded(.up)] where duration > 0 {
            let own = Double(context.sampleCount) / context.rate
            guard abs(duration - own) > 0.02, tried.insert(duration).inserted else { continue }
            let length = "audio.duration=\(duration.word)"
            list.append(Variation(length, note: "zeros to this length, or cut"))
            if duration < own {
                list.append(Variation(length + " audio.crop=center", note: "the middle of the clip"))
            } else {
                list.append(Variation(length + " audio.fit=repeat", note: "the clip over and over"))
                list.append(Variation(length + " audio.fit=repeat_pad", note: "whole repetitions, then zeros"))
            }
        }
        return list
    }

    private static let condition = [
        Variation("condition.remove_dc=false"),
        Variation("condition.remove_dc=true", note: "the clip's mean is subtracted"),
        Variation("condition.gain=none"),
        gain("kind=peak level=1", note: "the clip's peak becomes 1"),
        gain("kind=peak level=0.25", note: "the clip's peak becomes 1/4"),
        gain("kind=peak level=0.5", note: "the clip's peak becomes 1/2"),
        gain("kind=peak level=0.95", note: "the clip's peak becomes 0.95"),
        gain("kind=zscore epsilon=1e-7", note: "samples of variance 1"),
        gain("kind=zscore epsilon=1e-5", note: "samples of variance 1"),
        gain("kind=rms", note: "samples of an RMS of 1"),
        gain("kind=minmax", note: "samples stretched to -1 to 1"),
        gain("kind=clamp level=1", note: "samples cut to -1 to 1"),
        Variation("condition.gain=int16", note: "rounded towards 0 to the steps of 16-bit PCM"),
    ]

    private static func gain(_ words: String, note: String) -> Variation {
        let value = ConfigurationValue.mapping(ConfigurationValue.entries(words))
        return Variation(assignments: [.init(key: "condition.gain", value: value)], note: note)
    }

    /// Where frames lie, and how long they are.
    private static func frames(_ context: VariationContext) -> [Variation] {
        let geometry = context.geometry
        // Other frames have no such keys.
        let frame = context.configuration.frame
        let isOwn = frame.padEnd || frame.windowPosition != .start
        let own = isOwn ? " frame.pad_end=false frame.window_at=start" : ""
        var list = [
            "align=start", "align=center frame.pad=reflect", "align=center frame.pad=zero",
            "align=center frame.pad=edge", "align=kaldi",
            "align=half frame.pad=reflect", "align=half frame.pad=zero",
        ].map { Variation("frame.\($0) frame.drop_last=false" + own) }
        if frame.align == .center || frame.align == .half {
            list += Variation.each("frame.pad", "reflect zero edge")
            if geometry.fftLength > geometry.length { list += Variation.each("frame.window_at", "left start") }
        }
        if frame.align == .start {
            list += [Variation("frame.pad_end=\(!frame.padEnd)")]
            if geometry.fftLength > geometry.length {
                list += Variation.each("frame.window_at", "center start")
            }
        }
        list += ["reflect", "zero"].map { Variation("frame.align=center frame.pad=\($0) frame.drop_last=true" + own) }
        list += Variation.each("frame.drop_last", "true false")
        // With an even hop, the same frames as kaldi.
        if !geometry.hop.isMultiple(of: 2) { list.append(Variation("frame.align=lhotse frame.drop_last=false" + own)) }
        list += [256, 400, 512, 1024, 2048, 4096, geometry.length].filter { $0 >= geometry.length }
            .map { Variation("frame.fft_length=\($0)") }
        let lengths = [
            geometry.fftLength, 320, 400, 480, 512, 551, 552, 640, 800, 882, 960, 1024, 1103, 2048, 4096,
        ]
        list += (roundedOtherwise(geometry.length, context) + lengths).map {
            Variation("frame.length=\($0)" + ($0 <= geometry.fftLength ? "" : " frame.fft_length=null"))
        }
        // The number of rows tells the hop.
        return list + hops(context).map { Variation("frame.hop=\($0)") }
    }

    /// The numbers of samples that other roundings of the same time give; empty: the time is a whole number of ms.
    private static func roundedOtherwise(_ samples: Int, _ context: VariationContext) -> [Int] {
        let milliseconds = Double(samples) * 1000 / context.rate
        return milliseconds == milliseconds.rounded() || samples < 2 ? [] : [samples - 1, samples + 1]
    }

    private static func hops(_ context: VariationContext) -> [Int] {
        let hop = context.geometry.hop
        let expected = context.plan.frameCount(samples: context.sampleCount)
        guard context.rows > 1, abs(expected - context.rows) > 2 else { return roundedOtherwise(hop, context) }
        let usual = [
            64, 80, 100, 110, 128, 160, 200, 220, 221, 240, 256, 320, 360, 400, 441, 480, 500, 512, 640, 1024,
        ]
        // Rows at another hop, within two of the given number.
        let span = Double(expected) * Double(hop)
        let tolerance = 2.5 / Double(context.rows)
        let near = usual.filter { abs(span / Double($0) / Double(context.rows) - 1) <= max(tolerance, 0.03) }
        let exact = Int((span / Double(context.rows)).rounded())
        return (near + [exact]).filter { $0 > 0 && $0 != hop }
    }

    /// The mean of frames, and pre-emphasis.
    private static func preparation(_ context: VariationContext) -> [Variation] {
        let amount = context.configuration.condition.preEmphasis
        guard amount != 0 else { return preparations }
        return preparations + Variation.each("condition.pre_emphasis_first", "keep drop reflect")
    }

    private static let preparations =
        Variation.each("frame.remove_dc", "false true") + [
            Variation("frame.pre_emphasis=0 condition.pre_emphasis=0 condition.pre_emphasis_first=keep"),
            Variation("frame.pre_emphasis=0.97 condition.pre_emphasis=0 condition.pre_emphasis_first=keep"),
            preEmphasis("0.97"),
            Variation("frame.pre_emphasis=0.95 condition.pre_emphasis=0 condition.pre_emphasis_first=keep"),
            preEmphasis("0.95"),
            Variation(
                "frame.remove_dc=false frame.pre_emphasis=0 condition.pre_emphasis=0 condition.pre_emphasis_first=keep",
                note: "frames as they are, without Kaldi's preparation"),
            Variation(
                "frame.remove_dc=true frame.pre_emphasis=0.97 condition.pre_emphasis=0 condition.pre_emphasis_first=keep",
                note: "frames prepared as Kaldi's"),
        ]

    private static func preEmphasis(_ amount: String) -> Variation {
        Variation(
            "frame.pre_emphasis=0 condition.pre_emphasis=\(amount)", note: "of the whole signal, not of each frame")
    }

    private static let windows =
        ["hann", "hamming", "povey", "rectangular", "blackman", "bartlett", "blackman_harris"]
        .flatMap { Variation.each("frame.window=\($0) frame.symmetric", "false true") }
}
