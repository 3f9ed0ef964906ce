import FeatureModel
import Manifests
import Presentation

/// The maximum frequency of a picture, if that is below half the recording's sample rate.
struct PictureEnd {
    /// In Hz; nil: all frequencies are shown, or values have none.
    let hertz: Double?
    /// The part of `--band` that the recording has, in Hz; nil: all.
    private let band: ClosedRange<Double>?
    private let recorded: Double
    private let analysedAt: Int?

    /// A picture that ends this close to half the sample rate shows all.
    private static let nearly = 0.97

    init(_ configuration: FeatureConfiguration?, highest: Double?, sampleRate: Int, band: ClosedRange<Double>? = nil) {
        recorded = Double(sampleRate) / 2
        self.band = band.flatMap { [recorded] band in
            let isAll = band.lowerBound <= 0 && band.upperBound >= Self.nearly * recorded
            return isAll || highest == nil ? nil : min(band.lowerBound, recorded)...min(band.upperBound, recorded)
        }
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

    /// The text after "recorded at … Hz"; empty: all is shown.
    var words: String {
        if let band {
            let upper = min(band.upperBound, hertz ?? band.upperBound)
            return ", shown from \(Wording.number(band.lowerBound.rounded())) to \(Wording.number(upper.rounded())) Hz"
        }
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
    /// The maximum frequency in Hz; nil: bins have none.
    var highest: Double? {
        guard case .frequency(let values) = self else { return nil }
        return values.max().map(Double.init)
    }
}
