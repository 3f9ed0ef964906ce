import ClipSpool
import Concurrency
import FeatureModel
import FileIO
import Synchronization

/// The digests of a feature file that were made while it was written. Together they cover everything in it.
struct WrittenFile {
    /// `metadata_xxh3`: of what belongs to no clip.
    let metadata: String
    /// The checksum of the column `/clips/record_xxh3`, whose entries are the checksums of all other columns of `/clips`, the checksums of the
    /// clip's rows among them.
    let records: String
    /// Of `/provenance/remarks`; nil: there are no remarks.
    let remarks: String?
    /// The attribute `root` of `/provenance`; nil: there is none.
    let root: String?
    /// The entries of `/provenance/configuration_files`.
    let inputs: [ConfigurationInput]
    /// The checksum of the chunks of `/features`; nil: it is in one piece, whose rows are compared with the checksums in `/clips`.
    let chunks: Checksum128?
    let clips: Int
}

extension FeatureFile {
    /// Waits until a file that was just written is on the disk, reads all of it, and compares it with the digests made meanwhile.
    ///
    /// Rows and chunks are read while the disk writes, so that most of the wait for it takes no extra time; everything else is
    /// read afterwards.
    ///
    /// - Parameters:
    ///   - jobs: Threads that read.
    ///   - shouldStop: Called several times a second. Once it has returned true, the result means nothing.
    ///   - synchronize: Waits for the disk.
    /// - Throws: What `synchronize` throws, or `StorageError.lostWrites` where the file has other contents.
    /// - Complexity: Reads the file once, in bounded memory.
    func confirm(
        _ written: WrittenFile, jobs: Int, shouldStop: @escaping @Sendable () -> Bool,
        synchronize: @escaping @Sendable () throws(StorageError) -> Void
    ) throws(StorageError) {
        try confirmClips(written, jobs: jobs, shouldStop: shouldStop, synchronize: synchronize)
        guard file.structure?.isClosed ?? true else { throw lost("it is marked as still being written") }
        guard metadataChecksum == written.metadata, clipCount == written.clips, rootFinding == nil,
            header.root == written.root
        else {
            throw lost("its attributes are not those that were written")
        }
        guard remarksChecksum == written.remarks else {
            throw lost("\(StoredRemarks.dataset) is not what was written")
        }
        guard header.inputs == written.inputs else {
            throw lost("\(StoredInputs.dataset) is not what was written")
        }
        if let finding = try (metadataFindings() + remarkFindings()).first { throw lost(finding.description) }
        guard try recordsChecksum() == written.records else {
            throw lost("\(ClipTable.record) is not what was written")
        }
    }

    private func confirmClips(
        _ written: WrittenFile, jobs: Int, shouldStop: @escaping @Sendable () -> Bool,
        synchronize: @escaping @Sendable () throws(StorageError) -> Void
    ) throws(StorageError) {
        if let chunks = written.chunks, let structure = file.structure {
            var found: Checksum128?
            try Self.wait(for: synchronize) { () throws(StorageError) in
                found = try structure.chunkDigest(of: "/features", shouldStop: shouldStop)
            }
            guard found == chunks else {
                throw lost("the chunks of /features are not those that were written")
            }
            // The rows are in the chunks: only the columns are left.
            if let columns = try ClipConfirmation(self, rows: .none) {
                return try confirm(columns, jobs: jobs, shouldStop: shouldStop)
            }
        } else if let all = try ClipConfirmation(self, rows: .checksums) {
            return try confirm(all, jobs: jobs, shouldStop: shouldStop, meanwhile: synchronize)
        } else {
            try synchronize()
        }
        if let finding = try verify(most: 1, jobs: jobs, nil).first { throw lost(finding.description) }
    }

    /// Waits for the disk on another thread while `work` runs on this one.
    ///
    /// - Throws: What `synchronize` throws, or else what `work` throws.
    private static func wait(
        for synchronize: @escaping @Sendable () throws(StorageError) -> Void, work: () throws(StorageError) -> Void
    ) throws(StorageError) {
        let failure = Mutex<StorageError?>(nil)
        var finding: StorageError?
        // Neither of the two throws.
        try? WorkerPool.run(
            1,
            meanwhile: { do throws(StorageError) { try work() } catch { finding = error } }
        ) { _ in
            do throws(StorageError) { try synchronize() } catch { failure.withLock { $0 = error } }
        }
        if let error = failure.withLock({ $0 }) ?? finding { throw error }
    }

    private func confirm(
        _ confirmation: ClipConfirmation, jobs: Int, shouldStop: @escaping @Sendable () -> Bool,
        meanwhile: () throws(StorageError) -> Void = {}
    ) throws(StorageError) {
        var failure: StorageError?
        let found = confirmation.unconfirmed(from: 0, most: 1, jobs: jobs, shouldStop: shouldStop) {
            do throws(StorageError) { try meanwhile() } catch { failure = error }
        }
        if let failure { throw failure }
        guard let clip = found.clips.first else { return }
        // What exactly is wrong with it, in words.
        let finding = try verify(most: 1, jobs: jobs).first
        throw lost(finding?.description ?? "clip number \(clip) is not what was written")
    }

    private func lost(_ found: String) -> StorageError { .lostWrites(path: path, found: found) }
}

extension HDF5Structure {
    /// The digest of a dataset's chunks, in the order of the dataset; nil: they are not known.
    ///
    /// - Parameter shouldStop: Whether to stop reading; the digest is not that of the dataset then.
    /// - Complexity: Reads the chunks, one at a time.
    func chunkDigest(of name: String, shouldStop: @escaping () -> Bool) throws(StorageError) -> Checksum128? {
        let reader = ChunkReader()
        let isKnown = try visitChunks(of: name) { chunk throws(StorageError) in
            if !shouldStop() { try reader.add(chunk, of: self) }
        }
        return isKnown ? reader.digest.checksum : nil
    }

    /// Reads chunks to a buffer, one after another.
    private final class ChunkReader {
        var digest = ChunkDigest()
        private var buffer = ScratchBuffer()

        func add(_ chunk: StoredChunk, of structure: HDF5Structure) throws(StorageError) {
            let bytes = buffer.reserve(chunk.byteCount)
            try structure.read(into: bytes, at: chunk.offset)
            digest.add(
                XXH3Hash128.checksum(of: UnsafeRawBufferPointer(bytes)), byteCount: chunk.byteCount,
                filterMask: chunk.filterMask)
        }
    }
}
