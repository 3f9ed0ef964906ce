import FeatureModel
import Presentation

/// A configuration in a few words, without usual settings.
struct ConfigurationLine {
    let configuration: FeatureConfiguration

    /// `16000 Hz, channels mixed · frames of 400 every 160, 512 points, hann · 80 mel bands (slaney, area 1), 0 to 8000 Hz · ln,
    /// floor 1e-10 · zscore over the dataset, fit train`
    func text(_ style: ReportStyle) -> String {
        [audio, condition, frame, transform, scale, normalize, resizing, rows, patches].filter { !$0.isEmpty }
            .joined(separator: style.isUnicode ? " · " : "; ")
    }

    private var audio: String {
        let audio = configuration.audio
        let rate = audio.sampleRate.map { "\($0) Hz" } ?? "the files' rate"
        let channels =
            switch audio.channels {
            case .mix: "channels mixed"
            case .first: "first channel"
            case .all: "all channels"
            case .number(let number): "channel \(number)"
            }
        let fit =
            switch audio.fit {
            case nil, .zero: ""
            case .repeat: ", short clips repeated"
            case .keep: " at most"
            case .repeatPad: ", short clips repeated, then zeros"
            }
        let crop = audio.crop == .center ? ", the middle of long clips" : ""
        let duration = audio.duration.map { ", \(Wording.number($0)) s\(fit)\(crop)" } ?? ""
        let minimum = audio.minimum.map { ", \(Wording.number($0)) s at least" } ?? ""
        let multiple = audio.multiple == 1 ? "" : ", zeros to a multiple of \(Wording.count(audio.multiple, "sample"))"
        let lead = audio.lead == 0 ? "" : ", \(Wording.count(audio.lead, "zero")) in front"
        return
            "\(rate), \(channels)\(audio.scale == .int16 ? ", 16-bit scale" : "")\(duration)\(minimum)\(multiple)\(lead)"
    }

    private var condition: String {
        let condition = configuration.condition
        let filter = condition.dctFilter.map { filter in
            "\(filter.mode == .bandPass ? "band-pass" : "band-stop") \(filter.low) to \(filter.high)"
                + (filter.pages == .separate ? " in separate pages" : "")
        }
        let gain: String? =
            switch condition.gain {
            case .none: nil
            case .peak(let level): "peak \(Wording.number(level))"
            case .minmax: "range -1 to 1"
            case .zscore: "mean 0 and variance 1"
            case .rms: "RMS 1"
            case .int16: "16-bit steps"
            case .clamp(let level): "samples cut to \(Wording.number(-level)) to \(Wording.number(level))"
            }
        var steps = Self.steps(removeDC: condition.removeDC, preEmphasis: condition.preEmphasis)
        switch condition.firstSample {
        case .keep: break
        case .drop: steps[steps.count - 1] += " without the first sample"
        case .reflect: steps[steps.count - 1] += " (mirrored at the first sample)"
        }
        steps.insert(contentsOf: [gain, filter].compactMap { $0 }, at: condition.removeDC ? 1 : 0)
        return steps.joined(separator: ", ")
    }

    private var frame: String {
        let frame = configuration.frame
        let size = frame.fftLength.map { ", \($0) points" } ?? ", next power of 2 points"
        let window = frame.window.name + (frame.symmetric ? " (symmetric)" : "")
        let left = frame.windowPosition == .left ? " with the window at the start" : ""
        let align =
            switch frame.align {
            case .start:
                (frame.windowPosition == .center ? ", in the middle" : "")
                    + (frame.padEnd ? ", completed with zeros" : "")
                    + (frame.lookahead == 0
                        ? "" : ", each followed by \(Wording.count(frame.lookahead, "further sample"))")
            case .center: ", centred\(left), \(Self.ends(frame.pad))" + (frame.dropLast ? ", the last left out" : "")
            case .half: ", centred in each hop\(left), \(Self.ends(frame.pad))"
            case .kaldi, .lhotse: ", mirrored at the ends"
            }
        let steps = Self.steps(removeDC: frame.removeDC, preEmphasis: frame.preEmphasis).map { ", \($0)" }.joined()
        let rounding =
            switch frame.rounding {
            case .nearest: ""
            case .even: " (halves of samples to even)"
            case .down: " (in whole samples, rounded down)"
            }
        return "frames of \(frame.length) every \(frame.hop)\(rounding)\(size), \(window)\(align)\(steps)"
    }

