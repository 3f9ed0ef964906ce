import FeatureModel
import SignalProcessing

/// Rows of digital silence: those whose frames hold one value alone, 0 or another one. Noise that was added to the samples is all that
/// changes in them.
enum SilentRows {
    /// The rows of a signal; none where rows are not a hop each.
    static func rows(of samples: [Float], _ plan: FeaturePlan) -> [Int] {
        guard plan.configuration.hasRowsOfHops, !samples.isEmpty else { return [] }
        let geometry = plan.geometry
        // A sample more at both ends, wherever the window is within the points of the transform.
        let reach = max(geometry.length, geometry.fftLength) / 2 + 1
        let middle = Int((plan.firstFrameTime * plan.sampleRate).rounded())
        let count = plan.frameCount(samples: samples.count)
        var (rows, start): ([Int], Int) = ([], 0)
        for end in 1...samples.count where end == samples.count || samples[end] != samples[start] {
            if end - start >= 2 * reach {
                let first = max(start + reach - middle + geometry.hop - 1, 0) / geometry.hop
                let past = min((end - reach - middle) / geometry.hop + 1, count)
                if end - reach >= middle, first < past { rows += first..<past }
            }
            start = end
        }
        return rows
    }
}
