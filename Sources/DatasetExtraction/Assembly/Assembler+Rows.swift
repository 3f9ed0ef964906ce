import ClipSpool
import Concurrency
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import SignalProcessing
import Synchronization

/// A clip, and the rows of the tensor that are its own.
struct TensorSlot: Sendable {
    /// The clip.
    let clip: Clip
    /// Where its rows come from.
    let source: Source
    /// Its number among the stored ones.
    let number: Int
    /// Its first row.
    let firstRow: Int
    /// Its rows.
    let rows: Int
    /// The rows that were computed, before some were added or grouped into patches.
    let computedRows: Int

    /// Where the rows of a clip come from.
    enum Source: Sendable {
        case spool(SpoolPosition)
        /// The file that others are appended to, of which it is the clip number `index`.
        case featureFile(StoredClip, index: Int)
    }

    /// The clip of the file that others are appended to; nil: it is in the spool.
    var kept: StoredClip? {
        if case .featureFile(let clip, _) = source { clip } else { nil }
    }
}

extension Assembler {
    /// Normalises clips' rows and writes them to their slots of the tensor, on several threads.
    ///
    /// - Parameters:
    ///   - clips: The next block.
    ///   - normalization: What normalises those in the spool.
    ///   - tensor: Takes the rows; nil: they are at their final offsets.
    ///   - order: One for all clips of the tensor; nil: it needs none.
    ///   - meanwhile: Runs on the caller's thread while the others work.
    /// - Returns: The row of `/clips` of each.
    /// - Throws: `StorageError`, `ExtractionError.cancelled`.
    func write(
        _ clips: [TensorSlot], _ normalization: Normalization, to tensor: TensorWriter?, order: ChunkSequencer?,
        meanwhile: () throws -> Void
    ) throws -> [StoredClip] {
        let stored = Mutex<[StoredClip?]>(Array(repeating: nil, count: clips.count))
        let (source, plan, spool, cancellation, kept) = (source, plan, spool, cancellation, kept)
        let bins = plan.columns
        let rowBytes = plan.rowWidth * MemoryLayout<Float>.size
        let runs = KeptRows.runs(of: clips, bins: bins, spooled: order == nil)
        try WorkerPool.each(runs.count, jobs: options.jobs, meanwhile: meanwhile) {
            (
                reader: spool.reader(), tensor: try tensor?.worker(order: order), arrangement: try RowArrangement(plan),
                file: FeatureReader?.none
            )
        } failed: {
            order?.stop()
        } _: { worker, numbers in
            try cancellation.check()
            let run = runs[numbers.lowerBound]
            guard case .spool = clips[run.lowerBound].source else {
                // Without a tensor, all rows are at their final offsets already, and none are copied from an older file.
                guard let tensor = worker.tensor, let kept else { return }
                let file = try worker.file ?? FeatureReader(path: kept.path)
                worker.file = file
                try KeptRows.copy(clips[run], of: file, to: tensor, cancellation)
                let own = try clips[run].map { slot in
                    try slot.kept.map {
                        try source.record(
                            slot, $0.measurement, audioChecksum: $0.audioChecksum, tensorChecksum: $0.tensorChecksum)
                    }
                }
                return stored.withLock { $0.replaceSubrange(run, with: own) }
            }
            let reader = worker.reader
            reader.expect(
                clips[run].compactMap { slot in
                    guard case .spool(let position) = slot.source else { return nil }
                    return (position, worker.tensor == nil ? 0 : slot.computedRows * rowBytes)
                })
            var own: [StoredClip] = []
            for clip in clips[run] {
                guard case .spool(let position) = clip.source else { continue }
                let spooled = try reader.finished(at: position)
                let checksum: String
                if let tensor = worker.tensor {
                    let normalizer = normalization.normalizer(for: spooled.clip.statistics)
                    checksum = try write(clip, spooled, reader, normalizer, worker.arrangement, tensor)
                } else {
                    guard let inPlace = spooled.inPlace, inPlace.row == clip.firstRow else {
                        throw StorageError.damaged(
                            path: spool.folder, found: "clip '\(clip.clip.id)' is not at its final offset")
                    }
                    checksum = inPlace.checksum.hex
                }
                own.append(
                    try source.record(
                        clip, spooled.clip.measurement, audioChecksum: spooled.clip.audioChecksum.hex,
                        tensorChecksum: checksum))
            }
            try worker.tensor?.flush()
            stored.withLock { [own] in $0.replaceSubrange(run, with: own.map(Optional.some)) }
        }
        let all = stored.withLock { $0.compactMap(\.self) }
        precondition(all.count == clips.count, "a row of /clips for each clip")
        return all
    }

    /// Writes the rows of a clip in the spool; returns their checksum as stored. Some may stay in the worker's memory.
    private func write(
        _ clip: TensorSlot, _ spooled: SpooledClip, _ reader: SpoolReader, _ normalizer: Normalizer?,
        _ arrangement: RowArrangement, _ worker: TensorWorker
    ) throws -> String {
        let bins = plan.columns
        worker.start(clip: clip.number, row: clip.firstRow, gathers: true)
        arrangement.start()
        var rows = 0
        func append(_ values: UnsafeMutableBufferPointer<Float>) throws(StorageError) {
            rows += values.count / bins
            // More rows would overwrite another clip's.
            guard rows <= clip.rows, !cancellation.isCancelled else { return }
            try worker.append(values)
        }
        try reader.rows(of: spooled) { values throws(StorageError) in
            guard !cancellation.isCancelled else { return }
            let hasRests = spooled.clip.hasRests
            let normalized = normalizer?.apply(values, hasRests: hasRests)
            try arrangement.push(normalized ?? (hasRests ? RowRests.drop(values) : values), receive: append)
        }
        try arrangement.finish(receive: append)
        try cancellation.check()
        guard rows == clip.rows else {
            throw StorageError.damaged(
                path: spool.folder, found: "clip '\(clip.clip.id)' has \(rows) rows of \(clip.rows)")
        }
        return try worker.finish().hex
    }
}

extension ClipSource {
    /// The row of `/clips` of a clip: what the source says of it now, and what was found when it was read.
    ///
    /// - Parameters:
    ///   - slot: The clip and its rows.
    ///   - measurement: What was measured of its recording.
    ///   - audioChecksum: The checksum of its samples.
    ///   - tensorChecksum: The checksum of its rows as stored.
    /// - Throws: `ManifestError.changedWhileReading`.
    fileprivate func record(
        _ slot: TensorSlot, _ measurement: ClipMeasurement, audioChecksum: String, tensorChecksum: String
    ) throws(ManifestError) -> StoredClip {
        let clip = slot.clip
        return StoredClip(
            id: clip.id, path: clip.path, label: clip.label, split: clip.split,
            labelIndex: labelIndex(of: clip.label) ?? -1, measurement: measurement, channel: clip.channel,
            frameStart: slot.firstRow, frameCount: slot.rows, computedRows: slot.computedRows,
            audioChecksum: audioChecksum, tensorChecksum: tensorChecksum, extra: clip.extra,
            labelIndices: try labelIndices(of: clip))
    }
}
