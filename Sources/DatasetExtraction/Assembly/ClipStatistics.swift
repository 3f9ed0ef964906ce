import ClipSpool
import FeatureModel
import FeatureStorage
import FileIO
import SignalProcessing

/// Collects the statistics of clips that are normalised one by one, from the spool or the file that others are appended to. Used
/// by one thread.
struct ClipStatistics {
    private let bins: Int
    private let areStored: Bool
    private let spooled: SpoolReader
    private let before: FeatureReader?

    /// - Parameters:
    ///   - plan: Whether each clip's statistics are stored, and of how many bins.
    ///   - spooled: The new clips.
    ///   - before: The file of the kept clips; nil: there are none.
    init(_ plan: FeaturePlan, spooled: SpoolReader, before: FeatureReader?) {
        bins = plan.columns
        areStored = plan.configuration.rowNormalization.storesClipStatistics
        self.spooled = spooled
        self.before = before
    }

    /// Splits clips into blocks whose statistics need at most `maximumBytes`.
    func blocks(of clips: [TensorSlot], maximumBytes: Int) -> [Range<Int>] {
        guard areStored else { return clips.isEmpty ? [] : [clips.indices] }
        return StatisticsBlock.blocks(of: clips.indices, bins: bins, maximumBytes: maximumBytes)
    }

    /// The statistics of a block of clips; none where they are not stored.
    ///
    /// - Throws: `StorageError`.
    func statistics(of clips: ArraySlice<TensorSlot>) throws(StorageError) -> [BinStatistics] {
        guard areStored else { return [] }
        var keptStatistics = try keptStatistics(clips)[...]
        var statistics: [BinStatistics] = []
        for slot in clips {
            switch slot.source {
            case .spool(let position): statistics.append(try spooled.finished(at: position).clip.statistics)
            case .featureFile: if let own = keptStatistics.popFirst() { statistics.append(own) }
            }
        }
        return statistics
    }

    /// Those of the copied clips; clips that follow each other in the older file are read together.
    private func keptStatistics(_ clips: ArraySlice<TensorSlot>) throws(StorageError) -> [BinStatistics] {
        guard let before else { return [] }
        var runs: [Range<Int>] = []
        for slot in clips {
            guard case .featureFile(_, let index) = slot.source else { continue }
            if let last = runs.last, last.upperBound == index {
                runs[runs.count - 1] = last.lowerBound..<index + 1
            } else {
                runs.append(index..<index + 1)
            }
        }
        var statistics: [BinStatistics] = []
        for run in runs {
            guard let own = try before.statistics(ofClips: run), own.count == run.count else {
                throw .damaged(path: before.path, found: "it does not hold the statistics of each clip")
            }
            statistics += own
        }
        return statistics
    }
}
