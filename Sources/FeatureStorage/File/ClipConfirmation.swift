import CKernels
import Checksums
import ClipSpool
import Concurrency
import FeatureModel
import FileIO
import Synchronization

/// Confirms that clips are sound by their bytes, on any number of threads.
///
/// It does not report what is wrong with the others: `FeatureFile` checks those again through libhdf5, and words the findings. So
/// findings depend neither on threads nor on whether a file can be read without libhdf5.
struct ClipConfirmation: Sendable {
    /// What is looked at besides `/clips`.
    enum Rows {
        /// Nothing: what `/clips` says of rows is believed.
        case none
        /// The checksums of rows.
        case checksums
        /// Checksums, and whether all values are finite.
        case values
    }

    let shape: TensorShape
    let places: ClipColumnPlaces
    /// Nil: rows are not read.
    let rows: StoredRows?
    let looksAtValues: Bool
    /// Nil: frames have no labels.
    let frameLabels: StoredRows?
    let frameLabelNames: Int
    /// Nil: there is no label matrix, or one without values.
    let labelRows: StoredRows?
    let labels: [[UInt8]]
    /// The columns that `/clips/extra` has, in the order in which they are hashed.
    let extra: [(index: Int, name: String)]

    /// Clips that a thread looks at, at a time.
    private static let maximumClips = 256
    /// Bytes of their columns.
    private static let maximumBytes = 4 << 20

    /// - Returns: nil where only libhdf5 can read the file.
    init?(_ reader: FeatureFile, rows wanted: Rows = .values) throws(StorageError) {
        guard let places = try ClipColumnPlaces(reader) else { return nil }
        rows = wanted == .none ? nil : try reader.storedRows()
        guard wanted == .none || rows != nil else { return nil }
        looksAtValues = wanted == .values
        (shape, self.places) = (reader.shape, places)
        frameLabels = reader.table.hasFrameLabels ? try reader.storedFrameLabels() : nil
        guard !reader.table.hasFrameLabels || frameLabels != nil else { return nil }
        frameLabelNames = reader.header.frameLabelNames?.count ?? 0
        let hasLabelRows = reader.table.hasLabelMatrix && !reader.header.labels.isEmpty
        labelRows = hasLabelRows ? try reader.storedLabelRows() : nil
        guard !hasLabelRows || labelRows != nil else { return nil }
        labels = reader.header.labels.map { Array($0.utf8) }
        extra = RecordChecksum.order(reader.table.extra)
    }

    /// Looks at clips from `first` on, until the last or until many are not confirmed.
    ///
    /// - Parameters:
    ///   - shouldStop: Whether to look at no more clips.
    ///   - beside: Runs meanwhile, on the caller's thread.
    /// - Returns: The end of what was looked at, and the clips that are not confirmed, rising.
    func unconfirmed(
        from first: Int, most: Int, jobs: Int, shouldStop: @escaping @Sendable () -> Bool = { false },
        beside: () -> Void = {}
    ) -> (end: Int, clips: [Int]) {
        let size = blockSize(jobs: jobs)
        let state = Mutex((next: first, others: [Int]()))
        @Sendable func work() {
            let confirmer = ClipConfirmer(self)
            while true {
                let block = state.withLock { state in
                    guard state.others.count < most, !shouldStop() else { return 0..<0 }
                    let block = state.next..<min(state.next + size, places.clips)
                    state.next = block.upperBound
                    return block
                }
                guard !block.isEmpty else { return }
                let others = confirmer.unconfirmed(in: block)
                if !others.isEmpty { state.withLock { $0.others += others } }
            }
        }
        // The work throws nothing.
        try? WorkerPool.run(jobs, beside: beside) { _ in work() }
        return state.withLock { ($0.next, $0.others.sorted()) }
    }

    /// Clips that a thread looks at, at a time; fewer where other threads would have no work.
    private func blockSize(jobs: Int) -> Int {
        let room = Self.maximumBytes / max(ClipColumnBlock.width(places), 1)
        return max(1, min(Self.maximumClips, room, places.clips / (16 * max(jobs, 1))))
    }
}

/// A thread's part of a confirmation.
final class ClipConfirmer {
    private let confirmation: ClipConfirmation
    private let shape: TensorShape
    private var columns: ClipColumnBlock
    private let tensor: RowReader?
    private let frameLabels: RowReader?
    private let labelRows: RowReader?
    private var record = ByteBuffer(capacity: 4096)
    private var hash = XXH3Hash128()
    /// The rows that `window` holds.
    private var windowRows = 0..<0
    private var window = UnsafeRawBufferPointer(start: nil, count: 0)
    private let kernels = veery_kernels_best()
    /// The columns that are looked at by name.
    private let (frameStart, frameCount, label, labelIndex): (Int, Int, Int, Int)
    private let (start, duration, sampleRate, channels): (Int, Int, Int, Int)
    private let (tensorChecksum, frameLabelChecksum): (Int, Int)

