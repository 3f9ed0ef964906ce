import ClipSpool
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import SignalProcessing

/// What is known of all clips before the rows of the first are written.
struct AssemblySums {
    /// Over all clips.
    let totals: AssemblyTotals
    /// What normalises the rows.
    let normalization: Normalization
    /// Rows of a chunk of the tensor; nil: it is not compressed.
    let chunkRows: Int?
}

/// The clips that become one file: all, or those of a file of a set.
struct AssemblyPart {
    /// Their indices in the source.
    let clips: Range<Int>
    /// Reads these clips and no others.
    let reader: any ClipReader
    /// The file that must have the name of this one once this is complete, `.absent` for none; nil: any or none.
    let existing: FileStamp?
}

extension Assembler.Outcome {
    /// The summary of the run.
    ///
    /// - Parameters:
    ///   - index: Where its clips are.
    ///   - start: When it started.
    func summary(
        of extraction: Extraction, _ index: SpoolIndex, since start: ContinuousClock.Instant
    ) -> ExtractionSummary {
        let (totals, plan) = (index.totals(extraction.plan.storedRowCount), extraction.plan)
        return ExtractionSummary(
            wasUpToDate: isUnchanged, output: extraction.options.result, clips: totals.clips,
            failures: totals.failures, firstFailures: firstFailures, rows: totals.rows, bins: plan.bins, bytes: bytes,
            audioSeconds: seconds + keptSeconds, elapsedSeconds: start.duration(to: .now) / .seconds(1),
            patch: plan.configuration.patches.shape, channels: plan.channelAxis, keptClips: index.kept,
            account: account, warnings: warnings)
    }
}
