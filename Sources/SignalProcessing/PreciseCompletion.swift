import FeatureModel

/// The steps of `RowCompletion` in double precision, a row at a time: the peak's, cepstra, slopes over time.
///
/// Nothing is allocated after `init`. Not safe to use from two threads at once.
final class PreciseCompletion {
    /// The row that is finished.
    let finished: DoubleBuffer

    private let bands: Int
    private let range: Double?
    private let reference: Double?
    private let cepstrum: CepstrumConfiguration?
    /// A row of weights for each coefficient, one after another.
    private let matrix: [Double]
    private let stages: [DeltaStage<Double>]
    /// A row before each delta stage.
    private let before: [DoubleBuffer]
    /// A row of bands, after the peak's step.
    private let raised: DoubleBuffer
    private var threshold = -Double.infinity
    private var lowering = 0.0
    /// The first stage that may have rows left at the end.
    private var flushed = 0

    /// Allocates every buffer.
    ///
    /// - Throws: `SignalError.outOfMemory`.
    init(_ plan: FeaturePlan) throws(SignalError) {
        bands = plan.spectrumBins
        range = plan.topRange
        reference = plan.peakReference
        cepstrum = plan.configuration.transform.cepstrum
        matrix = cepstrum.map { Cepstrum.weights($0).flatMap(\.self) } ?? []
        let deltas = plan.configuration.transform.deltas
        let width = cepstrum?.bins ?? bands
        var stages: [DeltaStage<Double>] = []
        var before: [DoubleBuffer] = []
        for order in 0..<deltas.order {
            let columns = order * width..<(order + 1) * width
            stages.append(try DeltaStage(width: columns.upperBound, columns: columns, window: deltas.window))
            before.append(try DoubleBuffer(count: columns.upperBound))
        }
        self.stages = stages
        self.before = before
        raised = try DoubleBuffer(count: bands)
        finished = try DoubleBuffer(count: plan.computedBins)
    }

    /// Starts a clip with the maximum of all its streamed rows.
    func start(peak: Double) {
        threshold = range.map { peak - $0 } ?? -.infinity
        lowering = reference.map { peak - $0 } ?? 0
        flushed = 0
        for stage in stages { stage.reset() }
    }

    /// Takes a streamed row; returns whether `finished` holds one.
    func push(_ row: UnsafePointer<Double>) -> Bool {
        let target = before.first?.pointer ?? finished.pointer
        let bounded = cepstrum == nil ? target : raised.pointer
        // What is not a number remains so.
        for band in 0..<bands { bounded[band] = (row[band] < threshold ? threshold : row[band]) - lowering }
        if let cepstrum {
            for coefficient in 0..<cepstrum.bins {
                var sum = 0.0
                for band in 0..<bands { sum += matrix[coefficient * bands + band] * bounded[band] }
                target[coefficient] = sum
            }
            // The energy after the bands is not compared with their peak.
            if cepstrum.zeroth == .energy { target[0] = row[bands] }
        }
        return pass(from: 0)
    }

    /// Makes `finished` one of the remaining rows at the end; false: none is left.
    func flush() -> Bool {
        while flushed < stages.count {
            if stages[flushed].flush(into: output(of: flushed)) {
                if pass(from: flushed + 1) { return true }
            } else {
                flushed += 1
            }
        }
        return false
    }

    /// Passes the row before stage `index` through that stage and the later ones; returns whether it is finished.
    private func pass(from index: Int) -> Bool {
        for stage in index..<stages.count {
            guard stages[stage].push(before[stage].pointer, into: output(of: stage)) else { return false }
        }
        return true
    }

    /// Where stage `index` writes its rows.
    private func output(of index: Int) -> UnsafeMutablePointer<Double> {
        index + 1 < stages.count ? before[index + 1].pointer : finished.pointer
    }
}
