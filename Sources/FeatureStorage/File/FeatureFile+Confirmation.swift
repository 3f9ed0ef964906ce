import Checksums
import ClipSpool

/// The digests of a feature file that were made while it was written: of everything in it, between them.
struct WrittenFile {
    /// `metadata_xxh3`: of what belongs to no clip.
    let metadata: String
    /// Of the column `/clips/record_xxh3`, whose entries are the checksums of all other columns of `/clips`, the checksums of the
    /// clip's rows among them.
    let records: String
    /// Of the chunks of `/features`; nil: it is in one piece, whose rows are compared with the checksums in `/clips`.
    let chunks: Checksum128?
    let clips: Int
}

extension FeatureFile {
    /// Reads a file that was just written, all of it, and compares it with the digests made meanwhile.
    ///
    /// - Parameters:
    ///   - jobs: Threads that read.
    ///   - shouldStop: Is asked several times a second; what is found after it returned true means nothing.
    /// - Throws: `StorageError.lostWrites` where the file is another.
    /// - Complexity: Reads the file once, in bounded memory.
    func confirm(_ written: WrittenFile, jobs: Int, shouldStop: @escaping @Sendable () -> Bool) throws(StorageError) {
        guard metadataChecksum == written.metadata, clipCount == written.clips else {
            throw lost("its attributes are not those that were written")
        }
        if let finding = try metadataFindings().first { throw lost(finding.description) }
        guard try recordsChecksum() == written.records else {
            throw lost("\(ClipTable.record) is not what was written")
        }
        if let chunks = written.chunks, let structure = file.structure {
            guard try structure.chunkDigest(of: "/features") == chunks else {
                throw lost("the chunks of /features are not those that were written")
            }
            // The rows are in the chunks: only the columns are left.
            if let columns = try ClipConfirmation(self, readsRows: false) {
                return try confirm(columns, jobs: jobs, shouldStop)
            }
        }
        if let all = try ClipConfirmation(self) { return try confirm(all, jobs: jobs, shouldStop) }
        if let finding = try verify(most: 1, jobs: jobs, nil).first { throw lost(finding.description) }
    }

    private func confirm(
        _ confirmation: ClipConfirmation, jobs: Int, _ shouldStop: @escaping @Sendable () -> Bool
    ) throws(StorageError) {
        let found = confirmation.unconfirmed(from: 0, most: 1, jobs: jobs, shouldStop: shouldStop)
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
    /// - Complexity: Reads the chunks, one at a time.
    func chunkDigest(of name: String) throws(StorageError) -> Checksum128? {
        let reader = ChunkReader()
        let isKnown = try visitChunks(of: name) { chunk throws(StorageError) in try reader.add(chunk, of: self) }
        return isKnown ? reader.digest.checksum : nil
    }

    /// Reads chunks to a buffer, one after another.
    private final class ChunkReader {
        var digest = ChunkDigest()
        private var buffer = GrowingRoom()

        func add(_ chunk: StoredChunk, of structure: HDF5Structure) throws(StorageError) {
            let bytes = buffer.room(chunk.byteCount)
            try structure.read(into: bytes, at: chunk.offset)
            digest.add(
                XXH3Hash128.checksum(of: UnsafeRawBufferPointer(bytes)), byteCount: chunk.byteCount,
                filterMask: chunk.filterMask)
        }
    }
}
