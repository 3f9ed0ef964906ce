import Concurrency
import FileIO
import Synchronization

/// What a file says of all its clips, as far as clips are compared with it.
struct ClipRules: Sendable {
    let shape: TensorShape
    let table: ClipTable
    let labels: [String]
    let frameLabelNames: Int
    /// Statistics of each clip: the number of their datasets.
    let statistics: Int
    /// The columns that `/clips/extra` has, in the order in which they are hashed.
    let extra: [(index: Int, name: String)]
    /// Whether all values have to be finite, in addition to matching their checksum.
    let looksAtValues: Bool

    /// The index of the checksums of records in `FeatureFile.clipDatasets`.
    var recordIndex: Int { table.columns.count + table.extra.count }

    init(_ file: FeatureFile, looksAtValues: Bool = true) {
        (shape, table, labels) = (file.shape, file.table, file.header.labels)
        frameLabelNames = file.header.frameLabelNames?.count ?? 0
        statistics = file.header.normalize.storesClipStatistics ? FeatureFormat.statistics.count : 0
        extra = RecordChecksum.order(table.extra)
        self.looksAtValues = looksAtValues
    }
}

/// Confirms that clips are sound by their bytes, on any number of threads.
///
/// It does not report what is wrong with the others: they are checked again through libhdf5. So findings depend neither on threads
/// nor on whether a file can be read without libhdf5.
struct ClipConfirmation: Sendable {
    /// What is checked in addition to `/clips`.
    enum Rows {
        /// Nothing: what `/clips` says of rows is believed.
        case none
        /// The checksums of rows.
        case checksums
        /// Checksums, and whether all values are finite.
        case values
    }

    private let rules: ClipRules
    private let file: OpenFile
    private let locations: [ClipColumnBlock.Location]
    /// Nil: they are not read.
    private let (rows, frameLabels, labelRows): (StoredRows?, StoredRows?, StoredRows?)

    /// Clips that a thread looks at, at a time.
    private static let maximumClips = 256
    /// Bytes of their columns.
    private static let maximumBytes = 4 << 20

    /// - Returns: nil where only libhdf5 can read the file.
    init?(_ reader: FeatureFile, rows wanted: Rows = .values) throws(StorageError) {
        guard let locations = try reader.clipLocations() else { return nil }
        let table = reader.table
        let hasLabelRows = table.hasLabelMatrix && !reader.header.labels.isEmpty
        rows = wanted == .none ? nil : try reader.storedRows()
        frameLabels = table.hasFrameLabels ? try reader.storedFrameLabels() : nil
        labelRows = hasLabelRows ? try reader.storedLabelRows() : nil
        guard wanted == .none || rows != nil, !table.hasFrameLabels || frameLabels != nil,
            !hasLabelRows || labelRows != nil
        else { return nil }
        rules = ClipRules(reader, looksAtValues: wanted == .values)
        (file, self.locations) = (reader.file.bytes, locations)
    }

    /// Looks at clips from `first` on, until the last or until many are not confirmed.
    ///
    /// - Parameters:
    ///   - shouldStop: Whether to look at no more clips.
    ///   - meanwhile: Runs on the caller's thread while the others work.
    /// - Returns: The end of what was looked at, and the clips that are not confirmed, rising.
    func unconfirmed(
        from first: Int, most: Int, jobs: Int, shouldStop: @escaping @Sendable () -> Bool = { false },
        meanwhile: () -> Void = {}
    ) -> (end: Int, clips: [Int]) {
        let size = blockSize(jobs: jobs)
        let state = Mutex((next: first, others: [Int]()))
        @Sendable func work() {
            let checker = checker()
            while true {
                let block = state.withLock { state in
                    guard state.others.count < most, !shouldStop() else { return 0..<0 }
                    let block = state.next..<min(state.next + size, rules.shape.clips)
                    state.next = block.upperBound
                    return block
                }
                guard !block.isEmpty else { return }
                let others = Self.unconfirmed(block, checker)
                if !others.isEmpty { state.withLock { $0.others += others } }
            }
        }
        // The work throws nothing.
        try? WorkerPool.run(jobs, meanwhile: meanwhile) { _ in work() }
        return state.withLock { ($0.next, $0.others.sorted()) }
    }

    private static func unconfirmed(_ clips: Range<Int>, _ checker: ClipChecker) -> [Int] {
        do throws(StorageError) { try checker.read(clips) } catch { return Array(clips) }
        return clips.filter { clip in
            do throws(StorageError) { return try !checker.findings(of: clip).isEmpty } catch { return true }
        }
    }

    /// A checker that reads past libhdf5.
    private func checker() -> ClipChecker {
        func reader(_ rows: StoredRows?) -> ClipChecker.Rows? { rows.map { RowReader($0, in: file).bytes } }
        return ClipChecker(
            rules, ClipColumnBlock(.bytes(file, locations)), tensor: reader(rows), frameLabels: reader(frameLabels),
            labelRows: reader(labelRows), readsAhead: true)
    }

    /// Clips that a thread looks at, at a time; fewer where other threads would have no work.
    private func blockSize(jobs: Int) -> Int {
        let clipBytes = locations.reduce(labelRows?.rowBytes ?? 0) { $0 + $1.width }
        let fitting = Self.maximumBytes / max(clipBytes, 1)
        return max(1, min(Self.maximumClips, fitting, rules.shape.clips / (16 * max(jobs, 1))))
    }
}
