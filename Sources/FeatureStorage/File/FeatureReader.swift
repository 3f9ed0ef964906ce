import ClipSpool
import FeatureModel

/// Reads a feature file: what it says of itself, its clips, their rows.
///
/// Only the small parts stay in memory; clips and rows are read on demand. One thread at a time. What the header says can be
/// named without it: `reader.labels`.
@dynamicMemberLookup
public final class FeatureReader {
    /// Path of the file.
    public let path: String
    /// The program that wrote the file, such as `veery 0.1.0`.
    public let generator: String
    /// Version of the format.
    public let formatVersion: String
    /// Checksum of everything that belongs to no stored clip, as 32 hexadecimal digits.
    public let metadataChecksum: String
    /// Everything in the file besides rows, clips and failures; `normalize.fit` is that of the statistics.
    public let header: FeatureFileHeader
    /// Whether the file holds the kinds of failures, as all of format 1.1 by this program do.
    public let storesFailureKind: Bool

    let file: HDF5File
    /// Maximum size of the tensor in bytes, once it is known.
    private var maximumBytes: Int?
    private var clipIndex: ClipIndex?

    /// How the tensor lies in the file.
    public var shape: TensorShape { header.shape }
    /// Statistics of the values before normalisation.
    public var statistics: BinStatistics { header.statistics }
    /// Number of rows of `/features`, those that belong to no clip included.
    public var rows: Int { shape.rows }
    /// Number of values in a row.
    public var bins: Int { shape.bins }
    /// Number of stored clips.
    public var clipCount: Int { shape.clips }
    var table: ClipTable { header.table }

    /// Opens a file and checks that it is complete and of a known version.
    ///
    /// - Throws: `StorageError`: `.system` where there is no such file, `.notFeatures` where it is another kind of file
    ///   or incomplete, `.damaged` where parts are missing.
    public init(path: String) throws(StorageError) {
        let file = try FeatureReader.open(path)
        self.path = path
        generator = try file.text(attribute: "generator", of: "/") ?? ""
        formatVersion = try file.text(attribute: "format_version", of: "/") ?? ""
        metadataChecksum = try file.text(attribute: "metadata_xxh3", of: "/") ?? ""
        header = try FeatureReader.header(file)
        storesFailureKind = file.exists(FailureColumn.kind.dataset)
        self.file = file
    }

    /// A value of the header.
    public subscript<Value>(dynamicMember path: KeyPath<FeatureFileHeader, Value>) -> Value { header[keyPath: path] }

