import FeatureModel
import SignalProcessing

/// The logarithm of each frame's energy, which Kaldi writes next to the bins of a filter bank.
enum FrameEnergy {
    private static let kinds = [
        "transform.c0=energy",
        "transform.c0=energy transform.energy=windowed",
        // The default of torchaudio's kaldi.fbank.
        "transform.c0=energy transform.energy_floor=1",
        "transform.c0=energy transform.energy=windowed transform.energy_floor=1",
    ]

    /// Whether a column holds it, for the frames of a configuration.
    static func isHeld(
        by column: FeatureMatrix, _ signals: [[Float]], _ configuration: FeatureConfiguration, rate: Double,
        tolerance: Double
    ) -> Bool {
        let fit = ValueFit.unchanged(expectedRows: column.rows, givenRows: column.rows)
        let range = ValueRange(column)
        return kinds.contains { kind in
            let variation = Variation("transform.kind=mfcc transform.bins=1 " + kind)
            guard let changed = variation.applied(to: configuration),
                let plan = try? FeaturePlan(changed, sampleRate: rate),
                let energy = try? ExpectedFeatures.rows(of: signals, plan),
                energy.bins == 1, energy.rows == column.rows
            else { return false }
            return ValueDifference(expected: energy, given: column, fit, rows: fit.rows, range: range)
                .isEqual(tolerance: tolerance)
        }
    }
}
