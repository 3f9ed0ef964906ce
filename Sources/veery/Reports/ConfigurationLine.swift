import FeatureModel

/// A configuration in a few words.
struct ConfigurationLine {
    private let configuration: FeatureConfiguration

    init(_ configuration: FeatureConfiguration) { self.configuration = configuration }

    /// `16000 Hz, channels mixed · frames of 400 every 160, 512 points, hann · 80 mel bands (slaney), 0 to 8000 Hz · ln, floor
    /// 1e-10 · zscore over the dataset`
    var text: String {
        [audio, condition, frame, transform, scale, normalize].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    private var audio: String {
        let audio = configuration.audio
        let rate = audio.sampleRate.map { "\($0) Hz" } ?? "the files' rate"
        let channels =
            switch audio.channels {
            case .mix: "channels mixed"
            case .first: "first channel"
            case .number(let number): "channel \(number)"
            }
        let duration = audio.duration.map { ", \(Wording.number($0)) s" } ?? ""
        return "\(rate), \(channels)\(audio.scale == .int16 ? ", 16-bit scale" : "")\(duration)"
    }

    private var condition: String {
        let condition = configuration.condition
        let filter = condition.dctFilter.map { filter in
            "\(filter.mode == .bandPass ? "band-pass" : "band-stop") \(filter.low) to \(filter.high)"
        }
        var steps = Self.steps(removeDC: condition.removeDC, preEmphasis: condition.preEmphasis)
        if let filter { steps.insert(filter, at: condition.removeDC ? 1 : 0) }
        return steps.joined(separator: ", ")
    }

    private var frame: String {
        let frame = configuration.frame
        let size = frame.fftLength.map { ", \($0) points" } ?? ""
        let parameter =
            switch frame.window {
            case .kaiser(let beta): " of beta \(Wording.number(beta))"
            case .gaussian(let sigma): " of sigma \(Wording.number(sigma))"
            case .tukey(let alpha): " of alpha \(Wording.number(alpha))"
            default: ""
            }
        let name = frame.window.kind.rawValue.replacing("_", with: " ") + parameter
        let window = name + (frame.symmetric ? " (symmetric)" : "")
        let align =
            switch frame.align {
            case .start: ""
            case .center: ", centred"
            case .kaldi: ", mirrored at the ends"
            }
        let steps = Self.steps(removeDC: frame.removeDC, preEmphasis: frame.preEmphasis).map { ", \($0)" }.joined()
        return "frames of \(frame.length) every \(frame.hop)\(size), \(window)\(align)\(steps)"
    }

    private static func steps(removeDC: Bool, preEmphasis: Double) -> [String] {
        (removeDC ? ["without mean"] : []) + (preEmphasis != 0 ? ["pre-emphasis \(preEmphasis)"] : [])
    }

    private var transform: String {
        let slopes = ["", " with deltas", " with deltas and delta-deltas"][configuration.transform.deltas.order]
        switch configuration.transform {
        case .fft(let bins, let step):
            return "FFT\(bins.map { ", \($0) bins" } ?? "")\(step > 1 ? ", one of \(step)" : "")"
        case .dct(let bins, let type, let norm):
            let name = ["I", "II", "III", "IV"][type.rawValue - 1] + (norm == .ortho ? " (ortho)" : "")
            return "DCT-\(name)\(bins.map { ", \($0) coefficients" } ?? "")"
        case .mel(let mel, _): return "\(mel.bins) \(Self.bands(mel))\(slopes)"
        case .mfcc(let cepstrum), .lfcc(let cepstrum):
            return
                "\(cepstrum.bins) cepstral coefficients of \(cepstrum.bank.bins) \(Self.bands(cepstrum.bank))\(slopes)"
        case .musical(let musical):
            let lowest = if case .note(_, let name) = musical.lowest { name } else { "a given pitch" }
            return "\(musical.notes) notes from \(lowest), \(musical.pointsPerNote) points each"
        }
    }

    private static func bands(_ mel: MelConfiguration) -> String {
        (mel.scale == .linear ? "linear bands" : "mel bands (\(mel.scale.rawValue))")
            + ", \(Wording.number(mel.low)) to "
            + (mel.high.map { "\(Wording.number($0)) Hz" } ?? "half the rate")
    }

    private var scale: String {
        let scale = configuration.scale
        let limit = scale.limit.map { ", at most \(Wording.number($0))" } ?? ""
        let top = scale.topDB.map { ", at most \(Wording.number($0)) dB below the peak" } ?? ""
        switch scale.kind {
        case .magnitude, .power, .linear, .complex, .pcen: return scale.units + limit
        case .db, .ln, .log10:
            let name = scale.offset == 0 && scale.factor == 1 ? scale.kind.rawValue : scale.units
            return "\(scale.kind == .db ? scale.units : name), floor \(scale.floor)\(top)\(limit)"
        }
    }

    private var normalize: String {
        let normalize = configuration.normalize
        let axis = normalize.axis == .all ? " over all bins" : ""
        switch normalize.scope {
        case .none: return "not normalised"
        case .clip: return "\(normalize.method.rawValue)\(axis) by clip"
        case .dataset: return "\(normalize.method.rawValue)\(axis) over the dataset"
        }
    }
}
