import FeatureModel
import FileIO
import Platform

/// The files that a reader reads as one, one after another: a single file, or those of a set.
///
/// Those of a set are opened as they are needed, and compared with the index and with the first.
final class FeatureFiles {
    /// What is counted through all files.
    enum Unit: String { case clips, rows, failures }

    /// Clips, rows or failures of one file.
    struct Part: Hashable {
        /// Number of the file, from 0.
        let file: Int
        /// Counted in the file.
        let range: Range<Int>
    }

    /// Maximum number of files of a set that are open at a time. Each has two descriptors: libhdf5's, and that of readers
    /// without it.
    static let maximumOpen = 64

    /// Path of the file, or of the index.
    let path: String
    /// Nil: it is one file.
    let index: FeatureSetIndex?
    /// The first file, which stays open.
    let first: FeatureFile
    private var recent = RecentlyUsed<FeatureFile>(maximum: maximumOpen - 1)
    /// How many clips, rows and failures of a set the files before each have, and those of all at the end.
    private let (clips, rows, failures): ([Int], [Int], [Int])

    /// The numbers of the files.
    var indices: Range<Int> { 0..<(index?.files.count ?? 1) }

    /// Opens the file; of a set, looks for all files and opens the first.
    ///
    /// - Throws: `StorageError`, of a set also `.notFeatureSet`, `.missingMember` and `.changedMember`.
    init(path: String) throws(StorageError) {
        self.path = path
        guard FeatureSetIndex.begins(path) else {
            (index, first) = (nil, try FeatureFile(path: path))
            (clips, rows, failures) = ([0], [0], [0])
            return
        }
        let index = try FeatureSetIndex(path: path)
        func starts(_ count: (FeatureSetIndex.Member) -> Int) -> [Int] {
            index.files.reduce(into: [0]) { $0.append(($0.last ?? 0) + count($1)) }
        }
        (clips, rows, failures) = (starts(\.clips), starts(\.rows), starts(\.failures))
        for number in index.files.indices { try index.checkSize(ofFile: number, path) }
        (self.index, first) = (index, try index.open(0, path))
    }

    /// A file.
    ///
    /// - Throws: `StorageError`, `.missingMember` and `.changedMember` where it is not the one that the index names.
    subscript(_ number: Int) -> FeatureFile {
        get throws(StorageError) {
            guard number > 0, let index else { return first }
            if let file = recent.value(number) { return file }
            let file = try index.open(number, path)
            if let difference = file.difference(inSetOf: first) {
                throw .changedMember(path: file.path, index: path, found: difference)
            }
            recent.keep(file, as: number)
            return file
        }
    }

    /// How many clips, rows or failures the files before one have; 0 of a single file.
    func count(_ unit: Unit, before file: Int) -> Int { index == nil ? 0 : starts(unit)[file] }

    /// The parts of files that a range lies in, in their order; a single one where there is one file, wherever it lies.
    ///
    /// - Throws: `StorageError.damaged` where the range lies outside the set.
    func parts(_ unit: Unit, _ range: Range<Int>) throws(StorageError) -> [Part] {
        guard index != nil else { return [Part(file: 0, range: range)] }
        let starts = starts(unit)
        let count = starts.last ?? 0
        guard range.lowerBound >= 0, range.upperBound <= count else {
            throw .damaged(
                path: path, found: "the set has \(count) \(unit), but number \(range.upperBound - 1) from 0 is needed")
        }
        var parts: [Part] = []
        var file = starts.fileOf(range.lowerBound)
        while file + 1 < starts.count, starts[file] < range.upperBound {
            let own = range.clamped(to: starts[file]..<starts[file + 1])
            if !own.isEmpty {
                parts.append(
                    Part(file: file, range: own.lowerBound - starts[file]..<own.upperBound - starts[file]))
            }
            file += 1
        }
        return parts
    }

    /// What a closure reads of each part of a range, one after another.
    ///
    /// - Throws: `StorageError`, `.damaged` where the range lies outside the set.
    func joined<Value>(
        _ unit: Unit, _ range: Range<Int>, _ read: (FeatureFile, Part) throws(StorageError) -> [Value]
    ) throws(StorageError) -> [Value] {
        let parts = try parts(unit, range)
        if parts.count == 1 { return try read(try self[parts[0].file], parts[0]) }
        var values: [Value] = []
        for part in parts { values += try read(try self[part.file], part) }
        return values
    }

    /// The header of all files together.
    ///
    /// - Throws: `StorageError`.
    func header() throws(StorageError) -> FeatureFileHeader {
        guard let index else { return first.header }
        // A tensor without rows has no chunks.
        let withRows = index.files.firstIndex { $0.rows > 0 } ?? 0
        let chunkRows = try self[withRows].shape.chunkRows
        guard
            var header = first.header.joined(
                clips: index.clips, rows: index.rows, failures: index.failures, chunkRows: chunkRows),
            header.shape.rows == index.rows
        else {
            throw .notFeatureSet(
                path: path, found: "\(index.rows) rows for \(index.clips) clips of \(first.shape.frames) each")
        }
        header.remarks = index.remarks
        return header
    }

    private func starts(_ unit: Unit) -> [Int] {
        switch unit {
        case .clips: clips
        case .rows: rows
        case .failures: failures
        }
    }
}

extension [Int] {
    /// The last of rising starts that is not above a number: the file that has it, if any has.
    func fileOf(_ number: Int) -> Int { Swift.max(partitioningIndex { $0 > number } - 1, 0) }
}
