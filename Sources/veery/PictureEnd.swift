import FeatureModel
import FeaturePipeline
import Manifests

/// Where the frequencies of a picture end, if that is below what was recorded.
struct PictureEnd {
    /// In Hz; nil: all that was recorded is shown, or values have no frequency.
    let hertz: Double?
    /// Half the recording's sample rate, in Hz.
    private let recorded: Double
    private let analysedAt: Int?

    /// A picture that ends this close to half the sample rate shows all.
    private static let nearly = 0.97

    /// - Parameters:
    ///   - configuration: What is computed; nil: not known.
    ///   - highest: The centre of the highest bin, in Hz; nil: bins have no frequency.
    ///   - sampleRate: Of the recording, in Hz.
    init(_ configuration: FeatureConfiguration?, highest: Double?, sampleRate: Int) {
        recorded = Double(sampleRate) / 2
        let rate = configuration?.audio.sampleRate ?? sampleRate
        analysedAt = rate < sampleRate ? rate : nil
        guard let highest else {
            hertz = nil
            return
        }
        // The highest band reaches beyond its centre.
        let end = configuration?.transform.bank.map { $0.high ?? Double(rate) / 2 } ?? highest
        hertz = end < Self.nearly * recorded ? end : nil
    }

    /// To go on with behind "recorded at … Hz"; empty: all is shown.
    var words: String {
        if let hertz { return ", shown up to \(Wording.number(hertz.rounded())) Hz" }
        return analysedAt.map { ", analysed at \($0) Hz" } ?? ""
    }

    /// A sentence; nil: all is shown.
    var note: String? {
        hertz.map {
            "the recording has frequencies up to \(Wording.number(recorded)) Hz, the picture ends at "
                + "\(Wording.number($0.rounded())) Hz; --preset spectrogram shows all"
        }
    }
}

extension FeatureAxis {
    /// The greatest frequency in Hz; nil: bins have none.
    var highest: Double? {
        guard case .frequency(let values) = self else { return nil }
        return values.max().map(Double.init)
    }
}
