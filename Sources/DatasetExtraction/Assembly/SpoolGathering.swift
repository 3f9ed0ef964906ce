import ClipSpool
import Concurrency
import FeatureModel
import FeatureStorage
import Manifests
import SignalProcessing

/// The passes over a spool before anything is written: statistics, and which clips can be stored.
struct SpoolGathering: Sendable {
    let source: any ClipSource
    let plan: FeaturePlan
    let spool: Spool
    let index: SpoolIndex
    /// The clips that stay as they are; nil: none.
    let kept: AppendBase?
    let jobs: Int
    let cancellation: Cancellation

    /// What the spool has of a clip.
    private enum Found {
        /// Done; the first of its rows, where they lie where they will lie in the file.
        case finished(FinishedClip, row: Int?)
        /// Failed.
        case failed(FailureRecord)
    }

    /// Clips whose statistics are in memory at a time, twice.
    private var blockSize: Int {
        StatisticsBlock.blocks(of: 0..<1024, bins: plan.bins).first?.count ?? 1
    }

    /// A function that looks clips up, for one thread.
    private func lookUp() -> (Clip) throws -> Found? {
        let (spooled, index) = (spool.reader(), index)
        return { clip in
            switch index[clip.index] {
            case .pending, .inFeatureFile: return nil
            case .failed(let position): return .failed(try spooled.failure(at: position))
            case .spooled(let position, _), .rejected(let position):
                let found = try spooled.finished(at: position)
                return .finished(found.clip, row: found.inPlace?.row)
            }
        }
    }

    /// Adds everything up, statistics in the manifest's order.
    ///
    /// - Throws: `StorageError`, `ManifestError`, `ExtractionError.cancelled`.
    func totals() throws -> AssemblyTotals {
        // A file that clips are appended to keeps the split that its statistics are of.
        let base = kept.flatMap { $0.statistics.count > 0 ? $0 : nil }
        let fit = base?.fit ?? plan.configuration.normalize.fit
        let fitsSplit =
            base.map { !$0.fit.isEmpty }
            ?? (source.hasSplitColumn && source.hasSplit(fit))
        var totals = AssemblyTotals(statistics: BinStatistics(bins: plan.bins), fit: fitsSplit ? fit : "")
        // What clips were normalised by stays what the file is normalised by.
        let isFixed = kept?.isFixed(plan) ?? false
        if let base { totals.statistics = base.statistics }
        totals.keptSeconds = kept?.seconds ?? 0
        try ClipBlocks.run(
            of: source, size: blockSize, jobs: jobs, cancellation: cancellation, lookUp: lookUp
        ) { clip, found in
            let finished: FinishedClip
            switch found {
            case .failed(let failure):
                totals.add(failure, of: clip)
                return
            case .finished(let clip, let row):
                if row != totals.rows { totals.isInPlace = false }
                finished = clip
            }
            totals.rows += finished.statistics.count
            totals.seconds += finished.duration
            totals.add(finished.measurement, of: clip)
            if Double(finished.sampleRate) < plan.sampleRate {
                totals.upsampled += 1
                totals.lowestRate = min(totals.lowestRate, finished.sampleRate)
            }
            guard !isFixed else { return }
            if !fitsSplit || clip.split.utf8.elementsEqual(fit.utf8) { totals.statistics.merge(finished.statistics) }
        }
        return totals
    }

    /// Finds the clips whose values have no place in the stored type, and has the index call them rejected.
    ///
    /// - Throws: `StorageError`, `ManifestError`, `ExtractionError.cancelled`.
    func reject(_ normalization: Normalization, _ totals: inout AssemblyTotals) throws {
        let range = ElementRange(plan.configuration)
        guard range.isLimited else { return }
        let clips = try source.reader()
        let spooled = spool.reader()
        while let clip = try clips.next() {
            try cancellation.check()
            guard case .spooled(let position, _) = index[clip.index] else { continue }
            let finished = try spooled.finished(at: position).clip
            guard let failure = range.failure(finished.statistics, normalization) else { continue }
            index[clip.index] = .rejected(position)
            totals.seconds -= finished.duration
            totals.add(FailureRecord(failure), of: clip)
        }
    }
}
