import FeatureModel
import FileIO

extension ClipTable {
    /// Makes all datasets but those of statistics, without writing to them.
    func create(_ clips: Int, _ widths: TextWidths, in hdf5: borrowing HDF5Writer) throws(StorageError) {
        try hdf5.group(Self.group)
        try hdf5.group(Self.extraGroup)
        for column in columns {
            switch column {
            case .text(let column): try hdf5.create(column.dataset, textWidth: column.width(widths), extents: [clips])
            case .integer(let column):
                try hdf5.create(column.dataset, of: column.type, extents: [clips])
                if column == .remarks {
                    try hdf5.attribute("flag_masks", RecordingRemarks.masks, of: column.dataset)
                    try hdf5.attribute("flag_meanings", RecordingRemarks.meanings, of: column.dataset)
                }
            case .seconds(let column):
                try hdf5.create(column.dataset, of: Double.self, extents: [clips])
                try hdf5.attribute("units", "s", of: column.dataset)
            }
        }
        try hdf5.create(Self.record, textWidth: FeatureFormat.checksumWidth, extents: [clips])
        for (name, width) in zip(extra, widths.extra) {
            try hdf5.create("\(Self.extraGroup)/\(name)", textWidth: width, extents: [clips])
        }
    }

    /// Writes the rows of clips, from `start` on, but their checksums and statistics.
    func write(
        _ clips: [StoredClip], from start: Int, _ widths: TextWidths, to hdf5: borrowing HDF5Writer
    ) throws(StorageError) {
        func write<Number: HDF5Number & FixedWidthInteger>(
            _ column: ClipColumn.Integer, as type: Number.Type, to hdf5: borrowing HDF5Writer
        ) throws(StorageError) {
            try hdf5.write(
                clips.map { Number(clamping: column.value($0, patchRows: patchRows)) }, to: column.dataset, from: start)
        }
        for column in columns {
            switch column {
            case .text(let column):
                try hdf5.write(clips.map(column.value), width: column.width(widths), to: column.dataset, from: start)
            case .integer(let column): try write(column, as: column.type, to: hdf5)
            case .seconds(let column): try hdf5.write(clips.map(column.value), to: column.dataset, from: start)
            }
        }
        for (index, name) in extra.enumerated() {
            try hdf5.write(
                clips.map { $0.extra[index] }, width: widths.extra[index], to: "\(Self.extraGroup)/\(name)", from: start
            )
        }
    }

    /// Reads `frame_start` or `frame_count` of the clips in `range` as numbers of rows; one that overflows, as it is stored.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    func rows(
        _ column: ClipColumn.Integer, _ range: Range<Int>, from file: borrowing HDF5File
    ) throws(StorageError) -> [Int] {
        let stored = try file.read(column, range)
        guard patchRows > 1 else { return stored }
        return stored.map { count in
            let (rows, overflow) = count.multipliedReportingOverflow(by: patchRows)
            return overflow ? count : rows
        }
    }

    /// Reads the rows of clips that were computed: before rows were added after normalisation or grouped.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    func computedRows(_ range: Range<Int>, from file: borrowing HDF5File) throws(StorageError) -> [Int] {
        has(.computedRows) ? try file.read(.computedRows, range) : try rows(.frameCount, range, from: file)
    }

    /// Reads what was measured of the recordings of the clips in `range`.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    func measurements(_ range: Range<Int>, from file: borrowing HDF5File) throws(StorageError) -> [ClipMeasurement] {
        let start = try file.read(.start, range)
        let duration = try file.read(.duration, range)
        let sampleRate = try file.read(.sampleRate, range)
        let channels = try file.read(.channels, range)
        let truncated = has(.truncated) ? try file.read(.truncated, range) : []
        let zeroed = has(.zeroedSamples) ? try file.read(.zeroedSamples, range) : []
        let remarks = has(.remarks) ? try file.read(.remarks, range) : []
        return start.indices.map { row in
            ClipMeasurement(
                sampleRate: sampleRate[row], channels: channels[row], start: start[row], duration: duration[row],
                isTruncated: !truncated.isEmpty && truncated[row] != 0, zeroedSamples: zeroed.isEmpty ? 0 : zeroed[row],
                remarks: RecordingRemarks(rawValue: remarks.isEmpty ? 0 : UInt32(truncatingIfNeeded: remarks[row])))
        }
    }
}

extension HDF5File {
    /// Reads a column of texts, one for each row in `range`.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    borrowing func column(_ name: String, _ range: Range<Int>) throws(StorageError) -> [String] {
        let (bytes, width) = try columnBytes(name, range)
        return FixedText.texts(bytes, width: width)
    }

    /// The same as their bytes, `width` of each.
    borrowing func columnBytes(_ name: String, _ range: Range<Int>) throws(StorageError) -> (bytes: [UInt8], width: Int)
    {
        let (bytes, width) = try textBytes(name, range: range)
        guard bytes.count == range.count * width else { throw notOneEach(name) }
        return (bytes, width)
    }

    /// The values of a column, of which a damaged file may have several for each row.
    fileprivate borrowing func oneEach<Value>(
        _ values: [Value], _ name: String, _ range: Range<Int>
    ) throws(StorageError) -> [Value] {
        guard values.count == range.count else { throw notOneEach(name) }
        return values
    }

    private func notOneEach(_ name: String) -> StorageError {
        .damaged(path: path, found: "\(name) does not have one value for each row")
    }

    /// Reads a column of `/clips`, for the clips in `range`.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    borrowing func read(_ text: ClipColumn.Text, _ range: Range<Int>) throws(StorageError) -> [String] {
        try column(text.dataset, range)
    }

    /// Reads a column of `/clips`, for the clips in `range`.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    borrowing func read(_ column: ClipColumn.Integer, _ range: Range<Int>) throws(StorageError) -> [Int] {
        func integers<Number: HDF5Number & FixedWidthInteger>(
            as type: Number.Type, _ file: borrowing HDF5File
        ) throws(StorageError) -> [Int] {
            try file.oneEach(file.read(column.dataset, as: Number.self, range: range), column.dataset, range).map {
                Int($0)
            }
        }
        return try integers(as: column.type, self)
    }

    /// Reads a column of `/clips`, for the clips in `range`.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    borrowing func read(_ column: ClipColumn.Seconds, _ range: Range<Int>) throws(StorageError) -> [Double] {
        try oneEach(read(column.dataset, as: Double.self, range: range), column.dataset, range)
    }
}
