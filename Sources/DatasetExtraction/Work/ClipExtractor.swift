import Archives
import AudioDecoding
import ClipFeatures
import ClipSpool
import Concurrency
import FeatureModel
import FeatureStorage
import FileIO
import SignalProcessing

/// One worker: takes clips on their way from a recording to the spool.
final class ClipExtractor {
    private let plan: FeaturePlan
    private let root: String
    private let clipFeatures: ClipFeatureReader
    private let statistics: StatisticsAccumulator
    private var audioHash = XXH3Hash128()
    private let writer: SpoolWriter
    private let allocator: RowAllocator?
    /// Records what decodes clips, before the clips count.
    private let log: MachineLog?
    private var logged: Set<DecodingLibrary> = []
    private let cancellation: Cancellation
    private var rowCount = 0
    /// The maximum number of rows of a clip that is gathered.
    private let longRows: Int
    /// How long a finished clip may stay in memory.
    private let longestStay: Duration

    /// - Parameters:
    ///   - plan: What to compute.
    ///   - root: Folder that relative paths start from.
    ///   - policy: What becomes of recordings that are cut off, and of samples that are not numbers.
    ///   - writer: Takes finished clips.
    ///   - allocator: Reserves their rows in the feature file; nil: rows go to the spool.
    ///   - log: Records what decodes clips; nil: that is not recorded.
    ///   - skipped: Counts sound that is decoded only to reach a clip.
    ///   - longestStay: How long a finished clip may stay in memory.
    ///   - cancellation: Looked at several times a clip, if it is long.
    /// - Throws: `SignalError` if memory runs out.
    init(
        plan: FeaturePlan, root: String, policy: RecordingPolicy = RecordingPolicy(), writer: SpoolWriter,
        allocator: RowAllocator? = nil, log: MachineLog? = nil, skipped: SkippedSound? = nil,
        longestStay: Duration = .zero, cancellation: Cancellation
    ) throws(SignalError) {
        self.plan = plan
        self.allocator = allocator
        self.log = log
        self.root = root
        self.writer = writer
        self.cancellation = cancellation
        self.longestStay = longestStay
        longRows = SpoolWriter.gatheredClipSize / (plan.rowWidth * MemoryLayout<Float>.size)
        clipFeatures = try ClipFeatureReader(plan, policy: policy, keepsRests: true, skipped: skipped)
        statistics = try StatisticsAccumulator(bins: plan.columns, hasRests: plan.hasRests)
    }

    /// The clips that the operating system has had since the last call.
    func takeWritten() -> [WrittenClip] { writer.takeWritten() }

    /// Ends a block of clips. The rows after it are those of another worker's clips.
    ///
    /// - Returns: The rows of its finished clips.
    /// - Throws: `StorageError`.
    func endBlock() throws(StorageError) -> Int {
        defer { rowCount = 0 }
        try writer.flushMany()
        return rowCount
    }

    /// Writes the finished clips that are in memory.
    ///
    /// - Throws: `StorageError`, once it has written what can be.
    func flush() throws(StorageError) { try writer.flush(ifOlderThan: .zero) }

    /// Announces the rows of a block's clips if they are of one recording, so that no other worker waits until each of them is
    /// opened.
    func announce(_ clips: [Clip]) {
        guard let allocator, let path = clips.first?.path, clips.count > 1,
            clips.allSatisfy({ $0.path.utf8.elementsEqual(path.utf8) })
        else { return }
        let counts = clipFeatures.rowCounts(of: clips, path: Clip.location(of: path, root: root))
        for (clip, rows) in zip(clips, counts) { allocator.announce(clip.index, rows: rows) }
    }

    /// Announces the rows of the rest of a block before a long clip, for which other workers would wait otherwise.
    private func announceOthers(_ clips: ArraySlice<Clip>, _ allocator: RowAllocator) {
        for clip in clips where !allocator.isAnnounced(clip.index) {
            allocator.announce(
                clip.index, rows: clipFeatures.rowCountAside(of: clip, path: Clip.location(of: clip.path, root: root)))
        }
    }

