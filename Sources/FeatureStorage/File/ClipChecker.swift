import CKernels
import ClipSpool
import FeatureModel
import FileIO

/// Finds what is wrong with clips, for every way of reading a file. Each thread has one.
final class ClipChecker {
    /// Gives rows of a dataset as they are stored, valid until the next call.
    typealias Rows = (Range<Int>) throws(StorageError) -> UnsafeRawBufferPointer

    private let rules: ClipRules
    private let shape: TensorShape
    private var columns: ClipColumnBlock
    /// Nil: what `/clips` says of rows is believed.
    private let tensor: Rows?
    private let frameLabels: Rows?
    private let labelRows: Rows?
    /// Whether the rows of following clips are read together with those of one.
    private let readsAhead: Bool
    private var record = ByteBuffer(capacity: 4096)
    private var hash = XXH3Hash128()
    /// The clips in `columns`, and their rows of the label matrix.
    private var clips = 0..<0
    private var labels = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The rows that `window` holds, and the end of those that it may hold.
    private var windowRows = 0..<0
    private var window = UnsafeRawBufferPointer(start: nil, count: 0)
    private var last = 0
    private let kernels = veery_kernels_best()
    /// The columns that are looked at by name.
    private let (id, frameStart, frameCount, label, labelIndex): (Int, Int, Int, Int, Int)
    private let (start, duration, sampleRate, channels): (Int, Int, Int, Int)
    private let (tensorChecksum, frameLabelChecksum): (Int, Int)

    /// Bytes of rows that are read at a time; they stay in the second-level cache until they are checked.
    private static let windowBytes = 512 << 10
    /// The maximum number of clips whose columns are read through libhdf5 at a time, and of bytes of their statistics and labels.
    private static let (maximumClips, maximumBytes) = (1024, 16 << 20)

    /// - Parameters:
    ///   - columns: Those of the file.
    ///   - tensor: Reads rows of `/features`; nil: they are not looked at.
    ///   - frameLabels: Reads `/frame_label`; nil: there is none.
    ///   - labelRows: Reads `/clips/label_matrix`; nil: there is none, or one without values.
    ///   - readsAhead: Whether rows of several clips are read at once: an error may be that of any of them then.
    init(
        _ rules: ClipRules, _ columns: consuming ClipColumnBlock, tensor: Rows?, frameLabels: Rows?, labelRows: Rows?,
        readsAhead: Bool
    ) {
        (self.rules, shape) = (rules, rules.shape)
        self.columns = columns
        (self.tensor, self.frameLabels, self.labelRows, self.readsAhead) = (tensor, frameLabels, labelRows, readsAhead)
        func index(_ column: ClipColumn) -> Int { rules.table.columns.firstIndex(of: column) ?? 0 }
        (id, frameStart, frameCount) = (index(.text(.id)), index(.integer(.frameStart)), index(.integer(.frameCount)))
        (label, labelIndex) = (index(.text(.label)), index(.integer(.labelIndex)))
        (start, duration) = (index(.seconds(.start)), index(.seconds(.duration)))
        (sampleRate, channels) = (index(.integer(.sampleRate)), index(.integer(.channels)))
        tensorChecksum = index(.text(.tensorChecksum))
        frameLabelChecksum = index(.text(.frameLabelChecksum))
    }

    /// A checker that reads through libhdf5.
    ///
    /// - Parameter readsChecksums: Whether clips are compared with their checksums, and not only read.
    convenience init(_ file: FeatureFile, readsChecksums: Bool = true) {
        let rules = ClipRules(file)
        /// Rows, in a buffer of their own.
        func rows(
            _ rowBytes: Int, _ read: @escaping (Range<Int>, UnsafeMutableRawBufferPointer) throws(StorageError) -> Void
        ) -> Rows {
            let buffer = RowBuffer()
            return { rows throws(StorageError) in
                let target = buffer.bytes.reserve(rows.count * rowBytes)
                try read(rows, target)
                return UnsafeRawBufferPointer(target)
            }
        }
        self.init(
            rules,
            ClipColumnBlock(
                .library(
                    file,
                    readsChecksums
                        ? file.clipDatasets : Array(file.clipDatasets.prefix(rules.recordIndex)))),
            tensor: rows(rules.shape.rowBytes) { rows, target throws(StorageError) in
                try file.checkSize()
                try file.readStored(rows: rows, into: target)
            },
            frameLabels: !rules.table.hasFrameLabels
                ? nil
                : rows(4) { rows, target throws(StorageError) in
                    try file.frameLabels(ofRows: rows).withUnsafeBytes { target.copyMemory(from: $0) }
                },
            labelRows: !rules.table.hasLabelMatrix || rules.labels.isEmpty
                ? nil
                : rows(rules.labels.count) { clips, target throws(StorageError) in
                    target.copyBytes(from: try file.labelMatrix(ofClips: clips) ?? [])
                }, readsAhead: false)
    }

