import ClipSpool
import Concurrency
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import SignalProcessing

/// The passes over a spool before anything is written: statistics, and which clips can be stored.
extension Assembler {
    /// The spool's result of a clip.
    private enum Found {
        /// Done; the index of its first row, if its rows are at their final offsets, and its statistics, if they count.
        case finished(FinishedClip, row: Int?, statistics: BinStatistics?)
        /// Copied from the existing file; its rate in Hz, if the features reach above it, and its statistics, if they count.
        case copied(RecordingRemarks, lowerRate: Int?, statistics: BinStatistics?)
        /// Failed.
        case failed(FailureRecord)
    }

    /// Clips whose statistics are in memory at a time, twice.
    private var gatheredClips: Int { StatisticsBlock.blocks(of: 0..<1024, bins: plan.columns).first?.count ?? 1 }

    /// A function that looks up consecutive clips, for one thread.
    ///
    /// - Parameters:
    ///   - counts: Whether a clip's statistics count.
    ///   - countsCopied: Whether those of copied clips do.
    ///   - remarks: The remarks on the clips of the existing file; empty: they have none.
    ///   - rates: The rates in Hz of these clips' recordings; empty: there is no such file.
    private func lookUp(
        counts: @escaping @Sendable (Clip) -> Bool, countsCopied: Bool, remarks: [RecordingRemarks], rates: [Int32]
    ) -> (ArraySlice<Clip>) throws -> [Found?] {
        let (spooled, index) = (spool.reader(), index)
        let statistics = CountedStatistics(plan, copiedFrom: countsCopied ? kept?.path : nil)
        func look(up clip: Clip) throws -> Found? {
            switch index[clip.index] {
            case .pending: return nil
            case .inFeatureFile(let number, _):
                let counted = countsCopied && counts(clip) ? try statistics.ofCopied(number) : nil
                let remarks = remarks.indices.contains(number) ? remarks[number] : []
                let rate = rates.indices.contains(number) && plan.exceeds(Int(rates[number])) ? Int(rates[number]) : nil
                return counted == nil && remarks.isEmpty && rate == nil
                    ? nil : .copied(remarks, lowerRate: rate, statistics: counted)
            case .failed(let position): return .failed(try spooled.failure(at: position))
            case .spooled(let position, _), .rejected(let position):
                let found = try spooled.finished(at: position)
                return .finished(
                    found.clip, row: found.inPlace?.row,
                    statistics: counts(clip) ? statistics.ofComputed(found.clip.statistics) : nil)
            }
        }
        return { clips in
            spooled.expect(clips.compactMap { clip in index[clip.index].position.map { ($0, 0) } })
            return try clips.map(look)
        }
    }

    /// Sums everything up, statistics in the source's order.
    ///
    /// - Throws: `StorageError`, `ManifestError`, `ExtractionError.cancelled`.
    func totals() throws -> AssemblyTotals {
        // Kept clips were normalised by these statistics, so the new ones are, too.
        let isFixed = kept?.isFixed(plan) ?? false
        // Others are summed up clip by clip, so that the sums are those of a fresh run.
        let sumsAll = kept != nil && plan.configuration.keepsStatisticsOfClips
        // Otherwise those of new clips are added to those of the file, with its split.
        let base = sumsAll ? nil : kept.flatMap { $0.statistics.count > 0 ? $0 : nil }
        let fit = base?.fit ?? plan.configuration.normalize.fit
        let fitsSplit = base.map { !$0.fit.isEmpty } ?? (source.hasSplitColumn && source.hasSplit(fit))
        var totals = AssemblyTotals(statistics: BinStatistics(bins: plan.columns), fit: fitsSplit ? fit : "")
        if let base { totals.statistics = base.statistics }
        totals.keptSeconds = kept?.seconds ?? 0
        let limits = FeatureLimits(plan.configuration, columns: source.extraColumns)
        let existing = try kept.map { try FeatureReader(path: $0.path) }
        let (remarks, rates) = (try existing?.remarksOfClips() ?? [], try existing?.sampleRatesOfClips() ?? [])
        let counts = { @Sendable (clip: Clip) in !isFixed && (!fitsSplit || clip.split.utf8.elementsEqual(fit.utf8)) }
        try ClipBlocks.run(
            of: source, size: gatheredClips, jobs: options.jobs, cancellation: cancellation,
            lookUp: { lookUp(counts: counts, countsCopied: sumsAll, remarks: remarks, rates: rates) }
        ) { clip, found in
            let (finished, statistics): (FinishedClip, BinStatistics?)
            switch found {
            case .failed(let failure):
                totals.add(failure, of: clip)
                return
            case .copied(let remarks, let rate, let statistics):
                totals.add(remarks, of: clip, limits, rate: rate)
                if let rate { totals.lowerRates.add(rate, plan) }
                if let statistics { totals.statistics.merge(statistics) }
                return
            case .finished(let clip, let row, let counted):
                if row != totals.rows { totals.isInPlace = false }
                (finished, statistics) = (clip, counted)
            }
            totals.rows += finished.statistics.count
            totals.duration += finished.duration
            totals.add(
                finished.measurement.allRemarks(limits, of: clip), of: clip, limits, rate: finished.sampleRate)
            totals.lowerRates.add(finished.sampleRate, plan)
            if let statistics { totals.statistics.merge(statistics) }
        }
        return totals
    }

    /// Finds the clips whose values do not fit the stored type, and marks them as rejected in the index.
    ///
    /// - Throws: `StorageError`, `ManifestError`, `ExtractionError.cancelled`.
    func reject(_ normalization: Normalization, _ totals: inout AssemblyTotals) throws {
        let range = ElementRange(plan)
        guard range.isLimited else { return }
        let clips = try source.reader()
        let spooled = spool.reader()
        while let clip = try clips.next() {
            try cancellation.check()
            guard case .spooled(let position, _) = index[clip.index] else { continue }
            let finished = try spooled.finished(at: position).clip
            guard let failure = range.failure(finished.statistics, normalization) else { continue }
            index[clip.index] = .rejected(position)
            totals.duration -= finished.duration
            totals.add(FailureRecord(failure), of: clip)
        }
    }
}
