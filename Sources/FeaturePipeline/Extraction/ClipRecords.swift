import Checksums
import FeatureModel
import FeatureStorage
import Manifests

/// Collects what the columns of `/clips` say of clips, be they in the spool or in the file that others are appended to.
struct ClipRecords {
    private let manifest: Manifest
    private let bins: Int
    /// Whether each clip's statistics are stored.
    private let storesStatistics: Bool
    /// Reads the spool, for one thread at a time.
    let spooled: SpoolReader
    private let before: FeatureReader?

    /// - Parameters:
    ///   - manifest: The clips' labels.
    ///   - configuration: Whether each clip's statistics are stored.
    ///   - bins: Columns of the tensor.
    ///   - spooled: Where new clips are.
    ///   - before: Where those are that stay as they are; nil: there are none.
    init(
        _ manifest: Manifest, _ configuration: FeatureConfiguration, bins: Int, spooled: SpoolReader,
        before: FeatureReader?
    ) {
        self.manifest = manifest
        self.bins = bins
        self.spooled = spooled
        self.before = before
        storesStatistics = configuration.normalize.scope == .clip
    }

    /// Cuts clips into blocks whose records need no more than `room` bytes for statistics.
    func blocks(of clips: [RowAssembly.Placed], room: Int) -> [Range<Int>] {
        guard storesStatistics else { return clips.isEmpty ? [] : [clips.indices] }
        return StatisticsBlock.blocks(of: clips.indices, bins: bins, room: room)
    }

    /// The rows of `/clips` for a block of clips, and their statistics where they are stored.
    ///
    /// - Parameters:
    ///   - clips: The clips.
    ///   - checksums: Of the rows of each; nil: that which stands beside them in the spool.
    /// - Precondition: As many checksums as clips.
    /// - Throws: `StorageError`.
    func records(
        of clips: ArraySlice<RowAssembly.Placed>, checksums: ArraySlice<String>?
    ) throws(StorageError) -> (clips: [StoredClip], statistics: [BinStatistics]) {
        var keptStatistics = try keptStatistics(clips)[...]
        var (stored, statistics): ([StoredClip], [BinStatistics]) = ([], [])
        for (index, placed) in zip(clips.indices, clips) {
            let checksum = checksums?[index] ?? ""
            if let kept = placed.kept {
                stored.append(
                    record(
                        placed, start: kept.start, duration: kept.duration, sampleRate: kept.sampleRate,
                        channels: kept.channels, audioChecksum: kept.audioChecksum, tensorChecksum: checksum))
                if let own = keptStatistics.popFirst() { statistics.append(own) }
            } else {
                let found = try spooled.finished(at: placed.position)
                let finished = found.clip
                stored.append(
                    record(
                        placed, start: finished.start, duration: finished.duration, sampleRate: finished.sampleRate,
                        channels: finished.channels, audioChecksum: finished.audioChecksum.hex,
                        tensorChecksum: checksums == nil ? found.placed?.checksum.hex ?? "" : checksum))
                if storesStatistics { statistics.append(finished.statistics) }
            }
        }
        return (stored, statistics)
    }

    /// The statistics of those clips that stay as they are, which stand in the older file one behind the other.
    private func keptStatistics(
        _ clips: ArraySlice<RowAssembly.Placed>
    ) throws(StorageError) -> [BinStatistics] {
        let places = clips.compactMap(\.position.keptPlace)
        guard storesStatistics, let before, let first = places.first, let last = places.last else { return [] }
        guard let statistics = try before.statistics(ofClips: first..<last + 1), statistics.count == places.count else {
            throw .damaged(path: before.path, found: "it does not hold the statistics of each clip")
        }
        return statistics
    }

    /// A row of `/clips`: what the manifest says now, and what was found when the clip was read.
    private func record(
        _ placed: RowAssembly.Placed, start: Double, duration: Double, sampleRate: Int, channels: Int,
        audioChecksum: String, tensorChecksum: String
    ) -> StoredClip {
        let clip = placed.clip
        return StoredClip(
            id: clip.id, path: clip.path, label: clip.label, split: clip.split,
            labelIndex: manifest.labelIndex(of: clip.label) ?? -1, start: start, duration: duration,
            sampleRate: sampleRate, channels: channels, channel: clip.channel, frameStart: placed.firstRow,
            frameCount: placed.rows, audioChecksum: audioChecksum, tensorChecksum: tensorChecksum, extra: clip.extra)
    }
}
