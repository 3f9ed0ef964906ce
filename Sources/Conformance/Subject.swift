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
    /// Where the array has a column more than the features, and it is not known which: without its first and without its last one.
    let narrow: [Target]
    /// Whether the column that was left out holds the logarithms of the frames' energies.
    let isEnergyLeftOut: Bool

    var target: Target { targets[0] }

    /// The shape that the array should have: rows and bins, in patches or of several channels with an axis more.
    var expectedShape: [Int] {
        let rows = plan.storedExtents(samples: signals.sampleCount)
        guard plan.configuration.audio.channels == .all else { return rows }
        return rows.dropLast() + [signals.signals.count] + rows.suffix(1)
    }

    /// - Parameter isSingle: Whether an array of one value has single precision, as the others have.
    /// - Returns: Nil where the array cannot be read as rows of bins.
    /// - Throws: `ClipFailure`, `ConfigurationError` or `SignalError`.
    init?(
        _ pair: ConformanceCheck.Pair, _ array: NumericArray, _ configuration: FeatureConfiguration,
        policy: RecordingPolicy, tolerance: Double, isSingle: Bool = false
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
        // Only logarithms, and what is normalised, have a unit of their own, against which values are rounding.
        let isOfConstant =
            (configuration.scale.kind.isLogarithmic || configuration.normalize.scope == .clip)
            && ValueRange.isRounding(features)
        func target(_ layout: ArrayLayout) -> Target {
            let isConstant = layout.matrix.isConstant
            return Target(
                layout, tolerance: tolerance, isOfConstant: isOfConstant, isSingle: isSingle && isConstant)
        }
        let whole = (cut == layout ? [layout] : [cut, layout]).map(target)
        guard plan.filterBank != nil, configuration.transform.cepstrum == nil, signals.signals.count == 1,
            cut.matrix.bins == features.bins + 1, cut.matrix.rows > 0
        else {
            (targets, narrow, isEnergyLeftOut) = (whole, [], false)
            return
        }
        let found = [ArrayLayout.Step.firstColumn, .lastColumn].compactMap { step in
            cut.without(step).map { (step: step, target: target($0)) }
        }
        for (step, target) in found {
            let column = cut.matrix.column(step == .firstColumn ? 0 : cut.matrix.bins - 1)
            let isEnergy = FrameEnergy.isHeld(
                by: column, signals.signals, configuration, rate: Double(signals.rate), tolerance: tolerance)
            guard isEnergy || target.isEqual(features) else { continue }
            (targets, narrow, isEnergyLeftOut) = ([target], [], isEnergy)
            return
        }
        (targets, narrow, isEnergyLeftOut) = (whole, found.map(\.target), false)
    }
}

extension FeatureMatrix {
    /// Whether all values are the same.
    fileprivate var isConstant: Bool { values.allSatisfy { $0 == values[0] } }

    fileprivate func column(_ bin: Int) -> FeatureMatrix {
        FeatureMatrix(bins: 1, values: (0..<rows).map { values[$0 * bins + bin] })
    }
}

extension Target {
    /// Whether the array has the values of features as they come.
    fileprivate func isEqual(_ features: FeatureMatrix) -> Bool {
        let fit = ValueFit.unchanged(expectedRows: features.rows, givenRows: matrix.rows)
        return difference(TrialFeatures(features), fit).isEqual(tolerance: tolerance)
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
        (result.layout, result.isEnergyLeftOut) = (target.layout, isEnergyLeftOut)
        result.isConstant = target.matrix.isConstant
        result.precision = target.precision.map { ($0, target.rounding) }
        guard features.rows > 0 else {
            result.obstacle = .noRows
            return
        }
        let given = target.matrix
        guard given.values.contains(where: \.isFinite) else {
            result.obstacle = .noFiniteValue
            return
        }
        if given.isConstant, !features.isConstant, !target.isOfConstant { result.obstacle = .oneValue(given.values[0]) }
        guard given.bins == features.bins else { return }
        // Rows as they come; if all are there but one at the start is missing, the search says so.
        let fit = ValueFit.unchanged(expectedRows: features.rows, givenRows: given.rows)
        let (rows, difference) = (fit.rows, target.difference(TrialFeatures(features), fit))
        (result.rows, result.difference) = (rows, difference)
        result.hasEqualValues = difference.isEqual(tolerance: tolerance)
        result.isEqual =
            result.hasEqualValues && rows.isComplete
            && target.layout.steps.allSatisfy(\.isOfAxes)
    }

    /// Whether what the array is off by looks like what single precision loses, and is no more than that.
    func isOfSinglePrecision(_ difference: ValueDifference) -> Bool {
        let configuration = plan.configuration
        guard difference.typical <= target.tolerance, configuration.scale.kind.isLogarithmic,
            configuration.transform.cepstrum == nil,
            let unnormalized = try? configuration.with(normalize: NormalizeConfiguration.none),
            let plan = try? FeaturePlan(unnormalized, sampleRate: Double(signals.rate)),
            let levels = try? ExpectedFeatures.rows(of: signals.signals, plan)
        else { return false }
        return SinglePrecision.isLikely(expected: features, given: target.matrix, levels: levels)
    }

    /// The part of the recording whose rows the array has, where it has fewer; nil: none fits clearly better than all others.
    var part: RecordingPart? {
        let given = target.matrix
        guard plan.configuration.hasRowsOfHops, let first = RecordingPart.firstRow(of: given, in: features) else {
            return nil
        }
        let (hop, rate) = (plan.geometry.hop, Double(signals.rate))
        // Hops that have so many rows: fewer or more than rows, as frames are placed.
        var hops = given.rows
        for _ in 0..<Self.mostHops {
            let rows = plan.frameCount(samples: hops * hop)
            guard rows != given.rows, hops > 0 else { break }
            hops += rows < given.rows ? 1 : -1
        }
        let start = signals.start + Double(first * hop) / rate
        return RecordingPart(
            rows: first..<(first + given.rows), start: start, end: start + Double(hops * hop) / rate)
    }

    /// Hops by which a clip may be longer or shorter than its rows.
    private static var mostHops: Int { 64 }

    /// Whether the column that one of `narrow` is without holds energies, for the frames of an explanation.
    func isEnergyLeftOut(of target: Target, _ explanation: Explanation) -> Bool {
        let matrix = self.target.matrix
        let bin = target.layout.steps.contains(.firstColumn) ? 0 : matrix.bins - 1
        return FrameEnergy.isHeld(
            by: matrix.column(bin), signals.signals, explanation.configuration, rate: Double(signals.rate),
            tolerance: target.tolerance)
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
        let plan = try FeaturePlan(
            configuration, sampleRate: Double(signals.rate), frameShift: explanation.variations.frameShift)
        let features = TrialFeatures(try ExpectedFeatures.rows(of: samples, plan))
        return (targets + narrow).compactMap { target in
            let rows = RowAlignment(
                shift: explanation.fit.rows.shift, expectedRows: features.rows, givenRows: target.matrix.rows)
            let fit = explanation.fit
            guard features.matrix.bins == target.matrix.bins else { return nil }
            guard rows.isNearlyComplete, rows.isComplete || !fit.rows.isComplete, rows.count > 0 else { return nil }
            return target.difference(
                features,
                ValueFit(model: fit.model, factor: fit.factor, offset: fit.offset, rows: rows, residue: fit.residue))
        }
    }
}
