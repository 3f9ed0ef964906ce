import FeatureModel
import FileIO

/// A dataset of `/clips`, which has an entry for each clip.
struct ClipDataset: Sendable {
    let name: String
    /// The numbers in it; nil: a text.
    let number: (any HDF5Number.Type)?
    /// Extents of an entry; none: a single value.
    let extents: [Int]

    init(_ name: String, _ number: (any HDF5Number.Type)? = nil, extents: [Int] = []) {
        (self.name, self.number, self.extents) = (name, number, extents)
    }

    /// Numbers of an entry.
    var values: Int { extents.reduce(1, *) }
}

extension FeatureFile {
    /// The datasets with what the file knows of its clips: the columns of the table in its order, the manifest's other columns, the
    /// checksums of records, and mean, std, min and max if clips have them.
    var clipDatasets: [ClipDataset] {
        let columns = table.columns.map { column in
            switch column {
            case .text(let column): ClipDataset(column.dataset)
            case .integer(let column): ClipDataset(column.dataset, column.type)
            case .seconds(let column): ClipDataset(column.dataset, Double.self)
            }
        }
        let statistics = header.normalize.storesClipStatistics ? FeatureFormat.statistics : []
        return columns + table.extra.map { ClipDataset("\(ClipTable.extraGroup)/\($0)") }
            + [ClipDataset(ClipTable.record)]
            + statistics.map { ClipDataset("\(ClipTable.statistics)/\($0)", Double.self, extents: shape.columnExtents) }
    }

    /// Where the entries of `clipDatasets` lie, for threads that read them without libhdf5.
    ///
    /// - Returns: nil where one is not as this program writes it: only libhdf5 can read it.
    func clipLocations() throws(StorageError) -> [ClipColumnBlock.Location]? {
        var locations: [ClipColumnBlock.Location] = []
        for dataset in clipDatasets {
            guard try file.extents(of: dataset.name) == [clipCount] + dataset.extents else { return nil }
            let (width, offset): (Int, Int?)
            if let number = dataset.number {
                (width, offset) = (number.size * dataset.values, try file.exactOffset(of: dataset.name, number))
            } else {
                width = try file.width(of: dataset.name)
                offset = try file.exactOffset(of: dataset.name, textWidth: width)
            }
            guard let offset else { return nil }
            locations.append(ClipColumnBlock.Location(offset: offset, width: width))
        }
        return locations
    }

    /// The entries of some clips in a dataset, read through libhdf5, as their bytes lie in a file of this program.
    fileprivate func bytes(_ dataset: ClipDataset, _ clips: Range<Int>) throws(StorageError) -> [UInt8] {
        func bytes<Number: HDF5Number>(of number: Number.Type, _ file: borrowing HDF5File) throws(StorageError)
            -> [UInt8]
        {
            let numbers = try file.read(dataset.name, as: Number.self, range: clips)
            guard numbers.count == clips.count * dataset.values else {
                let row = dataset.extents.isEmpty ? "one value for each row" : "a row of \(bins) for each clip"
                throw .damaged(path: path, found: "\(dataset.name) does not have \(row)")
            }
            return numbers.withUnsafeBytes { Array($0) }
        }
        guard let number = dataset.number else { return try file.columnBytes(dataset.name, clips).bytes }
        return try bytes(of: number, file)
    }
}

/// The entries of some clips in all datasets of `/clips`, as their bytes lie in the file: each thread has one.
struct ClipColumnBlock: ~Copyable {
    /// Where the entries of a dataset lie.
    struct Location: Sendable {
        /// The offset of the first clip's entry.
        let offset: Int
        /// Bytes of an entry.
        let width: Int
    }

    /// What reads them.
    enum Source {
        case bytes(OpenFile, [Location])
        case library(FeatureFile, [ClipDataset])
    }

    private let source: Source
    private var bytes = ScratchBuffer()
    /// Where the entries of each dataset start in `bytes`, and the bytes of one.
    private var entries: [(start: Int, width: Int)] = []
    private var first = 0

    init(_ source: Source) { self.source = source }

    /// Reads the entries of clips, instead of those before.
    ///
    /// - Precondition: There is at least one.
    /// - Throws: `StorageError`.
    mutating func read(_ clips: Range<Int>) throws(StorageError) {
        first = clips.lowerBound
        switch source {
        case .bytes(let file, let locations):
            let target = layOut(locations.map(\.width), clips.count)
            for (location, entry) in zip(locations, entries) {
                let part = entry.start..<entry.start + clips.count * location.width
                try file.descriptor.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: target[part]),
                    at: location.offset + clips.lowerBound * location.width)
            }
        case .library(let file, let datasets):
            var columns: [[UInt8]] = []
            for dataset in datasets { columns.append(try file.bytes(dataset, clips)) }
            let target = layOut(columns.map { $0.count / clips.count }, clips.count)
            for (column, entry) in zip(columns, entries) {
                UnsafeMutableRawBufferPointer(rebasing: target[entry.start...]).copyBytes(from: column)
            }
        }
    }

    /// Lays out entries of these widths one after another, and returns memory for all of them.
    private mutating func layOut(_ widths: [Int], _ clips: Int) -> UnsafeMutableRawBufferPointer {
        var count = 0
        entries = widths.map { width in
            defer { count += (clips * width + 7) / 8 * 8 }
            return (count, width)
        }
        return bytes.reserve(count)
    }

    /// The entry of a clip in a dataset, by its index in `clipDatasets`.
    subscript(index: Int, clip: Int) -> UnsafeRawBufferPointer {
        let start = entries[index].start + (clip - first) * entries[index].width
        return UnsafeRawBufferPointer(rebasing: bytes.contents[start..<start + entries[index].width])
    }

    /// A text without the zero bytes at its end.
    func text(_ index: Int, _ clip: Int) -> UnsafeRawBufferPointer {
        let entry = self[index, clip]
        return UnsafeRawBufferPointer(rebasing: entry[..<(entry.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0)])
    }

    func integer(_ index: Int, _ clip: Int) -> Int {
        let entry = self[index, clip]
        return switch entry.count {
        case 1: Int(entry[0])
        case 4: Int(Int32(littleEndian: entry.loadUnaligned(as: Int32.self)))
        default: Int(Int64(littleEndian: entry.loadUnaligned(as: Int64.self)))
        }
    }

    func seconds(_ index: Int, _ clip: Int) -> Double {
        Double(bitPattern: UInt64(littleEndian: self[index, clip].loadUnaligned(as: UInt64.self)))
    }
}
