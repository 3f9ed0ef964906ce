import ClipFeatures
import ClipSpool
import FeatureModel
import FeatureStorage
import SignalProcessing

/// The statistics of a clip as they count towards those of all: what a file holds of the clip is enough to find them again to
/// the last bit, so that a file with copied clips equals one of a fresh run. Used by one thread.
///
/// | normalisation | statistics of a clip |
/// |---|---|
/// | of each clip | as the file has them: from the standard deviation |
/// | none, float32 | of its rows |
/// | none, float16 | of its rows, rounded; a clip that float16 cannot hold is not stored, and its values are not rounded |
/// | over the dataset | of its rows before normalisation; those of copied clips are not needed |
final class CountedStatistics {
    private let plan: FeaturePlan
    private let spooled: SpoolReader
    private let path: String?
    private let isRounded: Bool
    private let range: ElementRange
    private var file: FeatureReader?
    private var ahead: (clips: Range<Int>, rows: [Range<Int>], statistics: [BinStatistics]) = (0..<0, [], [])

    /// Values that are read at a time.
    private static let pieceValues = 1 << 18
    /// Clips whose columns are read at a time, as many as a thread looks up one after another.
    private static let aheadClips = 16

    /// - Parameters:
    ///   - plan: What the rows are.
    ///   - spooled: The clips that were computed.
    ///   - path: The file whose clips are copied; nil: none are.
    init(_ plan: FeaturePlan, spooled: SpoolReader, copiedFrom path: String?) {
        (self.plan, self.spooled, self.path) = (plan, spooled, path)
        let configuration = plan.configuration
        isRounded = configuration.normalize.scope == .none && configuration.store.element == .float16
        range = ElementRange(store: configuration.store)
    }

    /// Those of a clip that was computed.
    ///
    /// - Throws: `StorageError`, `SignalError`.
    func ofComputed(_ clip: SpooledClip) throws -> BinStatistics {
        let own = clip.clip.statistics
        if plan.configuration.normalize.storesClipStatistics {
            return BinStatistics(
                count: own.count, mean: own.mean, standardDeviation: own.standardDeviation, minimum: own.minimum,
                maximum: own.maximum)
        }
        guard isRounded, !range.isExceeded(by: own) else { return own }
        return try sums(rows: own.count) { add in
            try spooled.rows(of: clip) { values throws(StorageError) in
                HalfRounding.round(values)
                add(UnsafeBufferPointer(values))
            }
        } ?? own
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
        return try sums(rows: rows.count) { add in
            for start in stride(from: rows.lowerBound, to: rows.upperBound, by: piece) {
                try file.rows(start..<min(start + piece, rows.upperBound)).values.withUnsafeBufferPointer(add)
            }
        }
    }

    private func sums(
        rows count: Int, _ rows: ((UnsafeBufferPointer<Float>) -> Void) throws -> Void
    ) throws -> BinStatistics? {
        let isWhole = plan.needsWholeClip && count * plan.streamedBins <= ClipFeatureReader.maximumKept
        return try RegroupedStatistics.ofClip(plan, count: count, isWhole: isWhole, rows: rows)
    }

    private func opened() throws(StorageError) -> FeatureReader? {
        guard let path else { return nil }
        if let file { return file }
        let opened = try FeatureReader(path: path)
        file = opened
        return opened
    }
}
