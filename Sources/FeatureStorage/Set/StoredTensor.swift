import FeatureModel
import FileIO
import Platform
import Synchronization

/// Where the rows of one file, or of the files of a set, are in them, for threads that read them without libhdf5, each by a
/// `TensorReader` of its own.
package struct StoredTensor: Sendable {
    /// How the rows of all files would lie in one.
    package let shape: TensorShape
    /// Path of the file, or of the index.
    let path: String
    /// The rows of each file.
    let parts: [StoredRows]
    /// Number of rows before those of each file.
    let starts: [Int]
    let files: OpenFiles
}

/// Files that threads read without libhdf5, opened as they are needed, some at a time.
final class OpenFiles: Sendable {
    private let paths: [String]
    /// The status that each file had when it was looked at.
    private let statuses: [FileStatus?]
    private let recent: Mutex<RecentlyUsed<OpenFile>>
    /// Path of the index.
    private let index: String

    /// - Parameters:
    ///   - index: Path of the index.
    ///   - files: The path of each file, and its status.
    ///   - first: The first file, which is open; nil: none is.
    init(_ files: [(path: String, status: FileStatus?)], first: OpenFile?, index: String) {
        self.index = index
        (paths, statuses) = (files.map(\.path), files.map(\.status))
        var recent = RecentlyUsed<OpenFile>(maximum: FeatureFiles.maximumOpen)
        if let first { recent.keep(first, as: 0) }
        self.recent = Mutex(recent)
    }

    /// A file, which stays open as long as the caller keeps it.
    ///
    /// - Throws: `StorageError`, `.changedFileOfSet` where it is not the file that was looked at.
    func file(_ number: Int) throws(StorageError) -> OpenFile {
        if let file = recent.withLock({ $0.value(number) }) { return file }
        let path = paths[number]
        let descriptor = try StorageFile(path: path, flags: O_RDONLY, operation: "opening the file")
        guard FileStatus(descriptor: descriptor.number) == statuses[number] else {
            throw .changedFileOfSet(path: path, index: index, found: "it has changed since it was looked at")
        }
        let file = OpenFile(descriptor)
        recent.withLock { recent in
            // Another thread may have been faster.
            if recent.value(number) == nil { recent.keep(file, as: number) }
        }
        return file
    }
}

extension FeatureFiles {
    /// Where the rows of all files are; nil where only libhdf5 can read those of some.
    ///
    /// - Parameter shape: The shape of all rows.
    /// - Throws: `StorageError`.
    func storedTensor(_ shape: TensorShape) throws(StorageError) -> StoredTensor? {
        var (parts, starts): ([StoredRows], [Int]) = ([], [])
        var files: [(path: String, status: FileStatus?)] = []
        for number in indices {
            let file = try self[number]
            // A dataset without values has no location.
            let rows = file.rows == 0 ? StoredRows(file.shape, .onePiece(0)) : try file.storedRows()
            guard let rows else { return nil }
            parts.append(rows)
            starts.append(count(.rows, before: number))
            files.append((file.path, FileStatus(descriptor: file.file.bytes.descriptor.number)))
        }
        return StoredTensor(
            shape: shape, path: path, parts: parts, starts: starts,
            files: OpenFiles(files, first: first.file.bytes, index: path))
    }
}

/// Reads the rows of a tensor without libhdf5; each thread has one.
package final class TensorReader: RowSource {
    package var shape: TensorShape { tensor.shape }
    private let tensor: StoredTensor
    private var reader: RowReader?
    /// Number of the file that `reader` reads.
    private var current = -1

    package init(_ tensor: StoredTensor) { self.tensor = tensor }

    package func rows(_ range: Range<Int>) throws(StorageError) -> FeatureMatrix {
        guard range.lowerBound >= 0, range.upperBound <= shape.rows else {
            throw .damaged(
                path: tensor.path, found: "there are \(shape.rows) rows, but row \(range.upperBound - 1) is needed")
        }
        var file = tensor.starts.fileOf(range.lowerBound)
        var row = range.lowerBound
        var values: [Float] = []
        while row < range.upperBound {
            let (start, count) = (tensor.starts[file], tensor.parts[file].rows)
            let end = min(range.upperBound, start + count)
            if end > row {
                let part = try reader(file).matrix(row - start..<end - start, bins: shape.bins)
                if row == range.lowerBound, end == range.upperBound { return part }
                values += part.values
                row = end
            }
            file += 1
        }
        return FeatureMatrix(bins: shape.bins, values: values)
    }

    private func reader(_ file: Int) throws(StorageError) -> RowReader {
        if let reader, file == current { return reader }
        let (stored, opened) = (tensor.parts[file], try tensor.files.file(file))
        current = -1
        let moved = reader ?? RowReader(stored, in: opened)
        moved.move(to: stored, in: opened)
        (reader, current) = (moved, file)
        return moved
    }
}