    /// The rows of `/clips` in `range`, in the file's order.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    public func clips(_ range: Range<Int>) throws(StorageError) -> [StoredClip] {
        try table.read(range, labels: header.labels.count, from: file)
    }

    /// The values of clips that summaries need, with one text of each.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    public func figures(_ range: Range<Int>) throws(StorageError) -> [ClipFigures] {
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
    public func failures(_ range: Range<Int>) throws(StorageError) -> [StoredFailure] {
        try FailureColumn.read(range, hasKind: storesFailureKind, from: file)
    }

    /// The clip with an index among the stored ones, from 0.
    ///
    /// - Throws: `StorageError`, also where there is none.
    public func clip(at index: Int) throws(StorageError) -> StoredClip {
        guard index >= 0, index < clipCount, let clip = try clips(index..<index + 1).first else {
            throw .noSuchClip(path: path, id: "number \(index) of \(clipCount), from 0")
        }
        return clip
    }

    /// The clip with an id.
    ///
    /// - Throws: `StorageError.noSuchClip`, or another.
    /// - Complexity: The first time O(clips), with twelve bytes of memory for each; then O(log clips).
    public func clip(id: String) throws(StorageError) -> StoredClip {
        guard let index = try index(ofClip: id) else { throw .noSuchClip(path: path, id: id) }
        return try clip(at: index)
    }

    /// The index of the clip with an id among the stored ones, from 0; nil: there is none.
    ///
    /// - Throws: `StorageError`.
    /// - Complexity: That of `clip(id:)`.
    public func index(ofClip id: String) throws(StorageError) -> Int? {
        let table = if let clipIndex { clipIndex } else { try ClipIndex(self) }
        clipIndex = table
        for index in table.candidates(id) {
            let found = try file.read(.id, index..<index + 1)
            if found.first.map({ $0.utf8.elementsEqual(id.utf8) }) == true { return index }
        }
        return nil
    }

    /// Rows of `/features`, as stored; in the fixed layout counted through all clips' blocks.
    ///
    /// - Throws: `StorageError`, `.damaged` where the range lies outside.
    public func rows(_ range: Range<Int>) throws(StorageError) -> FeatureMatrix {
        guard range.lowerBound >= 0, range.upperBound <= rows else {
            throw .damaged(path: path, found: "/features has \(rows) rows, but row \(range.upperBound - 1) is needed")
        }
        try checkSize()
        var values = [Float](repeating: 0, count: range.count * bins)
        try values.withUnsafeMutableBufferPointer { values throws(StorageError) in try read(range, into: values) }
        return FeatureMatrix(bins: bins, values: values)
    }

    /// A clip's rows, as stored.
    ///
    /// - Throws: `StorageError`, `.damaged` where the clip's rows lie outside the tensor.
    public func features(of clip: StoredClip) throws(StorageError) -> FeatureMatrix {
        guard shape.contains(rows: clip.frameCount, from: clip.frameStart) else {
            throw .damaged(
                path: path,
                found: "clip '\(clip.id)' has rows from \(clip.frameStart), \(clip.frameCount) of them, of \(rows)")
        }
        return try rows(clip.frameStart..<clip.frameStart + clip.frameCount)
    }

    /// Length of all clips together in seconds, added up in their order.
    ///
    /// - Throws: `StorageError`.
    package func totalDuration() throws(StorageError) -> Double {
        var total = 0.0
        for start in stride(from: 0, to: clipCount, by: 65_536) {
            let range = start..<min(start + 65_536, clipCount)
            for duration in try file.read(.duration, range) { total += duration }
        }
        return total
    }

    /// Statistics of clips before normalisation, for those in `range`; nil where they were not normalised clip by clip.
    ///
    /// - Throws: `StorageError`, also where the range lies outside.
    /// - Complexity: O(clips in `range`), with 56 bytes of memory for each and each bin.
    public func statistics(ofClips range: Range<Int>) throws(StorageError) -> [BinStatistics]? {
        guard header.normalize.storesClipStatistics else { return nil }
        let counts = try table.computedRows(range, from: file)
        let columns = try figures(ofClips: range)
        return counts.indices.map { clip in
            func row(_ column: Int) -> [Double] { Array(columns[column][clip * bins..<(clip + 1) * bins]) }
            return BinStatistics(
                count: counts[clip], mean: row(0), standardDeviation: row(1), minimum: row(2).map { Float($0) },
                maximum: row(3).map { Float($0) })
        }
    }

    /// Mean, std, min and max of clips as stored.
    func figures(ofClips range: Range<Int>) throws(StorageError) -> [[Double]] {
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

    /// The offset of the tensor in the file, for mapping it into memory; nil where it has none.
    ///
    /// - Throws: `StorageError`.
    public func featuresOffset() throws(StorageError) -> Int? { try file.offset(of: "/features") }

    /// Reads rows of the tensor to memory, converting them.
    private func read(_ range: Range<Int>, into values: UnsafeMutableBufferPointer<Float>) throws(StorageError) {
        for block in shape.blocks(of: range) {
            let first = (block.rows.lowerBound - range.lowerBound) * bins
            let (start, count) = shape.selection(block)
            let part = UnsafeMutableBufferPointer(rebasing: values[first..<first + block.rows.count * bins])
            try read(start: start, count: count, into: part)
            if let order = ChannelOrder(shape) { join(order, part, clips: count[0]) }
        }
    }

    /// Lays the channels of whole or partial blocks side by side.
    private func join(_ order: ChannelOrder, _ values: UnsafeMutableBufferPointer<Float>, clips: Int) {
        guard let target = values.baseAddress, clips > 0 else { return }
        let copy = Array(values)
        let size = values.count / clips
        copy.withUnsafeBufferPointer { copy in
            guard let source = copy.baseAddress else { return }
            for clip in 0..<clips { order.join(source + clip * size, rows: size / bins, into: target + clip * size) }
        }
    }

    private func read(start: [Int], count: [Int], into values: UnsafeMutableBufferPointer<Float>) throws(StorageError) {
        guard shape.element == .float16 else {
            return try file.read("/features", as: Float.self, start: start, count: count, into: values)
        }
        var failure: StorageError?
        withUnsafeTemporaryAllocation(of: Half.self, capacity: values.count) { halves in
            do throws(StorageError) {
                try file.read("/features", as: Half.self, start: start, count: count, into: halves)
                halves.withMemoryRebound(to: UInt16.self) {
                    HalfPrecision.decode(UnsafeBufferPointer($0), into: values)
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
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
