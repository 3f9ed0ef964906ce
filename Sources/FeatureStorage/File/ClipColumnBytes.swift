import FeatureModel
import FileIO

/// Where the columns of `/clips` are in the file, for threads that read them without libhdf5, each by a `ClipColumnBlock` of its
/// own.
struct ClipColumnPlaces: Sendable {
    struct Place: Sendable {
        /// Of the first clip's entry.
        let offset: Int
        /// Bytes of an entry.
        let width: Int
    }

    let file: OpenFile
    let table: ClipTable
    let clips: Int
    /// In the order of `table.columns`.
    let columns: [Place]
    let record: Place
    /// Mean, std, min and max of each clip; empty: there are none.
    let statistics: [Place]
    /// In the order of `table.extra`.
    let extra: [Place]

    /// - Returns: nil where a column is not as this program writes it: only libhdf5 can read it.
    init?(_ reader: FeatureFile) throws(StorageError) {
        let clips = reader.clipCount
        func place(_ name: String, _ number: any HDF5Number.Type, size: Int, values: [Int] = []) throws(StorageError)
            -> Place?
        {
            guard try reader.file.extents(of: name) == [clips] + values,
                let offset = try reader.file.exactOffset(of: name, number)
            else { return nil }
            return Place(offset: offset, width: values.reduce(size, *))
        }
        func place(texts name: String) throws(StorageError) -> Place? {
            let width = try reader.file.width(of: name)
            guard try reader.file.extents(of: name) == [clips],
                let offset = try reader.file.exactOffset(of: name, textWidth: width)
            else { return nil }
            return Place(offset: offset, width: width)
        }
        var (columns, statistics, extra): ([Place], [Place], [Place]) = ([], [], [])
        for column in reader.table.columns {
            let found: Place? =
                switch column {
                case .text(let column): try place(texts: column.dataset)
                case .integer(let column): try place(column.dataset, column.type, size: column.type.bitWidth / 8)
                case .seconds(let column): try place(column.dataset, Double.self, size: 8)
                }
            guard let found else { return nil }
            columns.append(found)
        }
        guard let record = try place(texts: ClipTable.record) else { return nil }
        if reader.header.normalize.storesClipStatistics {
            for name in FeatureFormat.statistics {
                guard
                    let found = try place(
                        "\(ClipTable.statistics)/\(name)", Double.self, size: 8, values: reader.shape.columnExtents)
                else { return nil }
                statistics.append(found)
            }
        }
        for name in reader.table.extra {
            guard let found = try place(texts: "\(ClipTable.extraGroup)/\(name)") else { return nil }
            extra.append(found)
        }
        self.file = reader.file.bytes
        (table, self.clips) = (reader.table, clips)
        (self.columns, self.record, self.statistics, self.extra) = (columns, record, statistics, extra)
    }
}

/// The columns of some clips as their bytes lie in the file: each thread has one.
struct ClipColumnBlock: ~Copyable {
    private let places: ClipColumnPlaces
    private let all: [ClipColumnPlaces.Place]
    private var bytes = GrowingRoom()
    /// Where the entries of each of `all` start in `bytes`.
    private var starts: [Int]
    private var first = 0

    init(_ places: ClipColumnPlaces) {
        self.places = places
        all = places.columns + [places.record] + places.statistics + places.extra
        starts = all.map { _ in 0 }
    }

    /// Bytes of a clip in all columns.
    static func width(_ places: ClipColumnPlaces) -> Int {
        (places.columns + [places.record] + places.statistics + places.extra).reduce(0) { $0 + $1.width }
    }

    /// Reads the entries of clips, instead of those before.
    ///
    /// - Throws: `StorageError`.
    mutating func read(_ clips: Range<Int>) throws(StorageError) {
        var count = 0
        for (index, place) in all.enumerated() {
            starts[index] = count
            // Numbers are aligned.
            count += (clips.count * place.width + 7) / 8 * 8
        }
        let target = bytes.room(count)
        for (index, place) in all.enumerated() {
            let part = starts[index]..<starts[index] + clips.count * place.width
            try places.file.descriptor.read(
                into: UnsafeMutableRawBufferPointer(rebasing: target[part]),
                at: place.offset + clips.lowerBound * place.width)
        }
        first = clips.lowerBound
    }

    /// The entry of a clip in a column of the table.
    func column(_ index: Int, _ clip: Int) -> UnsafeRawBufferPointer { entry(index, clip) }

    func record(_ clip: Int) -> UnsafeRawBufferPointer { entry(places.columns.count, clip) }

    func statistics(_ index: Int, _ clip: Int) -> UnsafeRawBufferPointer {
        entry(places.columns.count + 1 + index, clip)
    }

    func extra(_ index: Int, _ clip: Int) -> UnsafeRawBufferPointer {
        entry(places.columns.count + 1 + places.statistics.count + index, clip)
    }

    private func entry(_ index: Int, _ clip: Int) -> UnsafeRawBufferPointer {
        let start = starts[index] + (clip - first) * all[index].width
        return UnsafeRawBufferPointer(rebasing: bytes.filled[start..<start + all[index].width])
    }
}