    /// Bytes of rows that are read at a time; they stay in the second-level cache until they are checked.
    private static let windowBytes = 512 << 10

    init(_ confirmation: ClipConfirmation) {
        self.confirmation = confirmation
        shape = confirmation.shape
        columns = ClipColumnBlock(confirmation.places)
        tensor = confirmation.rows.map { RowReader($0, in: confirmation.places.file) }
        frameLabels = confirmation.frameLabels.map { RowReader($0, in: confirmation.places.file) }
        labelRows = confirmation.labelRows.map { RowReader($0, in: confirmation.places.file) }
        func index(_ column: ClipColumn) -> Int { confirmation.places.table.columns.firstIndex(of: column) ?? 0 }
        (frameStart, frameCount) = (index(.integer(.frameStart)), index(.integer(.frameCount)))
        (label, labelIndex) = (index(.text(.label)), index(.integer(.labelIndex)))
        (start, duration) = (index(.seconds(.start)), index(.seconds(.duration)))
        (sampleRate, channels) = (index(.integer(.sampleRate)), index(.integer(.channels)))
        tensorChecksum = index(.text(.tensorChecksum))
        frameLabelChecksum = index(.text(.frameLabelChecksum))
    }

    /// The clips that are not confirmed, of some that follow one another; rising.
    func unconfirmed(in clips: Range<Int>) -> [Int] {
        let read = max(clips.lowerBound - 1, 0)..<clips.upperBound
        do throws(StorageError) { try columns.read(read) } catch { return Array(clips) }
        windowRows = 0..<0
        var nextRow: Int? = clips.lowerBound == 0 ? 0 : ownRows(of: clips.lowerBound - 1)?.block.upperBound
        // Rows are read ahead as far as the last clip has them.
        let last = ownRows(of: clips.upperBound - 1)?.block.upperBound ?? 0
        var others: [Int] = []
        for clip in clips {
            let rows = ownRows(of: clip)
            let isConfirmed: Bool
            if let rows, rows.own.lowerBound == nextRow, columnsAreRight(clip) {
                do throws(StorageError) {
                    let areRight = try rowsAreRight(clip, rows.own, rows.block, readTo: last)
                    isConfirmed = areRight ? try labelsAreRight(clip, rows.own, rows.block) : false
                } catch {
                    isConfirmed = false
                }
            } else {
                isConfirmed = false
            }
            if !isConfirmed { others.append(clip) }
            nextRow = rows?.block.upperBound
        }
        return others
    }

    /// The rows of a clip, and those of its block; nil where they lie outside the tensor.
    private func ownRows(of clip: Int) -> (own: Range<Int>, block: Range<Int>)? {
        let (start, startOverflow) = integer(frameStart, clip).multipliedReportingOverflow(by: shape.patchRows)
        let (count, countOverflow) = integer(frameCount, clip).multipliedReportingOverflow(by: shape.patchRows)
        guard !startOverflow, !countOverflow, shape.contains(rows: count, from: start) else { return nil }
        let end = min(start + shape.blockRows(frameCount: count), shape.rows)
        return (start..<start + count, start..<max(end, start))
    }

    // MARK: - Columns

    private func columnsAreRight(_ clip: Int) -> Bool {
        guard recordIsRight(clip) else { return false }
        let (start, duration) = (seconds(start, clip), seconds(duration, clip))
        guard start.isFinite, start >= 0, duration.isFinite, duration >= 0, integer(sampleRate, clip) >= 1,
            integer(channels, clip) >= 1
        else { return false }
        let (index, text) = (integer(labelIndex, clip), Self.text(columns.column(label, clip)))
        if index < 0 { return text.isEmpty }
        return index < confirmation.labels.count && confirmation.labels[index].elementsEqual(text)
    }

    /// Compares the columns with `record_xxh3`: the bytes are those of `RecordChecksum`.
    private func recordIsRight(_ clip: Int) -> Bool {
        record.truncate(to: 0)
        for (index, column) in confirmation.places.table.columns.enumerated() {
            switch column {
            case .text: guard append(columns.column(index, clip)) else { return false }
            case .integer(let column):
                let number = integer(index, clip)
                // Anything but 0 reads as 1.
                guard column != .truncated || number <= 1 else { return false }
                record.append(Int64(number))
            case .seconds: record.append(seconds(index, clip))
            }
        }
        if let labelRows {
            guard let row = try? labelRows.bytes(clip..<clip + 1) else { return false }
            record.append(row)
        }
        for index in confirmation.places.statistics.indices { record.append(columns.statistics(index, clip)) }
        for (index, name) in confirmation.extra {
            record.append(stored: name)
            guard append(columns.extra(index, clip)) else { return false }
        }
        return Self.matches(XXH3Hash128.checksum(of: record.bytes), columns.record(clip))
    }

