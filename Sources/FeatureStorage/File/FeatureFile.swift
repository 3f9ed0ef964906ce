import FeatureModel
import FileIO

/// One feature file: what it says of itself, its clips, their rows. The only type that reads its datasets.
///
/// Numbers of clips, rows and failures are those of this file, also where it is one of a set: `FeatureReader` is what the files of
/// a set are together. One thread at a time.
package final class FeatureFile {
    /// Path of the file.
    package let path: String
    /// The program that wrote the file, such as `veery 0.1.0`.
    let generator: String
    /// Version of the format.
    let formatVersion: String
    /// Checksum of everything that belongs to no stored clip, as 32 hexadecimal digits.
    package let metadataChecksum: String
    /// Everything in the file except rows, clips and failures.
    package let header: FeatureFileHeader
    /// The entries of `/provenance/remarks`; empty without it.
    let remarkTexts: [String]
    /// Its checksum, as 32 hexadecimal digits.
    let remarksChecksum: String?
    /// What is wrong with `/provenance/configuration_files`; nil: nothing.
    let inputsFinding: String?
    /// What is wrong with the attribute `root` of `/provenance`; nil: nothing.
    let rootFinding: String?
    /// Whether the file holds the kinds of failures.
    let storesFailureKind: Bool

    let file: HDF5File
    /// Maximum size of the tensor in bytes, once it is known.
    private var maximumBytes: Int?

    package var shape: TensorShape { header.shape }
    var rows: Int { shape.rows }
    var bins: Int { shape.bins }
    package var clipCount: Int { shape.clips }
    var table: ClipTable { header.table }

    /// Opens a file and checks that it is complete and of a known version.
    ///
    /// - Throws: `StorageError`: `.system` where there is no such file, `.notFeatures` where it is another kind of file
    ///   or incomplete, `.damaged` where parts are missing.
    package init(path: String) throws(StorageError) {
        let file = try FeatureFile.open(path)
        self.path = path
        generator = try file.text(attribute: "generator", of: "/") ?? ""
        formatVersion = try file.text(attribute: "format_version", of: "/") ?? ""
        metadataChecksum = try file.text(attribute: "metadata_xxh3", of: "/") ?? ""
        let hasRemarks = file.exists(StoredRemarks.dataset)
        remarkTexts = hasRemarks ? try file.texts(StoredRemarks.dataset) : []
        remarksChecksum =
            hasRemarks ? try file.text(attribute: StoredRemarks.attribute, of: StoredRemarks.dataset) : nil
        header = try FeatureFile.header(file, remarks: remarkTexts)
        rootFinding = try StoredRoot.read(file).finding
        inputsFinding = try StoredInputs.read(file).finding
        storesFailureKind = file.exists(FailureColumn.kind.dataset)
        self.file = file
    }

    /// The values of clips that summaries need, with one text of each.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    func figures(_ range: Range<Int>) throws(StorageError) -> [ClipFigures] {
        let labelIndex = try file.read(.labelIndex, range)
        let frameCount = try table.rows(.frameCount, range, from: file)
        let split = try file.read(.split, range)
        let measurements = try table.measurements(range, from: file)
        return split.indices.map { row in
            ClipFigures(
                labelIndex: labelIndex[row], split: split[row], frameCount: frameCount[row],
                measurement: measurements[row])
        }
    }

    /// The rows of `/failures` in `range`, in the manifest's order.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    func failures(_ range: Range<Int>) throws(StorageError) -> [StoredFailure] {
        try FailureColumn.read(range, hasKind: storesFailureKind, from: file)
    }

    /// The rows of `/features` that each clip has.
    ///
    /// - Throws: `StorageError`, `.damaged` where a clip's rows lie outside the tensor.
    func rowRanges(ofClips range: Range<Int>) throws(StorageError) -> [Range<Int>] {
        let starts = try table.rows(.frameStart, range, from: file)
        let counts = try table.rows(.frameCount, range, from: file)
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(starts.count)
        for (start, count) in zip(starts, counts) {
            let index = range.lowerBound + ranges.count
            ranges.append(try shape.rows(count, from: start, in: path, clip: "clip number \(index)"))
        }
        return ranges
    }

    /// The channels that the manifest named for clips; nil: as configured.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    func channels(ofClips range: Range<Int>) throws(StorageError) -> [Int?] {
        guard table.has(.channel) else { return range.map { _ in nil } }
        return try file.read(.channel, range).map { $0 == -1 ? nil : $0 }
    }

    /// Statistics of clips before normalisation, for those in `range`; nil where they were not normalised clip by clip.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    func statistics(ofClips range: Range<Int>) throws(StorageError) -> [BinStatistics]? {
        guard header.normalize.storesClipStatistics else { return nil }
        let counts = try table.computedRows(range, from: file)
        let columns = try storedStatistics(ofClips: range)
        return counts.indices.map { clip in
            BinStatistics(count: counts[clip], columns: columns.map { Array($0[clip * bins..<(clip + 1) * bins]) })
        }
    }

    /// Mean, std, min and max of clips as stored.
    func storedStatistics(ofClips range: Range<Int>) throws(StorageError) -> [[Double]] {
        var columns: [[Double]] = []
        for name in FeatureFormat.statistics {
            let values = try file.read("\(ClipTable.statistics)/\(name)", as: Double.self, range: range)
            guard values.count == range.count * bins else {
                throw .damaged(
                    path: path, found: "\(ClipTable.statistics)/\(name) does not have a row of \(bins) for each clip")
            }
            columns.append(values)
        }
        return columns
    }

    /// The rows of `/clips/label_matrix`, one after another; nil: the manifest had no column `labels`.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    func labelMatrix(ofClips range: Range<Int>) throws(StorageError) -> [UInt8]? {
        guard header.storesLabelMatrix else { return nil }
        return try LabelMatrix.rows(range, labels: header.labels.count, from: file)
    }

    /// The labels of rows of `/features`, those that belong to no clip included.
    ///
    /// - Precondition: The file has labels of frames, and these rows.
    func frameLabels(ofRows rows: Range<Int>) throws(StorageError) -> [Int32] {
        var labels: [Int32] = []
        labels.reserveCapacity(rows.count)
        for block in shape.blocks(of: rows) {
            var part = [Int32](repeating: FrameLabels.none, count: block.rows.count)
            try part.withUnsafeMutableBufferPointer { part throws(StorageError) in
                try file.read(
                    FrameLabels.dataset, as: Int32.self, start: block.start, count: block.count,
                    into: UnsafeMutableRawBufferPointer(part))
            }
            labels += part
        }
        return labels
    }

    /// Names in the root and in `/clips` that this program does not write.
    ///
    /// - Throws: `StorageError`.
    func foreignNames() throws(StorageError) -> [String] {
        try file.names(in: "/").map { "/" + $0 }.filter { !FeatureFormat.rootNames.contains($0) }
            + file.names(in: ClipTable.group).map { "\(ClipTable.group)/\($0)" }.filter {
                !ClipTable.names.contains($0)
            }
    }

    /// Refuses extents that the file is too small for, before memory is allocated for them.
    func checkSize() throws(StorageError) {
        let maximum = if let maximumBytes { maximumBytes } else { try file.maximumBytes(of: "/features") }
        maximumBytes = maximum
        guard let bytes = shape.byteCount, bytes <= maximum else {
            throw .damaged(
                path: path, found: "/features claims the extents \(shape.extents), more than the file can hold")
        }
    }
}
