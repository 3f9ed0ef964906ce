import ClipSpool
import FeatureModel
import FileIO
import Platform

/// Writes a feature file under a temporary name and gives it its final name once it is complete.
///
/// The rows of an uncompressed `/features` lie in one piece at an offset that is fixed at the start, so they are written without
/// libhdf5, by any number of threads at once; chunks of a compressed one are written in the clips' order (`TensorWriter`).
package struct FeatureFileWriter: ~Copyable {
    let header: FeatureFileHeader
    let hdf5: HDF5Writer
    let widths: TextWidths
    private let finalPath: String
    private let temporaryPath: String
    /// Whether `finish` compares the file with what was to be written. False in tests of files that are wrong on purpose.
    var readsBack = true
    private var storedClips = 0
    private var storedFailures = 0
    private var metadata: MetadataChecksum
    /// The hash of the entries of `/clips/record_xxh3`.
    private var records = XXH3Hash128()
    /// The account of the manifest, and of the clips so far.
    private var account = Account()
    private var labelMatrix: LabelMatrix?
    private var frameLabels: FrameLabels?

    /// Where rows are written to.
    package let tensor: TensorWriter

    /// Makes the file and everything in it but rows, clips and failures.
    ///
    /// - Parameters:
    ///   - path: The final name.
    ///   - temporary: The name until then, on the same file system; an existing file is overwritten.
    ///   - header: What the file says of itself.
    ///   - widths: How wide its columns of text are.
    /// - Throws: `StorageError`.
    package static func create(
        path: String, temporary: String, header: FeatureFileHeader, widths: TextWidths
    ) throws(StorageError) -> FeatureFileWriter {
        var writer = try FeatureFileWriter(path: path, temporaryPath: temporary, header: header, widths: widths)
        try writer.writeRoot()
        try writer.writeAxes()
        try writer.makeColumns()
        if header.storesLabelMatrix {
            writer.labelMatrix = try LabelMatrix(
                clips: header.shape.clips, labels: header.labels.count, in: writer.hdf5)
        }
        if header.frameLabelNames != nil { writer.frameLabels = FrameLabels(header.shape) }
        try writer.writeStatistics()
        try writer.writeProvenance()
        return writer
    }

    private init(
        path: String, temporaryPath: String, header: FeatureFileHeader, widths: TextWidths
    ) throws(StorageError) {
        var shape = header.shape
        // HDF5 has no chunks where there are no values.
        if shape.rows == 0 { shape = shape.withoutChunks }
        guard let bytes = shape.byteCount else {
            throw .system(
                operation: "making a tensor of \(shape.extents.map(String.init).joined(separator: " × ")) values",
                path: temporaryPath, code: EOVERFLOW)
        }
        let type = shape.element.number
        let offset: Int?
        let hdf5: HDF5Writer
        if let chunk = shape.chunkExtents {
            let empty = try HDF5Writer(path: temporaryPath, alignment: FeatureFormat.alignment, from: Int(Int32.max))
            try empty.createCompressed(
                "/features", of: type, extents: shape.extents, chunk: chunk,
                level: ChunkCompressor.level(shape.element))
            hdf5 = try empty.reopened()
            offset = nil
        } else {
            let aligned = try HDF5Writer(
                path: temporaryPath, alignment: FeatureFormat.alignment, from: min(bytes, FeatureFormat.alignedSize))
            offset = try aligned.reserve("/features", of: type, extents: shape.extents)
            hdf5 = try aligned.reopened()
        }
        tensor = try TensorWriter(
            path: temporaryPath, shape: shape, offset: offset ?? 0,
            chunks: shape.chunkRows == nil ? nil : try hdf5.chunks(of: "/features"))
        self.hdf5 = hdf5
        self.header = header
        self.widths = widths
        self.temporaryPath = temporaryPath
        finalPath = path
        labelMatrix = nil
        frameLabels = nil
        metadata = MetadataChecksum(header)
        for remark in header.remarks { account.add(remark) }
    }

    /// Appends rows of `/clips`.
    ///
    /// - Parameters:
    ///   - clips: The clips, in order.
    ///   - statistics: The statistics of each clip's values before normalisation, if they are normalised clip by clip.
    /// - Precondition: As many statistics as clips where they are stored, else none.
    /// - Throws: `StorageError.hdf5`.
    package mutating func append(_ clips: [StoredClip], statistics: [BinStatistics] = []) throws(StorageError) {
        precondition(
            statistics.count == (header.normalize.storesClipStatistics ? clips.count : 0), "statistics of each clip")
        let start = storedClips
        for (index, clip) in clips.enumerated() {
            account.add(clip.measurement.remarks, ofClip: clip.id, at: start + index)
        }
        try header.table.write(clips, from: start, widths, to: hdf5)
        for (name, values) in FeatureFormat.columns(of: statistics) {
            let extents = header.shape.columnExtents
            try values.withUnsafeBufferPointer { values throws(StorageError) in
                try hdf5.write(
                    values, to: "\(ClipTable.statistics)/\(name)", start: [start] + extents.map { _ in 0 },
                    count: [clips.count] + extents)
            }
        }
        for clip in clips { try labelMatrix?.append(clip.labelIndices ?? []) }
        let record = RecordChecksum(header.table, labels: header.labels.count)
        let checksums = clips.indices.map {
            record.checksum(of: clips[$0], statistics: statistics.isEmpty ? nil : statistics[$0])
        }
        try hdf5.write(checksums, width: FeatureFormat.checksumWidth, to: ClipTable.record, from: start)
        FixedText.bytes(checksums, width: FeatureFormat.checksumWidth).withUnsafeBytes { records.update($0) }
        storedClips += clips.count
    }

    /// Appends labels of frames, those of the rows of `/features` in their order; −1 for none, and for rows of no clip.
    ///
    /// - Precondition: The file has labels of frames.
    /// - Throws: `StorageError.hdf5`.
    package mutating func append(frameLabels labels: UnsafeBufferPointer<Int32>) throws(StorageError) {
        precondition(frameLabels != nil, "a file with labels of frames")
        try frameLabels?.append(labels, to: hdf5)
    }

    /// Appends rows of `/failures`.
    ///
    /// - Throws: `StorageError.hdf5`.
    package mutating func append(_ failures: [StoredFailure]) throws(StorageError) {
        try FailureColumn.write(failures, from: storedFailures, widths, to: hdf5)
        for failure in failures { metadata.add(failure) }
        storedFailures += failures.count
    }

    /// Whether the rows of a spool's `InPlaceRows`, if there are any, have the offsets that they have in this file.
    package var takesInPlaceRows: Bool { header.shape.rows > 0 && tensor.offset == InPlaceRows.offset }

    /// Marks the file complete, syncs it to the disk, reads it back and gives it its final name, replacing an older file.
    ///
    /// - Parameters:
    ///   - jobs: Threads that read it back.
    ///   - existing: The file that must have the final name at that moment, `.absent` for none; nil: any or none.
    ///   - rows: All rows, where none was written to `tensor` and `takesInPlaceRows`; its file becomes the feature file.
    ///   - keepsEqual: Whether a file of the final name stays if it has the same bytes.
    ///   - check: Throws where the work is to end; called several times a second, from any thread.
    /// - Returns: Whether the new file has the final name.
    /// - Throws: What `check` throws, or `StorageError`, `.lostWrites` where the disk has lost some of it, `.changedMeanwhile` where
    ///   something else has the final name, which is untouched then.
    @discardableResult
    package consuming func finish(
        inPlaceOf existing: FileStamp? = nil, rows: InPlaceRows? = nil, keepingEqual keepsEqual: Bool = false,
        jobs: Int = 1, check: @escaping @Sendable () throws -> Void = {}
    ) throws -> Bool {
        guard storedClips == header.shape.clips, storedFailures == header.failureCount else {
            throw StorageError.damaged(
                path: finalPath,
                found:
                    "\(storedClips) clips and \(storedFailures) failures instead of \(header.shape.clips) and \(header.failureCount)"
            )
        }
        try labelMatrix?.finish()
        try frameLabels?.finish(in: hdf5, path: finalPath)
        let remarks = account.report.map(\.json)
        try StoredRemarks.write(remarks, to: hdf5)
        let (path, written) = (finalPath, temporaryPath)
        let temporary = rows?.path ?? written
        let contents = WrittenFile(
            metadata: metadata.hex, records: records.finish().hex,
            remarks: remarks.isEmpty ? nil : StoredRemarks.checksum(remarks), root: header.root, inputs: header.inputs,
            chunks: try tensor.chunks?.close(), clips: storedClips)
        try hdf5.attribute("metadata_xxh3", contents.metadata, of: "/")
        try hdf5.attribute("complete", Int32(1), of: "/")
        try hdf5.close()
        if let rows { try rows.complete(with: written, rows: header.shape.rows) }
        let isKept = keepsEqual && Self.haveEqualBytes(temporary, path)
        let tensor = tensor
        let synchronize = { @Sendable () throws(StorageError) in
            guard !isKept else { return }
            if let rows { try rows.synchronize() } else { try tensor.synchronize() }
        }
        if readsBack {
            try Self.confirm(temporary, of: path, contents, jobs: jobs, check, synchronize: synchronize)
        } else {
            try synchronize()
        }
        guard !isKept else {
            unlink(temporary)
            return false
        }
        guard existing == nil || existing == FileStamp(path: path) else {
            throw StorageError.changedMeanwhile(path: path)
        }
        do throws(SystemError) { try Self.name(temporary, path, existing) } catch {
            throw StorageError.system(
                operation: "giving the finished file its name", path: error.isAbsence ? temporary : path,
                code: error.code)
        }
        if rows != nil { unlink(written) }
        return true
    }

    /// Gives the file its final name. If the name cannot be synced to the disk, and no file had it before, the file is renamed
    /// back: the same command then resumes with its clips.
    private static func name(_ temporary: String, _ path: String, _ existing: FileStamp?) throws(SystemError) {
        let own = FileStatus(path: temporary)?.identity
        try AtomicFile.rename(temporary, to: path)
        do throws(SystemError) { try Folder.synchronize(Folder.containing(path)) } catch {
            // Somebody may have given the name to another file meanwhile.
            if existing == .absent, let own, FileStatus(path: path, followingLink: false)?.identity == own {
                try? AtomicFile.rename(path, to: temporary)
            }
            throw error
        }
    }

    /// Whether two files can be read and have the same bytes.
    private static func haveEqualBytes(_ one: String, _ other: String) -> Bool {
        guard let size = FileStatus(path: one)?.byteCount, size == FileStatus(path: other)?.byteCount,
            let first = try? SharedFile(path: one), let second = try? SharedFile(path: other)
        else { return false }
        let piece = 1 << 20
        for offset in stride(from: 0, to: size, by: piece) {
            let count = min(piece, size - offset)
            guard let bytes = try? first.bytes(at: offset, count), bytes.count == count,
                (try? second.bytes(at: offset, count)) == bytes
            else { return false }
        }
        return true
    }

    /// Opens the file as a reader would, before it may replace another, and compares it with what was to be written, while
    /// `synchronize` syncs it to the disk.
    private static func confirm(
        _ temporary: String, of path: String, _ contents: WrittenFile, jobs: Int,
        _ check: @escaping @Sendable () throws -> Void, synchronize: @escaping @Sendable () throws(StorageError) -> Void
    ) throws {
        do throws(StorageError) {
            let file = try FeatureFile(path: temporary)
            @Sendable func shouldStop() -> Bool {
                do { try check() } catch { return true }
                return false
            }
            try file.confirm(contents, jobs: jobs, shouldStop: shouldStop, synchronize: synchronize)
        } catch .lostWrites(_, let found) {
            // What was found after reading was stopped means nothing.
            try check()
            throw StorageError.lostWrites(path: path, found: found)
        } catch let error where error.isOfContents {
            try check()
            // Only the disk can have damaged a file that was just written; but another process may have deleted it.
            throw StorageError.lostWrites(path: path, found: error.description)
        }
        try check()
    }
}

extension StorageError {
    /// Whether the contents of a file are wrong: neither the system is at fault nor is the file missing.
    fileprivate var isOfContents: Bool { !isSystemFault && !isAbsence }
}
