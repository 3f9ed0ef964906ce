import FeatureModel
import SignalProcessing

/// What a pane has to know of the rows that it shows.
struct PaneSource {
    /// Values in a row.
    let bins: Int
    /// Seconds from a row to the next.
    let framePeriod: Double
    /// How values are shown.
    let meter: ValueMeter
    /// The frequencies of bins.
    let labels: FrequencyLabels
    /// In Hz; empty where bins have none.
    let frequencies: [Float]
    /// What is computed.
    let configuration: FeatureConfiguration

    /// - Parameters:
    ///   - plan: What is computed.
    ///   - bins: Values in a row, as they come.
    init(_ plan: FeaturePlan, bins: Int) {
        self.bins = bins
        framePeriod = plan.framePeriod
        configuration = plan.configuration
        // Rows whose last steps need the whole clip are those before: bands instead of their cepstra.
        let isSpectrum = plan.configuration.transform.cepstrum == nil || plan.needsWholeClip
        meter = ValueMeter(plan.configuration, geometry: plan.geometry, isSpectrum: isSpectrum)
        let hasAxis = bins == plan.axis.values.count
        labels = FrequencyLabels(hasAxis ? plan.axis : .coefficient([]), bins: bins)
        frequencies = labels.hasFrequencies ? plan.frequencies : []
    }
}