    /// A recording that is not read from a file by its path.
    struct Recording: Sendable {
        /// Its bytes, which no others share their status with.
        let content: FileContent
        /// What the spool knows it by.
        let stamp: FileStamp
    }

    /// Computes a clip's features and spools them; a clip that fails is spooled as a failure. `takeWritten` returns it once the
    /// operating system has it.
    ///
    /// - Parameters:
    ///   - recording: Nil: that at the clip's path.
    ///   - following: Clips that this worker will take next.
    /// - Throws: What ends the run: `StorageError` if the spool cannot be written, `ExtractionError.cancelled`, `InputFault` if
    ///   the system is at fault.
    func extract(_ clip: Clip, _ recording: Recording? = nil, before following: ArraySlice<Clip> = []) throws {
        try cancellation.check()
        try writer.flush(ifOlderThan: longestStay)
        let path = recording == nil ? Clip.location(of: clip.path, root: root) : clip.path
        // Taken before anything is read, so that a change during reading shows later.
        let status = recording == nil ? FileStatus(path: path) : nil
        writer.start(
            clip: clip.index, recording: recording?.stamp ?? status?.stamp ?? FileStamp(recording: path))
        statistics.reset()
        audioHash.reset()
        var storageError: StorageError?
        let finished: FinishedClip
        do throws(ClipFailure) {
            finished = try features(
                of: clip, path: path, recording?.content, status, before: following, &storageError)
        } catch {
            if let storageError { throw storageError }
            try cancellation.check()
            allocator?.fail(clip.index)
            guard !error.isSystemFault else { throw InputFault(path: clip.path, reason: error.reason) }
            try logLibraries()
            return try writer.gather(error)
        }
        try logLibraries()
        rowCount += finished.statistics.count
        try writer.gather(finished)
    }

    /// Notes libraries that no clip before was decoded by.
    private func logLibraries() throws(StorageError) {
        guard let log, clipFeatures.libraries != logged else { return }
        try log.note(clipFeatures.libraries)
        logged = clipFeatures.libraries
    }

    /// The clip's rows, piece by piece into the spool.
    private func features(
        of clip: Clip, path: String, _ content: FileContent?, _ status: FileStatus?,
        before following: ArraySlice<Clip>, _ storageError: inout StorageError?
    ) throws(ClipFailure) -> FinishedClip {
        func store(_ store: () throws(StorageError) -> Void) throws(ClipFailure) {
            do throws(StorageError) {
                try store()
            } catch {
                storageError = error
                throw .stopped
            }
        }
        let measurement = try clipFeatures.read(
            clip, path: path, content: content, status: status,
            opened: { rows in
                guard let allocator else { return }
                allocator.announce(clip.index, rows: rows)
                if let rows, rows > longRows { announceOthers(following, allocator) }
                writer.reserve { allocator.take(clip.index) }
            },
            decoded: { audioHash.update(UnsafeRawBufferPointer($0)) },
            check: { () throws(ClipFailure) in
                if cancellation.isCancelled { throw ClipFailure.stopped }
                try store { () throws(StorageError) in try writer.flush(ifOlderThan: longestStay) }
            },
            receive: { rows throws(ClipFailure) in
                statistics.add(rows)
                try store { () throws(StorageError) in try writer.append(rows) }
            })
        let audioChecksum = audioHash.finish()
        try clip.checkAudio(audioChecksum.hex)
        guard let statistics = statistics.statistics() else { throw .nonFiniteFeatures }
        guard plan.storedRowCount(statistics.count) > 0 else {
            throw ClipFailure.tooShort(plan, samples: clipFeatures.sampleCount)
        }
        guard plan.storedRowCount(statistics.count) <= Int(Int32.max) else {
            throw .tooManyFrames(plan.storedRowCount(statistics.count))
        }
        return FinishedClip(
            measurement: measurement, audioChecksum: audioChecksum, statistics: statistics, hasRests: plan.hasRests)
    }
}
