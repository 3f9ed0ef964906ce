import AudioDecoding
import Checksums
import FeatureModel
import FeatureStorage
import Manifests
import SignalProcessing
import Synchronization

/// Compares the recordings of a manifest with those that a feature file was made from.
///
/// Times of files prove nothing, so every recording is decoded and its samples' checksum compared; a clip that had failed
/// has to fail again, for the same reason.
struct InputComparison {
    let manifest: Manifest
    let plan: FeaturePlan
    let root: String
    let policy: RecordingPolicy
    let jobs: Int
    let cancellation: Cancellation

    private static let blockSize = 4096

    /// What is known of a clip.
    enum Known: Sendable {
        case stored(audioChecksum: String)
        case failed(ClipFailure)
    }

    /// The path of the first recording that is not as it was; nil where all are.
    ///
    /// - Throws: `ManifestError` or `StorageError`.
    func firstDifference(from file: FeatureReader) throws -> String? {
        let clips = try manifest.reader()
        var (storedRow, failedRow) = (0, 0)
        while true {
            var block: [Clip] = []
            while block.count < Self.blockSize, let clip = try clips.next() { block.append(clip) }
            guard !block.isEmpty else { return nil }
            // The file has the manifest's clips in its order, each in one of two lists.
            let stored = try file.clips(storedRow..<min(storedRow + block.count, file.clipCount))
            let failed = try file.failures(failedRow..<min(failedRow + block.count, file.failureCount))
            var (nextStored, nextFailed) = (0, 0)
            var known: [Known] = []
            for clip in block {
                if nextStored < stored.count, stored[nextStored].id.utf8.elementsEqual(clip.id.utf8) {
                    known.append(.stored(audioChecksum: stored[nextStored].audioChecksum))
                    nextStored += 1
                } else if nextFailed < failed.count, failed[nextFailed].id.utf8.elementsEqual(clip.id.utf8) {
                    known.append(.failed(failed[nextFailed].failure))
                    nextFailed += 1
                } else {
                    return clip.path
                }
            }
            storedRow += nextStored
            failedRow += nextFailed
            if let place = try firstDifference(block, known) { return block[place].path }
        }
    }

    private func firstDifference(_ clips: [Clip], _ known: [Known]) throws -> Int? {
        let next = Atomic(0)
        let first = Mutex<Int?>(nil)
        let (plan, root, policy, cancellation) = (plan, root, policy, cancellation)
        try WorkerPool.run(min(jobs, clips.count)) { _ in
            let decoder = ClipDecoder(plan.configuration.audio, policy: policy)
            var hash = XXH3Hash128()
            while true {
                try cancellation.check()
                let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard place < clips.count, first.withLock({ ($0 ?? .max) > place }) else { return }
                if try !Self.isSame(clips[place], known[place], decoder, &hash, plan, root: root) {
                    first.withLock { $0 = min($0 ?? .max, place) }
                }
            }
        }
        return first.withLock { $0 }
    }

    /// Whether a clip's recording still has the same samples, or fails for the same reason.
    ///
    /// - Throws: `ExtractionError.unusableMachine`.
    static func isSame(
        _ clip: Clip, _ known: Known, _ decoder: ClipDecoder, _ hash: inout XXH3Hash128, _ plan: FeaturePlan,
        root: String
    ) throws(ExtractionError) -> Bool {
        hash.reset()
        var samples = 0
        let failure: ClipFailure?
        do throws(ClipFailure) {
            _ = try decoder.read(
                clip, path: ClipExtractor.location(of: clip.path, root: root), rate: Int(plan.sampleRate),
                decoded: { hash.update(UnsafeRawBufferPointer($0)) },
                receive: { samples += $0.count })
            failure = plan.frameCount(samples: samples) > 0 ? nil : ClipExtractor.tooShort(plan, samples: samples)
        } catch {
            guard !error.isOfMachine else { throw .unusableMachine(path: clip.path, reason: error.reason) }
            failure = error
        }
        switch known {
        case .stored(let checksum): return failure == nil && hash.finish().hex == checksum
        // A failure of the transform itself, or of the stored type, cannot show here; its samples were readable, and are.
        case .failed(let expected):
            return failure == expected
                || failure == nil && (expected == ClipExtractor.notFinite || expected.stage == .store)
        }
    }
}
