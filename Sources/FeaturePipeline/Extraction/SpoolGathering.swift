import FeatureModel
import FeatureStorage
import Manifests
import SignalProcessing

/// The passes over a spool before anything is written: statistics, and which clips can be stored.
struct SpoolGathering {
    let manifest: Manifest
    let plan: FeaturePlan
    let spool: Spool
    let index: SpoolIndex
    /// The clips that stay as they are; nil: none.
    let kept: KeptClips?
    let cancellation: Cancellation

    /// Adds everything up, statistics in the manifest's order.
    ///
    /// - Throws: `StorageError`, `ManifestError`, `ExtractionError.cancelled`.
    func totals() throws -> AssemblyTotals {
        // A file that clips are appended to keeps the split that its statistics are of.
        let base = kept.flatMap { $0.statistics.count > 0 ? $0 : nil }
        let fit = base?.fit ?? plan.configuration.normalize.fit
        let fitsSplit =
            base.map { !$0.fit.isEmpty }
            ?? (manifest.hasSplitColumn && manifest.splits.contains { $0.name.utf8.elementsEqual(fit.utf8) })
        var totals = AssemblyTotals(statistics: BinStatistics(bins: plan.bins), fit: fitsSplit ? fit : "")
        // What clips were normalised by stays what the file is normalised by.
        let isFixed = kept?.isFixed(plan) ?? false
        if let base { totals.statistics = base.statistics }
        if let kept { totals.keptSeconds = try FeatureReader(path: kept.path).totalDuration() }
        let clips = try manifest.reader()
        let spooled = spool.reader()
        while let clip = try clips.next() {
            try cancellation.check()
            let entry = index.entry(clip.index)
            if entry.position.keptPlace != nil { continue }
            guard entry.rows != nil else {
                totals.add(try spooled.failure(at: entry.position), of: clip)
                continue
            }
            let found = try spooled.finished(at: entry.position)
            let finished = found.clip
            if found.placed?.row != totals.rows { totals.isInPlace = false }
            totals.rows += finished.statistics.count
            totals.seconds += finished.duration
            if Double(finished.sampleRate) < plan.sampleRate {
                totals.upsampled += 1
                totals.lowestRate = min(totals.lowestRate, finished.sampleRate)
            }
            guard !isFixed else { continue }
            if !fitsSplit || clip.split.utf8.elementsEqual(fit.utf8) { totals.statistics.merge(finished.statistics) }
        }
        return totals
    }

    /// Finds the clips whose values have no place in the stored type, and has the index call them rejected.
    ///
    /// - Throws: `StorageError`, `ManifestError`, `ExtractionError.cancelled`.
    func reject(dataset: Normalizer?, _ totals: inout AssemblyTotals) throws {
        let range = ElementRange(plan.configuration)
        guard range.isLimited else { return }
        let clips = try manifest.reader()
        let spooled = spool.reader()
        while let clip = try clips.next() {
            try cancellation.check()
            let entry = index.entry(clip.index)
            guard entry.rows != nil, entry.position.keptPlace == nil else { continue }
            let finished = try spooled.finished(at: entry.position).clip
            guard let failure = range.failure(finished.statistics, dataset: dataset) else { continue }
            index.reject(clip.index)
            totals.seconds -= finished.duration
            totals.add(failure, of: clip)
        }
    }
}