    private final class RowBuffer { var bytes = ScratchBuffer() }

    /// Reads the columns of clips that follow one another, to look at some of them.
    ///
    /// - Throws: `StorageError`.
    func read(_ clips: Range<Int>) throws(StorageError) {
        // What comes before the first clip says where its rows have to start.
        self.clips = max(clips.lowerBound - 1, 0)..<clips.upperBound
        try columns.read(self.clips)
        if let labelRows { labels = try labelRows(self.clips) }
        windowRows = 0..<0
        last = readsAhead ? end(of: clips.upperBound - 1) : 0
    }

    /// What is wrong with some clips, in their order; the columns of many are read together.
    ///
    /// - Throws: `StorageError` where something other than a clip's rows cannot be read.
    func findings(of wanted: [Int], most: Int) throws(StorageError) -> [FeatureFinding] {
        let size = blockClips
        var findings: [FeatureFinding] = []
        var next = 0
        while next < wanted.count, findings.count < most {
            var end = next
            while end < wanted.count, wanted[end] < wanted[next] + size { end += 1 }
            try read(wanted[next]..<wanted[end - 1] + 1)
            for clip in wanted[next..<end] where findings.count < most {
                let id = text(id, clip)
                findings += try self.findings(of: clip).map { FeatureFinding(clip: id, description: $0) }
            }
            next = end
        }
        return findings
    }

    /// What is wrong with a clip whose columns were read.
    func findings(of clip: Int) throws(StorageError) -> [String] {
        var findings: [String] = []
        let checksum = recordChecksum(clip)
        if !matches(checksum, rules.recordIndex, clip) {
            findings.append(
                "the columns of clip number \(clip) (from 0) have the checksum \(checksum), but record_xxh3 is "
                    + text(rules.recordIndex, clip))
        }
        let (first, count) = rows(of: clip)
        let expected = clip == 0 ? 0 : end(of: clip - 1)
        if first != expected { findings.append("expected the first row \(expected), found frame_start \(first)") }
        let (start, duration) = (columns.seconds(start, clip), columns.seconds(duration, clip))
        if !(start.isFinite && start >= 0 && duration.isFinite && duration >= 0) {
            findings.append("start \(start) s and duration \(duration) s are not those of a clip")
        }
        let (rate, channels) = (columns.integer(sampleRate, clip), columns.integer(channels, clip))
        if rate < 1 || channels < 1 {
            findings.append("expected a recording, found \(channels) channels at \(rate) Hz")
        }
        guard shape.contains(rows: count, from: first) else {
            let whole = shape.layout == .packed ? "the tensor of \(shape.rows)" : "its block of \(shape.frames)"
            return findings + ["rows \(first) and on, \(count) of them, lie outside \(whole)"]
        }
        let (index, name) = (columns.integer(labelIndex, clip), columns.text(label, clip))
        let isRight =
            index < 0
            ? name.isEmpty : rules.labels.indices.contains(index) && rules.labels[index].utf8.elementsEqual(name)
        if !isRight { findings.append("label_index \(index) is not that of the label '\(text(label, clip))'") }
        let (own, block) = (first..<first + count, first..<max(end(of: clip), first))
        try checkRows(clip, own, block, &findings)
        try checkFrameLabels(clip, own, block, &findings)
        return findings
    }

    // MARK: - Columns

    /// The first row of a clip and their number; those beyond any tensor as they are stored.
    private func rows(of clip: Int) -> (first: Int, count: Int) {
        func rows(_ index: Int) -> Int {
            let stored = columns.integer(index, clip)
            let (rows, overflow) = stored.multipliedReportingOverflow(by: shape.patchRows)
            return overflow ? stored : rows
        }
        return (rows(frameStart), rows(frameCount))
    }

    /// The end of a clip's block: the row that the next clip has to start with.
    func end(of clip: Int) -> Int {
        let (first, count) = rows(of: clip)
        guard shape.contains(rows: count, from: first) else { return max(0, min(first, shape.rows)) }
        return min(first + shape.blockRows(frameCount: count), shape.rows)
    }

