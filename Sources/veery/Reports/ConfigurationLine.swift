import FeatureModel

/// A configuration in a few words.
struct ConfigurationLine {
    private let configuration: FeatureConfiguration

    init(_ configuration: FeatureConfiguration) { self.configuration = configuration }

    /// `16000 Hz, mix · 400/160 frames, FFT 512, hann · mel 80, 0–8000 Hz · ln · zscore over train`
    var text: String { [audio, frame, transform, scale, normalize].joined(separator: " · ") }

    private var audio: String {
        let rate = configuration.audio.sampleRate.map { "\($0) Hz" } ?? "the files' rate"
        let channels =
            switch configuration.audio.channels {
            case .mix: "channels mixed"
            case .first: "first channel"
            case .number(let number): "channel \(number)"
            }
        return "\(rate), \(channels)\(configuration.audio.scale == .int16 ? ", 16-bit scale" : "")"
    }

    private var frame: String {
        let frame = configuration.frame
        let size = frame.fftLength.map { ", \($0) points" } ?? ""
        let align = frame.align == .center ? ", centred" : ""
        return "frames of \(frame.length) every \(frame.hop)\(size), \(frame.window.rawValue)\(align)"
    }

    private var transform: String {
        switch configuration.transform {
        case .fft(let bins): "FFT\(bins.map { ", \($0) bins" } ?? "")"
        case .dct(let bins): "DCT-II\(bins.map { ", \($0) coefficients" } ?? "")"
        case .mel(let mel):
            "\(mel.bins) mel bands (\(mel.scale.rawValue)), \(Wording.number(mel.low)) to "
                + (mel.high.map { "\(Wording.number($0)) Hz" } ?? "half the rate")
        }
    }

    private var scale: String {
        let scale = configuration.scale
        switch scale.kind {
        case .magnitude, .power: return scale.kind.rawValue
        case .db, .ln, .log10: return "\(scale.kind == .db ? "dB" : scale.kind.rawValue), floor \(scale.floor)"
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
