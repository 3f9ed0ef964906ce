import ClipFeatures
import FeatureModel
import FeatureStorage
import FileIO
import SignalProcessing

/// The statistics of a clip as they count towards those of all. What a file holds of a clip is enough to find them again to the
/// last bit, so that a file with copied clips equals one of a fresh run. Used by one thread.
///
/// | normalisation | statistics of a clip |
/// |---|---|
/// | of each clip | as the file has them: from the standard deviation |
/// | none | of its rows; those that a file has as float16 are rounded, and do not tell |
/// | over the dataset | of its rows before normalisation, which the file does not have; it keeps its statistics |
final class CountedStatistics {
    private let plan: FeaturePlan
    private let path: String?
    private var file: FeatureReader?
    private var ahead: (clips: Range<Int>, rows: [Range<Int>], statistics: [BinStatistics]) = (0..<0, [], [])

    /// Values that are read at a time.
    private static let pieceValues = 1 << 18
    /// Clips whose columns are read at a time, as many as a thread looks up one after another.
    private static let aheadClips = 16

    /// - Parameters:
    ///   - plan: What the rows are.
    ///   - path: The file whose clips are copied; nil: none are.
    init(_ plan: FeaturePlan, copiedFrom path: String?) {
        (self.plan, self.path) = (plan, path)
    }

    /// Those of a clip that was computed.
    ///
    /// - Parameter own: The statistics of the clip's rows before normalisation.
    func ofComputed(_ own: BinStatistics) -> BinStatistics {
        guard plan.configuration.rowNormalization.storesClipStatistics else { return own }
        return BinStatistics(
            count: own.count, mean: own.mean, standardDeviation: own.standardDeviation, exactMinimum: own.exactMinimum,
            exactMaximum: own.exactMaximum)
    }

    /// Those of a copied clip, the file's number `index`; nil: its rows are damaged.
    ///
    /// - Throws: `StorageError`, `SignalError`.
    func ofCopied(_ index: Int) throws -> BinStatistics? {
        guard let file = try opened() else { return nil }
        if !ahead.clips.contains(index) {
            // One clip only where clips are copied in another order.
            let isNext = (ahead.clips.upperBound...ahead.clips.upperBound + Self.aheadClips).contains(index)
            let clips = index..<min(index + (isNext ? Self.aheadClips : 1), file.clipCount)
            ahead = (clips, try file.rowRanges(ofClips: clips), try file.statistics(ofClips: clips) ?? [])
        }
        let number = index - ahead.clips.lowerBound
        guard ahead.statistics.isEmpty else { return ahead.statistics[number] }
        let rows = ahead.rows[number]
        let piece = max(1, Self.pieceValues / file.bins)
        let isWhole = plan.needsWholeClip && rows.count * plan.streamedBins <= ClipFeatureReader.maximumKept
        return try RegroupedStatistics.ofClip(plan, count: rows.count, isWhole: isWhole) { add in
            for range in rows.blocks(of: piece) {
                try file.rows(range).values.withUnsafeBufferPointer(add)
            }
        }
    }

    private func opened() throws(StorageError) -> FeatureReader? {
        guard let path else { return nil }
        if let file { return file }
        let opened = try FeatureReader(path: path)
        file = opened
        return opened
    }
}