    /// A clip as its columns have it.
    func clip(_ clip: Int) -> StoredClip {
        let table = rules.table
        func text(_ column: ClipColumn.Text) -> String {
            table.columns.firstIndex(of: .text(column)).map { self.text($0, clip) } ?? ""
        }
        func integer(_ column: ClipColumn.Integer) -> Int? {
            table.columns.firstIndex(of: .integer(column)).map { columns.integer($0, clip) }
        }
        let (first, count) = rows(of: clip)
        let labels = labelRow(clip)
        let measurement = ClipMeasurement(
            sampleRate: columns.integer(sampleRate, clip), channels: columns.integer(channels, clip),
            start: columns.seconds(start, clip), duration: columns.seconds(duration, clip),
            isTruncated: integer(.truncated) ?? 0 != 0, zeroedSamples: integer(.zeroedSamples) ?? 0,
            remarks: RecordingRemarks(rawValue: UInt32(truncatingIfNeeded: integer(.remarks) ?? 0)))
        return StoredClip(
            id: text(.id), path: text(.path), label: text(.label), split: text(.split),
            labelIndex: columns.integer(labelIndex, clip), measurement: measurement,
            channel: integer(.channel).flatMap { $0 == -1 ? nil : $0 }, frameStart: first, frameCount: count,
            computedRows: integer(.computedRows), audioChecksum: text(.audioChecksum),
            tensorChecksum: text(.tensorChecksum),
            extra: table.extra.indices.map { self.text(table.columns.count + $0, clip) },
            labelIndices: table.hasLabelMatrix ? labels.indices.filter { labels[$0] != 0 } : nil,
            frameLabelChecksum: text(.frameLabelChecksum))
    }

    /// Whether a clip's columns match their checksum.
    func hasRightRecord(_ clip: Int) -> Bool { matches(recordChecksum(clip), rules.recordIndex, clip) }

    /// Clips whose columns are read at a time.
    var blockClips: Int {
        let clipBytes = rules.statistics * shape.bins * MemoryLayout<Double>.size + rules.labels.count
        return max(1, min(Self.maximumClips, Self.maximumBytes / max(clipBytes, 1)))
    }

    /// The checksum that `record_xxh3` has to be: the bytes are those of `RecordChecksum`.
    private func recordChecksum(_ clip: Int) -> Checksum128 {
        record.truncate(to: 0)
        for (index, column) in rules.table.columns.enumerated() {
            switch column {
            case .text: append(columns.text(index, clip))
            case .integer(let column):
                let number = columns.integer(index, clip)
                // Any number but 0 means that the clip is truncated.
                record.append(Int64(column == .truncated ? min(number, 1) : number))
            case .seconds: record.append(columns.seconds(index, clip))
            }
        }
        record.append(labelRow(clip))
        for index in 0..<rules.statistics { record.append(columns[rules.recordIndex + 1 + index, clip]) }
        for (index, name) in rules.extra {
            record.append(stored: name)
            append(columns.text(rules.table.columns.count + index, clip))
        }
        return XXH3Hash128.checksum(of: record.bytes)
    }

    /// A clip's row of the label matrix; empty without one.
    private func labelRow(_ clip: Int) -> UnsafeRawBufferPointer {
        let (row, count) = (clip - clips.lowerBound, labelRows == nil ? 0 : rules.labels.count)
        return UnsafeRawBufferPointer(rebasing: labels[row * count..<(row + 1) * count])
    }

    /// Appends a text to the record, as it is read.
    private func append(_ text: UnsafeRawBufferPointer) {
        guard text.allSatisfy({ $0 < 0x80 }) else { return record.append(String(decoding: text, as: UTF8.self)) }
        record.append(UInt32(text.count))
        record.append(text)
    }

    private func text(_ index: Int, _ clip: Int) -> String {
        String(decoding: columns.text(index, clip), as: UTF8.self)
    }

    private func matches(_ checksum: Checksum128, _ index: Int, _ clip: Int) -> Bool {
        checksum.hasDigits(columns.text(index, clip))
    }

    // MARK: - Rows

