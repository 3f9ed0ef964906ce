import FeatureModel
import FileIO
import Foundation

@testable import ClipSpool

/// What an interrupted run has left. Bits of the first byte: 1, records are sealed, with right lengths and checksums; 2, there
/// is a file of rows next to them.
enum SpoolFuzzing {
    private static let folder: String = {
        let folder = ScratchFile.folder + "/spool"
        mkdir(folder, 0o700)
        _ = ScratchFile.write([], "spool/lock")
        return folder
    }()

    static func take(_ bytes: UnsafeRawBufferPointer) {
        let (choice, rest) = bytes.split
        let folder = folder
        let records = choice & 1 == 0 ? Array(rest) : sealed(rest)
        _ = ScratchFile.write(records, "spool/clips-0.spool")
        if choice & 2 == 0 {
            unlink(SpoolFolder.rowsPath(folder))
        } else {
            _ = ScratchFile.write(rest, "spool/rows")
        }
        do throws(StorageError) {
            let files = SpoolFiles(folder: folder)
            let reader = SpoolReader(files: files)
            var entries: [SpoolScan.Entry] = []
            var scan = try SpoolScan(files, number: 0)
            let (length, _) = try scan.run { entries.append($0) }
            law(length <= records.count, "what counts is in the file")
            for entry in entries { try check(entry, reader) }
            if let mark = try reader.lastMark(ofFile: 0).mark { take(mark, reader) }
        } catch {
            fatalError("law broken: a spool can be read, whatever it holds: \(error)")
        }
    }

    private static func check(_ entry: SpoolScan.Entry, _ reader: SpoolReader) throws(StorageError) {
        switch entry {
        case .finished(_, let position, let rows, _):
            let spooled = try reader.finished(at: position)
            let statistics = spooled.clip.statistics
            law(statistics.count == rows, "as many rows as were counted")
            // Without the file of rows, they lie in the feature file already.
            if spooled.inPlace != nil, access(SpoolFolder.rowsPath(folder), F_OK) != 0 { return }
            var values = 0
            try reader.rows(of: spooled) { values += $0.count }
            law(values == rows * statistics.bins, "a clip that counts has its rows")
        case .failed(_, let position):
            do throws(StorageError) {
                _ = try reader.failed(at: position)
            } catch {
                guard case .damaged = error else { throw error }
            }
        }
    }

    private static func take(_ mark: Checkpoint, _ reader: SpoolReader) {
        var values = 0
        guard (try? reader.rows(ofFile: 0, count: mark.values) { values += $0.count }) != nil else { return }
        law(values == max(mark.values, 0), "as many values as were asked for")
    }

    /// Records made of the bytes: for each its kind, its clip, the length of its payload (two bytes), and the payload.
    private static func sealed(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        var buffer = ByteBuffer(capacity: 4096)
        var cursor = ByteCursor(bytes)
        var left = bytes.count
        let kinds: [SpoolRecord.Kind] = [.rows, .finished, .failed, .withdrawn, .mark, .end]
        while let kind = cursor.integer(UInt8.self), let clip = cursor.integer(UInt8.self),
            let length = cursor.integer(UInt16.self)
        {
            left -= 4
            let start = SpoolRecord.start(kinds[Int(kind) % kinds.count], clip: Int(clip), in: &buffer)
            let count = min(Int(length), left)
            buffer.append(UnsafeRawBufferPointer(rebasing: bytes[(bytes.count - left)...].prefix(count)))
            SpoolRecord.seal(at: start, in: &buffer)
            for _ in 0..<count { _ = cursor.integer(UInt8.self) }
            left -= count
        }
        return Array(buffer.bytes)
    }
}
