import FeatureModel
import SignalProcessing

/// Variations up to the window: recording, signal, frames. Of equally good ones, the first wins.
enum SignalVariations {
    static func all(_ context: VariationContext) -> [Variation] {
        audio(context) + condition + frames(context) + preparation + windows
    }

    private static func audio(_ context: VariationContext) -> [Variation] {
        var list = [
            Variation("audio.scale", .text("unit"), note: "samples from -1 to 1"),
            Variation("audio.scale", .text("int16"), note: "samples from -32768 to 32767"),
        ]
        if context.channels > 1, context.configuration.audio.channels != .all {
            list += [
                Variation("audio.channels", .text("mix")), Variation("audio.channels", .text("first")),
                Variation("audio.channels", .whole(1), note: "the second channel"),
            ]
        }
        if context.recordingRate != Int(context.rate) {
            list.append(
                Variation([], ignoresRate: true, note: "samples at \(context.recordingRate) Hz, not resampled"))
        }
        return list + lengths(context)
    }

    /// Lengths that the number of rows tells, and what is filled or cut.
    private static func lengths(_ context: VariationContext) -> [Variation] {
        var list: [Variation] = []
        if context.configuration.audio.duration != nil {
            list.append(
                Variation([("audio.duration", .null), ("audio.fit", .null), ("audio.crop", .text("start"))]))
            list += ConfigurationValue.names("zero", "repeat", "repeat_pad").map { Variation("audio.fit", $0) }
            list += ConfigurationValue.names("start", "center").map { Variation("audio.crop", $0) }
        }
        let span = Double(context.rows * context.geometry.hop) / context.rate
        var tried: Set<Double> = []
        for duration in [context.duration, span.rounded(), span.rounded(.up)] where duration > 0 {
            let own = Double(context.sampleCount) / context.rate
            guard abs(duration - own) > 0.02, tried.insert(duration).inserted else { continue }
            let length = ("audio.duration", ConfigurationValue.amount(duration))
            list.append(Variation([length], note: "zeros to this length, or cut"))
            if duration < own {
                list.append(Variation([length, ("audio.crop", .text("center"))], note: "the middle of the clip"))
            } else {
                list.append(Variation([length, ("audio.fit", .text("repeat"))], note: "the clip over and over"))
                list.append(
                    Variation([length, ("audio.fit", .text("repeat_pad"))], note: "whole repetitions, then zeros"))
            }
        }
        return list
    }

    private static let condition: [Variation] = {
        func gain(_ kind: String, _ keys: (String, Double)...) -> ConfigurationValue {
            .mapping(
                [.init(key: "kind", value: .text(kind))]
                    + keys.map { .init(key: $0.0, value: .amount($0.1)) })
        }
        return [
            Variation("condition.remove_dc", .flag(false)),
            Variation("condition.remove_dc", .flag(true), note: "the clip's mean is subtracted"),
            Variation("condition.gain", .text("none")),
            Variation("condition.gain", gain("peak", ("level", 1)), note: "the clip's peak becomes 1"),
            Variation("condition.gain", gain("peak", ("level", 0.25)), note: "the clip's peak becomes 1/4"),
            Variation("condition.gain", gain("peak", ("level", 0.5)), note: "the clip's peak becomes 1/2"),
            Variation("condition.gain", gain("peak", ("level", 0.95)), note: "the clip's peak becomes 0.95"),
            Variation("condition.gain", gain("zscore", ("epsilon", 1e-7)), note: "samples of variance 1"),
            Variation("condition.gain", gain("zscore", ("epsilon", 1e-5)), note: "samples of variance 1"),
            Variation("condition.gain", gain("rms"), note: "samples of an RMS of 1"),
            Variation("condition.gain", gain("minmax"), note: "samples stretched to -1 to 1"),
            Variation("condition.gain", .text("int16"), note: "rounded towards 0 to the steps of 16-bit PCM"),
        ]
    }()

    /// Where frames lie, and how long they are.
    private static func frames(_ context: VariationContext) -> [Variation] {
        var list = [placement("start")] + ["reflect", "zero", "edge"].map { placement("center", pad: $0) }
        list += [placement("kaldi"), placement("center", pad: "reflect", dropLast: true)]
        list += [placement("center", pad: "zero", dropLast: true)]
        list.append(Variation("frame.drop_last", .flag(true)))
        list.append(Variation("frame.drop_last", .flag(false)))
        let geometry = context.geometry
        // With an even hop, the same frames as kaldi.
        if !geometry.hop.isMultiple(of: 2) { list.append(placement("lhotse")) }
        for length in [256, 400, 512, 1024, 2048, 4096, geometry.length] where length >= geometry.length {
            list.append(Variation("frame.fft_length", .whole(length)))
        }
        let lengths = [
            geometry.fftLength, 320, 400, 480, 512, 551, 552, 640, 800, 882, 960, 1024, 1103, 2048, 4096,
        ]
        for length in roundedOtherwise(geometry.length, context) + lengths {
            list.append(
                length <= geometry.fftLength
                    ? Variation("frame.length", .whole(length))
                    : Variation([("frame.length", .whole(length)), ("frame.fft_length", .null)]))
        }
        // The number of rows tells the hop.
        for hop in hops(context) { list.append(Variation("frame.hop", .whole(hop))) }
        return list
    }

    private static func placement(_ align: String, pad: String? = nil, dropLast: Bool = false) -> Variation {
        var assignments: [(String, ConfigurationValue)] = [("frame.align", .text(align))]
        if let pad { assignments.append(("frame.pad", .text(pad))) }
        assignments.append(("frame.drop_last", .flag(dropLast)))
        return Variation(assignments)
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
    private static let preparation: [Variation] = {
        let (own, whole) = ("frame.pre_emphasis", "condition.pre_emphasis")
        var list = ConfigurationValue.flags.map { Variation("frame.remove_dc", $0) }
        for amount in [0, 0.97, 0.95] {
            list.append(Variation([(own, .amount(amount)), (whole, .whole(0))]))
            if amount > 0 {
                list.append(
                    Variation(
                        [(own, .whole(0)), (whole, .amount(amount))], note: "of the whole signal, not of each frame"))
            }
        }
        list.append(
            Variation(
                [("frame.remove_dc", .flag(false)), (own, .whole(0)), (whole, .whole(0))],
                note: "frames as they are, without Kaldi's preparation"))
        list.append(
            Variation(
                [("frame.remove_dc", .flag(true)), (own, .number(0.97)), (whole, .whole(0))],
                note: "frames prepared as Kaldi's"))
        return list
    }()

    private static let windows: [Variation] = {
        let shapes = ["hann", "hamming", "povey", "rectangular", "blackman", "bartlett", "blackman_harris"]
        return shapes.flatMap { shape in
            ConfigurationValue.flags.map { symmetric in
                Variation([("frame.window", .text(shape)), ("frame.symmetric", symmetric)])
            }
        }
    }()
}
