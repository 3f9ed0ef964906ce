import ArrayFiles
import AudioDecoding
import FeatureModel
import SignalProcessing

/// A recording and its array, ready to be compared.
struct Subject {
    let signals: RecordingSignals
    let plan: FeaturePlan
    let features: FeatureMatrix
    let array: NumericArray
    /// The array as rows of bins; where it ends with rows of one value, without and with them.
    let targets: [Target]

    var target: Target { targets[0] }

    /// The shape that the array should have: rows and bins, in patches or of several channels with an axis more.
    var expectedShape: [Int] {
        let rows = plan.storedExtents(samples: signals.sampleCount)
        guard plan.configuration.audio.channels == .all else { return rows }
        return rows.dropLast() + [signals.signals.count] + rows.suffix(1)
    }

    /// - Returns: Nil where the array cannot be read as rows of bins.
    /// - Throws: `ClipFailure`, `ConfigurationError` or `SignalError`.
    init?(
        _ pair: ConformanceCheck.Pair, _ array: NumericArray, _ configuration: FeatureConfiguration,
        policy: RecordingPolicy, tolerance: Double
    ) throws {
        let signals = try RecordingSignals(pair.clip, path: pair.path, audio: configuration.audio, policy: policy)
        let plan = try FeaturePlan(configuration, sampleRate: Double(signals.rate))
        let features = try ExpectedFeatures.rows(of: signals.signals, plan)
        let layouts = ArrayLayout.candidates(
            array, rows: features.rows, bins: plan.bins, patch: configuration.patches.shape,
            channels: pair.clip.channel == nil ? signals.recording.channels : 1,
            isChannelled: configuration.audio.channels == .all)
        // Where rows and bins are equally many, the values decide.
        func score(_ layout: ArrayLayout) -> Double {
            Target(layout, tolerance: tolerance).fit(TrialFeatures(features), changes: 0, shifts: 0...0)?.score
                ?? .infinity
        }
        guard let first = layouts.first else { return nil }
        let layout = layouts.count == 1 ? first : layouts.min { score($0) < score($1) } ?? first
        let cut = layout.withoutPadding(after: features.rows)
        (self.signals, self.plan, self.features, self.array) = (signals, plan, features, array)
        targets = (cut == layout ? [layout] : [cut, layout]).map { Target($0, tolerance: tolerance) }
    }
}

extension Subject {
    /// Writes into a result how the array compares without any change.
    func compare(_ result: inout RecordingResult, tolerance: Double) {
        result.givenShape = array.shape
        result.expectedShape = expectedShape
        result.expectedRows = features.rows
        result.expectedBins = features.bins
        let recorded = signals.recording.sampleRate
        if recorded != signals.rate { result.resampledFrom = recorded }
        result.layout = target.layout
        result.precision = target.precision.map { ($0, target.rounding) }
        guard features.rows > 0 else {
            result.obstacle = .noRows
            return
        }
        let given = target.matrix
        func isConstant(_ matrix: FeatureMatrix) -> Bool { matrix.values.allSatisfy { $0 == matrix.values[0] } }
        if isConstant(given), !isConstant(features) { result.obstacle = .oneValue(given.values[0]) }
        guard given.bins == features.bins else { return }
        // Rows as they come; if all are there but one at the start is missing, the search says so.
        let rows = RowAlignment(shift: 0, expectedRows: features.rows, givenRows: given.rows)
        let exact = ValueFit(model: .exact, factor: [1], offset: [0], rows: rows, residue: 0)
        let difference = target.difference(TrialFeatures(features), exact)
        (result.rows, result.difference) = (rows, difference)
        result.hasEqualValues = difference.isEqual(tolerance: tolerance)
        result.isEqual = result.hasEqualValues && rows.isComplete && target.layout.steps.isEmpty
    }

    /// How far the array is off with an explanation that was found with another one, by the same factors and offsets; empty: it cannot
    /// be compared with it, or rows are left without a partner that the explanation leaves none of there.
    func difference(_ explanation: Explanation) throws -> [ValueDifference] {
        let configuration = explanation.configuration
        let kind = RecordingSignals.Kind(
            configuration.audio.channels, configuration.audio.resampler,
            isOwnRate: explanation.variations.contains { $0.ignoresRate })
        var decoded = signals
        guard let samples = decoded.signals([kind])[kind] else { return [] }
        let plan = try FeaturePlan(configuration, sampleRate: Double(signals.rate))
        guard plan.bins * samples.count == target.matrix.bins else { return [] }
        let features = TrialFeatures(try ExpectedFeatures.rows(of: samples, plan))
        return targets.compactMap { target in
            let rows = RowAlignment(
                shift: explanation.fit.rows.shift, expectedRows: features.rows, givenRows: target.matrix.rows)
            let fit = explanation.fit
            guard rows.isNearlyComplete, rows.isComplete || !fit.rows.isComplete, rows.count > 0 else { return nil }
            return target.difference(
                features,
                ValueFit(model: fit.model, factor: fit.factor, offset: fit.offset, rows: rows, residue: fit.residue))
        }
    }
}