    /// Compares a clip's rows with their checksum, and those after it with padding.
    private func checkRows(
        _ clip: Int, _ own: Range<Int>, _ block: Range<Int>, _ findings: inout [String]
    ) throws(StorageError) {
        guard let tensor else { return }
        let (rowBytes, bins) = (shape.rowBytes, shape.bins)
        var row = block.lowerBound
        var checksum: Checksum128?
        var (hasInfinite, hasForeign) = (false, false)
        hash.reset()
        while row < block.upperBound {
            if !windowRows.contains(row) {
                let end = min(row + max(1, Self.windowBytes / rowBytes), max(last, block.upperBound))
                windowRows = 0..<0
                do throws(StorageError) { window = try tensor(row..<end) } catch {
                    return findings.append("its rows cannot be read: \(error)")
                }
                windowRows = row..<end
            }
            let end = min(block.upperBound, windowRows.upperBound)
            let first = (row - windowRows.lowerBound) * rowBytes
            let bytes = UnsafeRawBufferPointer(rebasing: window[first..<first + (end - row) * rowBytes])
            let ownBytes = max(0, min(end, own.upperBound) - row) * rowBytes
            let values = UnsafeRawBufferPointer(rebasing: bytes[..<ownBytes])
            let padding = UnsafeRawBufferPointer(rebasing: bytes[ownBytes...])
            /// The row and bin of a value, and the value itself.
            func position(_ index: Int) -> (position: String, value: Float) {
                ("row \(row - own.lowerBound + index / bins), bin \(index % bins)", value(bytes, index))
            }
            if rules.looksAtValues, !hasInfinite, !areFinite(values) {
                let index = (0..<ownBytes / shape.element.size).first { !value(bytes, $0).isFinite } ?? 0
                findings.append("\(position(index).position) holds \(position(index).value)")
                hasInfinite = true
            }
            if !hasForeign, !isPadding(padding) {
                let indices = ownBytes / shape.element.size..<bytes.count / shape.element.size
                let index = indices.first { !TensorPadding.isPadding(value(bytes, $0), shape.layout) } ?? 0
                findings.append(
                    "\(position(index).position), after the clip, holds \(position(index).value) instead of "
                        + (shape.layout == .packed ? "nan" : "0"))
                hasForeign = true
            }
            if row == own.lowerBound, end >= own.upperBound {
                checksum = XXH3Hash128.checksum(of: values)
            } else {
                hash.update(values)
            }
            row = end
        }
        let found = checksum ?? hash.finish()
        if !matches(found, tensorChecksum, clip) {
            findings.append("the rows have the checksum \(found), but tensor_xxh3 is \(text(tensorChecksum, clip))")
        }
    }

    private func value(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Float {
        switch shape.element {
        case .float32: bytes.loadUnaligned(fromByteOffset: 4 * index, as: Float.self)
        case .float16: HalfPrecision.float(bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
        }
    }

    private func areFinite(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        return switch shape.element {
        case .float32: kernels.pointee.finite(start.assumingMemoryBound(to: Float.self), bytes.count / 4) != 0
        case .float16: kernels.pointee.finite_halves(start.assumingMemoryBound(to: UInt16.self), bytes.count / 2) != 0
        }
    }

    /// Whether values are those of rows that belong to no clip, to the bit.
    private func isPadding(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch shape.element {
        case .float32:
            let bits = shape.layout == .packed ? TensorPadding.notANumber : 0
            return bytes.assumingMemoryBound(to: UInt32.self).allSatisfy { UInt32(littleEndian: $0) == bits }
        case .float16:
            let bits = shape.layout == .packed ? TensorPadding.quietNaNHalf : 0
            return bytes.assumingMemoryBound(to: UInt16.self).allSatisfy { UInt16(littleEndian: $0) == bits }
        }
    }

    /// Compares the labels of a clip's frames with the names and their checksum; those after it have to be none.
    private func checkFrameLabels(
        _ clip: Int, _ own: Range<Int>, _ block: Range<Int>, _ findings: inout [String]
    ) throws(StorageError) {
        guard let frameLabels else { return }
        let step = Self.windowBytes / 4
        var hasUnknown = false
        hash.reset()
        for rows in block.blocks(of: step) {
            let bytes = try frameLabels(rows)
            let count = max(0, min(rows.upperBound, own.upperBound) - rows.lowerBound)
            for (index, bits) in bytes.assumingMemoryBound(to: Int32.self).enumerated() where !hasUnknown {
                let label = Int32(littleEndian: bits)
                guard label >= (index < count ? rules.frameLabelNames : 0) || label < -1 else { continue }
                hasUnknown = true
                findings.append(
                    "\(FrameLabels.dataset) holds \(label) at row \(rows.lowerBound - own.lowerBound + index)"
                        + (index < count ? ", of \(rules.frameLabelNames) names" : ", after the clip, instead of -1"))
            }
            hash.update(UnsafeRawBufferPointer(rebasing: bytes[..<(count * 4)]))
        }
        let found = hash.finish()
        if !matches(found, frameLabelChecksum, clip) {
            findings.append(
                "the labels of its frames have the checksum \(found), but frame_label_xxh3 is "
                    + text(frameLabelChecksum, clip))
        }
    }
}
