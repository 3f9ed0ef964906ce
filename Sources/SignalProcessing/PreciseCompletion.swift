import FeatureModel

/// The steps of `RowCompletion` in double precision, a row at a time: the peak's, cepstra, slopes over time.
///
/// Nothing is allocated after `init`. Not safe to use from two threads at once.
final class PreciseCompletion {
    /// The row that is finished.
    let finished: DoubleBuffer

    private let bands: Int
    private var peak: PeakSteps<Double>
    private let cepstrum: CepstrumConfiguration?
    /// A row of weights for each coefficient, one after another.
    private let matrix: [Double]
    private let stages: DeltaStages<Double>
    /// A row before the slopes; without them, it is finished.
    private let completed: DoubleBuffer
    /// A row of bands, after the peak's step.
    private let raised: DoubleBuffer

    /// Allocates every buffer.
    ///
    /// - Throws: `SignalError.outOfMemory`.
    init(_ plan: FeaturePlan) throws(SignalError) {
        bands = plan.spectrumBins
        peak = PeakSteps(plan)
        cepstrum = plan.configuration.transform.cepstrum
        matrix = cepstrum.map { Cepstrum.weights($0).flatMap(\.self) } ?? []
        let deltas = plan.configuration.transform.deltas
        let width = cepstrum?.bins ?? bands
        stages = try DeltaStages(order: deltas.order, window: deltas.window, columns: width)
        completed = try DoubleBuffer(count: stages.isEmpty ? 0 : width)
        raised = try DoubleBuffer(count: bands)
        finished = try DoubleBuffer(count: plan.computedBins)
    }

    /// Starts a clip with the maximum of all its streamed rows.
    func start(peak maximum: Double) {
        peak.start(peak: maximum)
        stages.reset()
    }

    /// Takes a streamed row; returns whether `finished` holds one.
    func push(_ row: UnsafePointer<Double>) -> Bool {
        let target = stages.isEmpty ? finished.pointer : completed.pointer
        let (threshold, lowering) = (peak.threshold, peak.lowering)
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
        return stages.isEmpty || stages.push(target, into: finished.pointer)
    }

    /// Makes `finished` one of the remaining rows at the end; false: none is left.
    func flush() -> Bool { stages.flush(into: finished.pointer) }
}
