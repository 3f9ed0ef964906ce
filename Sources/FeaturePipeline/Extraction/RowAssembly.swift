import FeatureModel
import FeatureStorage
import SignalProcessing
import Synchronization

/// Normalises clips' rows and writes them to their places, on several threads.
struct RowAssembly {
    /// A clip and its place in the tensor.
    struct Placed: Sendable {
        /// The clip.
        let clip: Clip
        /// Where it stands in the spool.
        let position: SpoolPosition
        /// Its number among the stored ones.
        let number: Int
        /// Its first row.
        let firstRow: Int
        /// Its rows.
        let rows: Int
        /// The clip of the file that others are appended to, where it stays as it is.
        let kept: StoredClip?
    }

    let plan: FeaturePlan
    let spool: Spool
    let jobs: Int
    let cancellation: Cancellation
    /// What normalises all clips; nil: nothing, or each by its own statistics.
    let dataset: Normalizer?
    /// The clips that stay as they are; nil: none.
    let kept: KeptClips?

    /// Writes the clips.
    ///
    /// - Parameters:
    ///   - clips: Those that follow the ones before.
    ///   - tensor: Where to.
    ///   - order: The same for all clips of the tensor; nil where it needs none.
    /// - Returns: The checksum of each clip's rows as stored.
    /// - Throws: `StorageError`, `ExtractionError.cancelled`.
    func write(_ clips: [Placed], to tensor: TensorWriter, order: ChunkSequencer?) throws -> [String] {
        let checksums = Mutex<[String]>(Array(repeating: "", count: clips.count))
        let next = Atomic(0)
        let (plan, spool, cancellation, dataset, kept) = (plan, spool, cancellation, dataset, kept)
        let normalize = plan.configuration.normalize
        try WorkerPool.run(min(jobs, max(clips.count, 1))) { _ in
            do {
                let reader = spool.reader()
                let worker = try tensor.worker(order: order)
                var file: FeatureReader?
                while true {
                    try cancellation.check()
                    let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard place < clips.count else { return }
                    let clip = clips[place]
                    if let keptClip = clip.kept, let kept {
                        let reader = try file ?? FeatureReader(path: kept.path)
                        file = reader
                        worker.begin(clip: clip.number, row: clip.firstRow)
                        let checksum = try Self.copy(keptClip, of: reader, to: worker, cancellation)
                        checksums.withLock { $0[place] = checksum }
                        continue
                    }
                    let spooled = try reader.finished(at: clip.position)
                    let normalizer =
                        normalize.scope == .clip
                        ? Normalizer(normalize.method, axis: normalize.axis, statistics: spooled.clip.statistics)
                        : dataset
                    worker.begin(clip: clip.number, row: clip.firstRow)
                    var rows = 0
                    try reader.rows(of: spooled) { values throws(StorageError) in
                        rows += values.count / plan.bins
                        // More would be written over another clip's.
                        guard rows <= clip.rows, !cancellation.isCancelled else { return }
                        normalizer?.apply(values)
                        try worker.append(values)
                    }
                    try cancellation.check()
                    guard rows == clip.rows else {
                        throw StorageError.damaged(
                            path: spool.folder, found: "clip '\(clip.clip.id)' has \(rows) rows of \(clip.rows)")
                    }
                    let checksum = try worker.finish().hex
                    checksums.withLock { $0[place] = checksum }
                }
            } catch {
                order?.stop()
                throw error
            }
        }
        return checksums.withLock { $0 }
    }

    /// Copies the rows of a clip that stays as it is. Returns their checksum, which has to be the one that it had.
    private static func copy(
        _ clip: StoredClip, of file: FeatureReader, to worker: TensorWorker, _ cancellation: Cancellation
    ) throws -> String {
        let piece = max(1, (1 << 18) / file.bins)
        for start in stride(from: 0, to: clip.frameCount, by: piece) {
            try cancellation.check()
            let end = min(start + piece, clip.frameCount)
            var values = try file.rows(clip.frameStart + start..<clip.frameStart + end).values
            var failure: StorageError?
            values.withUnsafeMutableBufferPointer { values in
                do throws(StorageError) { try worker.append(values) } catch { failure = error }
            }
            if let failure { throw failure }
        }
        let checksum = try worker.finish().hex
        guard checksum == clip.tensorChecksum else {
            throw StorageError.damaged(
                path: file.path,
                found: "the rows of clip '\(clip.id)' have the checksum \(checksum), but tensor_xxh3 is "
                    + clip.tensorChecksum)
        }
        return checksum
    }
}
