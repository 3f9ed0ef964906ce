import FeatureModel
import SignalProcessing

/// Rows of a long array that stand for all of them while changes are looked for.
struct Excerpt: Hashable, Sendable {
    /// Rows of the given array.
    let rows: Range<Int>
    /// Whether the greatest value is among them, which limits such as `scale.top_db` depend on.
    let hasMaximum: Bool

    /// Rows by which the given array may start earlier or later.
    static let reach = 8
    /// Recordings up to this many samples are compared as a whole.
    private static let shortest = 1_000_000
    /// Samples that an excerpt covers.
    private static let samples = 320_000

    /// Rows around the greatest value of an array; nil: the recording is short.
    ///
    /// - Parameter samples: The number of the recording's samples, in all of its signals.
    init?(around row: Int? = nil, of matrix: FeatureMatrix, samples: Int) {
        guard samples > Self.shortest, matrix.rows > 0 else { return nil }
        let count = Int(Double(matrix.rows) * Double(Self.samples) / Double(samples))
        guard count >= 50, matrix.rows > 3 * count else { return nil }
        var greatest = (value: -Float.infinity, index: 0)
        for (index, value) in matrix.values.enumerated() where value > greatest.value && value.isFinite {
            greatest = (value, index)
        }
        let maximum = greatest.index / matrix.bins
        let start = min(max((row ?? maximum) - count / 2, 0), matrix.rows - count)
        rows = start..<(start + count)
        hasMaximum = rows.contains(maximum)
    }

    /// Whether a row depends on the samples near it alone.
    func isLocal(_ configuration: FeatureConfiguration) -> Bool {
        let (scale, condition) = (configuration.scale, configuration.condition)
        return !condition.removeDC && !condition.gain.needsWholeClip && condition.dctFilter == nil
            && (scale.topDB == nil && !scale.isRelativeToMaximum || hasMaximum) && scale.kind != .pcen
            && configuration.normalize.scope != .clip
            && configuration.hasRowsOfHops && condition.firstSample != .drop
    }

    /// The samples that the rows need, with `reach` rows and a margin at both ends, as far as there are any, and the row that the
    /// first of them belongs to.
    private func span(_ plan: FeaturePlan, samples: Int) -> (samples: Range<Int>, row: Int) {
        let geometry = plan.geometry
        let length = max(geometry.length, geometry.fftLength)
        // Frames that reach past the excerpt's ends, and the neighbours of deltas.
        let margin = Self.reach + (length + geometry.hop - 1) / geometry.hop + 16
        let row = max(rows.lowerBound - margin, 0)
        let end = min((rows.upperBound + margin) * geometry.hop + 2 * length, samples)
        return (min(row * geometry.hop, end)..<end, row)
    }

    /// Samples of a signal that are analysed for the rows.
    func cost(_ plan: FeaturePlan, samples: Int) -> Int {
        isLocal(plan.configuration) ? span(plan, samples: samples).samples.count : samples
    }

    /// The features of the rows, and of up to `reach` rows at each end; nil: there are none.
    ///
    /// - Parameter change: Changes the samples that are analysed.
    func features(
        _ signals: [[Float]], _ plan: FeaturePlan, change: ([Float]) -> [Float] = { $0 }
    ) throws(SignalError) -> TrialFeatures? {
        let count = signals.first?.count ?? 0
        let span = isLocal(plan.configuration) ? span(plan, samples: count) : (0..<count, 0)
        let matrix = try ExpectedFeatures.rows(of: signals.map { change(Array($0[span.0])) }, plan)
        let first = max(rows.lowerBound - Self.reach, 0)
        let end = min(rows.upperBound + Self.reach, span.1 + matrix.rows)
        guard first >= span.1, first < end else { return nil }
        let values = matrix.values[((first - span.1) * matrix.bins)..<((end - span.1) * matrix.bins)]
        return TrialFeatures(
            FeatureMatrix(bins: matrix.bins, values: Array(values)), lead: rows.lowerBound - first,
            rows: isLocal(plan.configuration) ? plan.frameCount(samples: count) : matrix.rows)
    }
}

extension FeatureConfiguration {
    /// Whether each row is a hop after the one before it, and the first one at the start of the clip.
    var hasRowsOfHops: Bool {
        !rows.isActive && !rows.isResized && patches.length == nil && audio.duration == nil && audio.lead == 0
    }
}