    private static func steps(removeDC: Bool, preEmphasis: Double) -> [String] {
        (removeDC ? ["without mean"] : []) + (preEmphasis != 0 ? ["pre-emphasis \(preEmphasis)"] : [])
    }

    private var transform: String {
        switch configuration.transform.method {
        case .fft(let spectrum):
            let edges =
                (spectrum.low.map { " from \($0)" } ?? "") + (spectrum.high.map { " up to \($0)" } ?? "")
            return "FFT\(edges)\(spectrum.bins.map { ", \($0) bins" } ?? "")"
                + (spectrum.step > 1 ? ", one of \(spectrum.step)" : "")
        case .dct(let bins, let type, let norm):
            let name = ["I", "II", "III", "IV"][type.rawValue - 1] + (norm == .ortho ? " (ortho)" : "")
            return "DCT-\(name)\(bins.map { ", \($0) coefficients" } ?? "")"
        case .mel(let mel, let deltas): return "\(mel.bins) \(Self.bands(mel))\(Self.slopes(deltas))"
        case .mfcc(let cepstrum), .lfcc(let cepstrum):
            return "\(cepstrum.bins) cepstral coefficients of \(cepstrum.bank.bins) \(Self.bands(cepstrum.bank))"
                + Self.details(of: cepstrum) + Self.slopes(cepstrum.deltas)
        case .raw: return "samples"
        case .musical(let musical):
            let lowest =
                switch musical.lowest {
                case .note(_, let name): name
                case .hertz(let frequency): "\(Wording.number(frequency)) Hz"
                }
            let tuning = musical.tuning == 440 ? "" : ", A4 at \(Wording.number(musical.tuning)) Hz"
            return "\(musical.notes) notes from \(lowest), \(musical.pointsPerNote) points each\(tuning)"
        }
    }

    private static func ends(_ pad: EdgePadding) -> String {
        switch pad {
        case .reflect: "mirrored at the ends"
        case .edge: "the ends repeated"
        case .zero: "zeros past the ends"
        }
    }

    private static func bands(_ mel: MelConfiguration) -> String {
        var traits = mel.scale == .linear ? [] : [mel.scale.rawValue]
        traits.append(mel.norm == .slaney ? "area 1" : "peak 1")
        switch mel.triangles {
        case .hertz: break
        case .mel: traits.append("triangles in mel")
        case .symmetric: traits.append("symmetric triangles")
        }
        switch mel.spectrum {
        case .power: break
        case .magnitude: traits.append("of magnitudes")
        case .real: traits.append("of real parts")
        }
        if mel.order == .descending { traits.append("highest first") }
        if let factor = mel.warp.factor { traits.append("warped by \(Wording.number(factor))") }
        return "\(mel.scale == .linear ? "linear" : "mel") bands (\(traits.joined(separator: ", "))), "
            + "\(Wording.number(mel.low)) to " + (mel.high.map { "\(Wording.number($0)) Hz" } ?? "half the rate")
    }

    private static func details(of cepstrum: CepstrumConfiguration) -> String {
        let norm =
            switch cepstrum.norm {
            case .ortho: ""
            case .htk: ", scaled as in HTK"
            case .none: ", not scaled"
            }
        let zeroth =
            switch cepstrum.zeroth {
            case .first: ""
            case .last: ", c0 last"
            case .energy: ", \(cepstrum.energy == .windowed ? "the windowed frame's " : "")energy for c0"
            case .none: ", without c0"
            }
        return norm + (cepstrum.lifter == 0 ? "" : ", lifter \(Wording.number(cepstrum.lifter))") + zeroth
    }

    private static func slopes(_ deltas: DeltaConfiguration) -> String {
        guard deltas.order > 0 else { return "" }
        let window = deltas.window == 2 ? "" : " over \(deltas.window) rows to each side"
        return ", with deltas\(deltas.order == 2 ? " and delta-deltas" : "")\(window)"
    }