    /// Appends a text to the record, unless it would be read as another.
    private func append(_ entry: UnsafeRawBufferPointer) -> Bool {
        let text = Self.text(entry)
        guard text.allSatisfy({ $0 < 0x80 }) || String(decoding: text, as: UTF8.self).utf8.elementsEqual(text) else {
            return false
        }
        record.append(UInt32(text.count))
        record.append(text)
        return true
    }

    /// An entry without the zero bytes at its end.
    private static func text(_ entry: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var count = entry.count
        while count > 0, entry[count - 1] == 0 { count -= 1 }
        return UnsafeRawBufferPointer(rebasing: entry[..<count])
    }

    /// Whether a text is that of a checksum.
    private static func matches(_ checksum: Checksum128, _ entry: UnsafeRawBufferPointer) -> Bool {
        checksum.hasDigits(text(entry))
    }

    private func integer(_ index: Int, _ clip: Int) -> Int {
        let entry = columns.column(index, clip)
        return switch entry.count {
        case 1: Int(entry[0])
        case 4: Int(Int32(littleEndian: entry.loadUnaligned(as: Int32.self)))
        default: Int(Int64(littleEndian: entry.loadUnaligned(as: Int64.self)))
        }
    }

    private func seconds(_ index: Int, _ clip: Int) -> Double {
        Double(bitPattern: UInt64(littleEndian: columns.column(index, clip).loadUnaligned(as: UInt64.self)))
    }

    // MARK: - Rows

    /// Whether a clip's rows match their checksum (and are finite), and those after it are padding.
    private func rowsAreRight(
        _ clip: Int, _ own: Range<Int>, _ block: Range<Int>, readTo last: Int
    ) throws(StorageError) -> Bool {
        guard let tensor else { return true }
        let rowBytes = shape.rowBytes
        var row = block.lowerBound
        var checksum: Checksum128?
        hash.reset()
        while row < block.upperBound {
            if !windowRows.contains(row) {
                let count = max(1, Self.windowBytes / rowBytes)
                let end = min(row + count, max(last, block.upperBound))
                windowRows = 0..<0
                window = try tensor.bytes(row..<end)
                windowRows = row..<end
            }
            let end = min(block.upperBound, windowRows.upperBound)
            let first = (row - windowRows.lowerBound) * rowBytes
            let bytes = UnsafeRawBufferPointer(rebasing: window[first..<first + (end - row) * rowBytes])
            let ownBytes = max(0, min(end, own.upperBound) - row) * rowBytes
            let values = UnsafeRawBufferPointer(rebasing: bytes[..<ownBytes])
            let padding = UnsafeRawBufferPointer(rebasing: bytes[ownBytes...])
            guard !confirmation.looksAtValues || areFinite(values), isFilling(padding) else {
                return false
            }
            if row == own.lowerBound, end >= own.upperBound {
                checksum = XXH3Hash128.checksum(of: values)
            } else {
                hash.update(values)
            }
            row = end
        }
        return Self.matches(checksum ?? hash.finish(), columns.column(tensorChecksum, clip))
    }

    private func areFinite(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        return switch shape.element {
        case .float32: kernels.pointee.finite(start.assumingMemoryBound(to: Float.self), bytes.count / 4) != 0
        case .float16: kernels.pointee.finite_halves(start.assumingMemoryBound(to: UInt16.self), bytes.count / 2) != 0
        }
    }

    /// Whether values are those of rows that belong to no clip, to the bit.
    private func isFilling(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch shape.element {
        case .float32:
            let bits = shape.layout == .packed ? TensorFilling.notANumber : 0
            return bytes.assumingMemoryBound(to: UInt32.self).allSatisfy { UInt32(littleEndian: $0) == bits }
        case .float16:
            let bits = shape.layout == .packed ? TensorFilling.quietNaNHalf : 0
            return bytes.assumingMemoryBound(to: UInt16.self).allSatisfy { UInt16(littleEndian: $0) == bits }
        }
    }

    /// Whether the labels of a clip's frames have names and match their checksum, and those after it are none.
    private func labelsAreRight(_ clip: Int, _ own: Range<Int>, _ block: Range<Int>) throws(StorageError) -> Bool {
        guard let frameLabels else { return true }
        let step = Self.windowBytes / 4
        hash.reset()
        for start in stride(from: block.lowerBound, to: block.upperBound, by: step) {
            let rows = start..<min(start + step, block.upperBound)
            let bytes = try frameLabels.bytes(rows)
            let count = max(0, min(rows.upperBound, own.upperBound) - start)
            for (index, bits) in bytes.assumingMemoryBound(to: Int32.self).enumerated() {
                let label = Int32(littleEndian: bits)
                guard label < (index < count ? confirmation.frameLabelNames : 0), label >= -1 else { return false }
            }
            hash.update(UnsafeRawBufferPointer(rebasing: bytes[..<(count * 4)]))
        }
        return Self.matches(hash.finish(), columns.column(frameLabelChecksum, clip))
    }
}
