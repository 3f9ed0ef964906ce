import FileIO
import Platform

/// What a complete file of clips holds except rows, in a file next to it: `clips-3.summary` has the last record of each clip of
/// `clips-3.spool`.
///
/// A reader that needs all clips' statistics, but the rows of few, reads the summaries of all shards: about 24 bytes for each
/// column of a clip, against four for each of its values.
///
/// The bytes are the records as they are in the clips' file, in its order, then one record of the kind `end`: its clip is the
/// number of these records, and its payload is the length of the clips' file.
enum SpoolSummary {
    /// Bytes that are written at a time.
    private static let pieceSize = 1 << 20

    /// Writes the summary of a file of clips, and syncs it to the disk.
    ///
    /// - Parameters:
    ///   - positions: The positions of the last records of clips in this file, in any order.
    ///   - file: The clips' file, which nobody writes to.
    /// - Throws: `StorageError`.
    static func write(
        _ positions: [SpoolPosition], of file: SpoolFile, to path: String
    ) throws(StorageError) {
        let summary = try StorageFile(
            path: path, flags: O_WRONLY | O_CREAT | O_TRUNC, operation: "creating the summary of clips")
        var buffer = ByteBuffer(capacity: 2 * pieceSize)
        var record = ByteBuffer(capacity: 1 << 12)
        var written = 0
        for position in positions.sorted(by: { $0.offset < $1.offset }) {
            _ = try file.read(at: position.offset, into: &record)
            buffer.append(record.bytes)
            guard buffer.count >= pieceSize else { continue }
            try summary.write(buffer.bytes, at: written)
            written += buffer.count
            buffer.truncate(to: 0)
        }
        let end = SpoolRecord.start(.end, clip: positions.count, in: &buffer)
        buffer.append(UInt64(file.byteCount))
        SpoolRecord.seal(at: end, in: &buffer)
        try summary.write(buffer.bytes, at: written)
        try summary.synchronizeData()
    }

    /// Hands over what a summary holds, in order.
    ///
    /// - Parameters:
    ///   - summary: The summary.
    ///   - number: The number that its positions get.
    ///   - file: The clips' file.
    /// - Throws: `StorageError`, `.damaged` where it is not complete, or not that of the clips' file.
    /// - Complexity: Reads the summary.
    static func scan(
        _ summary: SpoolFile, number: Int, of file: SpoolFile, _ receive: (SpoolScan.Entry) -> Void
    ) throws(StorageError) {
        var buffer = ByteBuffer(capacity: 1 << 12)
        var (offset, count) = (0, 0)
        while true {
            let header = try summary.read(at: offset, into: &buffer)
            var cursor = ByteCursor(UnsafeRawBufferPointer(rebasing: buffer.bytes[SpoolRecord.headerSize...]))
            let position = SpoolPosition(file: number, offset: offset)
            offset += buffer.count
            switch header.kind {
            case .finished:
                guard let clip = SpooledClip(&cursor, file: number) else { break }
                count += 1
                receive(
                    .finished(
                        clip: header.clip, position, rows: clip.clip.statistics.count, seconds: clip.clip.duration))
                continue
            case .failed:
                count += 1
                receive(.failed(clip: header.clip, position))
                continue
            case .end:
                guard header.clip == count, offset == summary.byteCount,
                    cursor.integer(UInt64.self).flatMap(Int.init(exactly:)) == file.byteCount
                else { break }
                return
            case .rows, .mark, .withdrawn: break
            }
            throw .damaged(path: summary.path, found: "it is not the summary of \(file.path)")
        }
    }
}

extension Spool {
    /// Writes the summary of each file of clips, once nobody writes to these any more.
    ///
    /// - Parameter index: Where the clips are; those of other folders are left out.
    /// - Throws: `StorageError`.
    package func writeSummaries(of index: SpoolIndex) throws(StorageError) {
        var positions: [Int: [SpoolPosition]] = [:]
        for number in try SpoolFolder.names(folder).compactMap(SpoolFolder.number) { positions[number] = [] }
        for position in index.positions where SpoolPosition.ownFiles.contains(position.file) {
            positions[position.file, default: []].append(position)
        }
        let files = SpoolFiles(folder: folder)
        for (number, positions) in positions {
            try SpoolSummary.write(
                positions, of: try files.file(number), to: SpoolFolder.summaryPath(folder, number: number))
        }
        try StorageError.synchronize(folder: folder)
    }
}