    private var scale: String {
        let scale = configuration.scale
        let limit = scale.limit.map { ", at most \(Wording.number($0))" } ?? ""
        let top = scale.topDB.map { ", at most \(Wording.number($0)) dB below the peak" } ?? ""
        let reference =
            scale.isRelativeToMaximum
            ? ", relative to the clip's maximum"
            : scale.reference == 1 ? "" : ", reference \(Wording.number(scale.reference))"
        switch scale.kind {
        case .magnitude, .power, .linear, .complex: return scale.units + reference + limit
        case .pcen:
            let parameters = scale.pcen.map { pcen in
                [("gain", pcen.gain), ("bias", pcen.bias), ("power", pcen.power), ("eps", pcen.epsilon)]
                    .map { "\($0) \(Wording.number($1))" }.joined(separator: ", ")
                    + ", \(Wording.number(pcen.timeConstant)) s"
            }
            return scale.units + (parameters.map { " (\($0))" } ?? "") + reference + limit
        case .db, .ln, .log10:
            let name = scale.offset == 0 && scale.factor == 1 ? scale.kind.rawValue : scale.units
            let floor = scale.guarding == .add ? "\(scale.floor) added" : "floor \(scale.floor)"
            return "\(scale.kind == .db ? scale.units : name), \(floor)\(reference)\(top)\(limit)"
        }
    }

    private var normalize: String {
        let normalize = configuration.normalize
        let axis = normalize.axis == .all ? " over all bins" : ""
        let root = normalize.epsilonPlacement == .variance ? " in the variance" : ""
        let spread =
            (normalize.ddof == 0 ? "" : ", ddof \(normalize.ddof)")
            + (normalize.epsilon == 0 ? "" : ", epsilon \(normalize.epsilon)\(root)")
        switch normalize.scope {
        case .none: return "not normalised"
        case .clip: return "\(normalize.method.rawValue)\(axis) by clip\(spread)\(minimum)"
        case .dataset:
            let fit = normalize.fit.isEmpty ? "" : ", fit \(normalize.fit)"
            return "\(normalize.method.rawValue)\(axis) over the dataset\(fit)\(spread)\(minimum)"
        case .constant:
            if let (mean, std) = normalize.constants { return "normalised by mean \(mean) and std \(std)\(minimum)" }
            return "normalised by constants of \(Wording.count(normalize.constantColumns ?? 0, "column"))\(minimum)"
        }
    }

    /// What low values are raised to, with a comma before it.
    private var minimum: String {
        configuration.normalize.minimum.map { ", at least \(Wording.number($0))" } ?? ""
    }

    private var patches: String {
        guard let patch = configuration.patches.shape else { return "" }
        let hop = patch.overlaps ? " every \(patch.hop)" : ""
        let rest =
            switch configuration.patches.rest {
            case .drop: ""
            case .fill: ", the last filled with \(fill)"
            case .zeros: ", zeros after the samples"
            case .repeat: ", the last row repeated"
            }
        return (patch.isStacked ? "\(patch.length) rows stacked" : "patches of \(patch.length) rows") + hop + rest
            + (patch.lead == 0 ? "" : ", the first row \(Wording.count(patch.lead, "time")) more in front")
    }

    /// What added rows hold.
    private var fill: String {
        let rows = configuration.rows
        return rows.fillsWithLeast ? "the clip's least value" : Wording.number(rows.fill)
    }

    private var resizing: String {
        let rows = configuration.rows
        guard rows.isResized else { return "" }
        let factor = rows.resize.map { "\(Wording.number($0)) times as many rows" }
        let bins = rows.resizeBins.map { Wording.count($0, "column") }
        let multiple = rows.resizeMultiple > 1 ? ", in multiples of \(rows.resizeMultiple)" : ""
        let method = rows.resizeMethod == .bilinear ? "" : ", \(rows.resizeMethod.rawValue)"
        return "resized to " + [factor, bins].compactMap(\.self).joined(separator: " and ") + multiple + method
    }

    private var rows: String {
        let rows = configuration.rows
        guard rows.isActive else { return "" }
        let number = rows.count.map { "\($0) rows" } ?? "rows in multiples of \(rows.multiple)"
        let order = rows.fillOrder == .before && configuration.normalize.scope != .none ? " before normalisation" : ""
        return "\(number), filled with \(fill)\(order)"
    }
}

extension WindowFunction {
    /// Its name, with its parameter.
    var name: String {
        let parameter =
            switch self {
            case .kaiser(let beta): " of beta \(Wording.number(beta))"
            case .gaussian(let sigma): " of sigma \(Wording.number(sigma))"
            case .tukey(let alpha): " of alpha \(Wording.number(alpha))"
            default: ""
            }
        return kind.rawValue.replacing("_", with: " ") + parameter
    }
}
