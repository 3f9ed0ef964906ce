import Archives
import AudioDecoding
import Checksums
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
    private let cancellation: Cancellation

    /// - Parameters:
    ///   - plan: What to compute.
    ///   - root: Folder that relative paths start from.
    ///   - policy: What becomes of recordings that are cut off, and of samples that are no numbers.
    ///   - writer: Takes finished clips.
    ///   - allocator: Reserves their rows in the feature file; nil: rows go to the spool.
    ///   - cancellation: Looked at several times a clip, if it is long.
    /// - Throws: `SignalError` if memory runs out.
    init(
        plan: FeaturePlan, root: String, policy: RecordingPolicy = RecordingPolicy(), writer: SpoolWriter,
        allocator: RowAllocator? = nil, cancellation: Cancellation
    ) throws(SignalError) {
        self.plan = plan
        self.allocator = allocator
        self.root = root
        self.writer = writer
        self.cancellation = cancellation
        clipFeatures = try ClipFeatureReader(plan, policy: policy)
        statistics = try StatisticsAccumulator(bins: plan.columns)
    }

    /// What became of a clip.
    enum Outcome {
        case finished(SpoolPosition, rows: Int, seconds: Double)
        case failed(SpoolPosition)
    }

    /// Announces the rows of clips of one recording, so that no other worker waits until each of them is opened.
    func announce(_ clips: [Clip]) {
        guard let allocator, clips.count > 1, let path = clips.first?.path else { return }
        let counts = clipFeatures.rowCounts(of: clips, path: Clip.location(of: path, root: root))
        for (clip, rows) in zip(clips, counts) { allocator.announce(clip.index, rows: rows) }
    }

    /// A recording that is not read from a file by its path.
    struct Recording: Sendable {
        /// Its bytes, which no others share their status with.
        let content: FileContent
        /// What the spool knows it by.
        let stamp: FileStamp
    }

    /// Computes a clip's features and spools them; a clip that fails is spooled as a failure.
    ///
    /// - Parameter recording: Nil: the clip's path tells.
    /// - Throws: What ends the run: `StorageError` if the spool cannot be written, `ExtractionError.cancelled`, `InputFault` if
    ///   the system is at fault.
    func extract(_ clip: Clip, _ recording: Recording? = nil) throws -> Outcome {
        try cancellation.check()
        // Taken before anything is read, so that a change during reading shows later.
        let path = recording == nil ? Clip.location(of: clip.path, root: root) : clip.path
        writer.start(clip: clip.index, recording: recording?.stamp ?? FileStamp(recording: path))
        statistics.reset()
        audioHash.reset()
        var storageError: StorageError?
        let finished: FinishedClip
        do throws(ClipFailure) {
            finished = try features(of: clip, path: path, recording?.content, &storageError)
        } catch {
            if let storageError { throw storageError }
            try cancellation.check()
            allocator?.fail(clip.index)
            guard !error.isSystemFault else { throw InputFault(path: clip.path, reason: error.reason) }
            return .failed(try writer.fail(error))
        }
        let position = try writer.finish(finished)
        return .finished(position, rows: finished.statistics.count, seconds: finished.duration)
    }

    /// The clip's rows, piece by piece into the spool.
    private func features(
        of clip: Clip, path: String, _ content: FileContent?, _ storageError: inout StorageError?
    ) throws(ClipFailure) -> FinishedClip {
        func spool(_ rows: UnsafeBufferPointer<Float>) throws(ClipFailure) {
            statistics.add(rows)
            do throws(StorageError) {
                try writer.append(rows)
            } catch {
                storageError = error
                throw .stopped
            }
        }
        let measurement = try clipFeatures.read(
            clip, path: path, content: content,
            opened: { rows in
                guard let allocator else { return }
                allocator.announce(clip.index, rows: rows)
                writer.reserve { allocator.take(clip.index) }
            },
            decoded: { audioHash.update(UnsafeRawBufferPointer($0)) },
            check: { () throws(ClipFailure) in
                if cancellation.isCancelled { throw ClipFailure.stopped }
            }, receive: spool)
        guard let statistics = statistics.statistics() else { throw .nonFiniteFeatures }
        guard plan.storedRowCount(statistics.count) > 0 else {
            throw ClipFailure.tooShort(plan, samples: clipFeatures.sampleCount)
        }
        guard plan.storedRowCount(statistics.count) <= Int(Int32.max) else {
            throw .tooManyFrames(plan.storedRowCount(statistics.count))
        }
        return FinishedClip(measurement: measurement, audioChecksum: audioHash.finish(), statistics: statistics)
    }
}
