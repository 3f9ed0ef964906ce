import Archives
import AudioDecoding
import Checksums
import ClipFeatures
import Concurrency
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import Presentation
import SignalProcessing
import Synchronization

/// Compares the recordings of a manifest with those that a feature file was made from.
///
/// Times of files prove nothing, so every recording is decoded and its samples' checksum compared; a failed clip must fail again,
/// for the same reason.
struct InputComparison {
    let extraction: Extraction
    let cancellation: Cancellation

    private static let blockSize = 4096
    private static let maximumNamed = 5

    /// What is known of a clip.
    enum Known: Sendable {
        case stored(audioChecksum: String, sampleRate: Int, remarks: RecordingRemarks)
        /// The file would say the same of the recording, to the last bit.
        case exactly(StoredClip)
        case failed(FailureRecord)

        init(_ clip: StoredClip) {
            self = .stored(audioChecksum: clip.audioChecksum, sampleRate: clip.sampleRate, remarks: clip.remarks)
        }
    }

    /// The path of the first recording that has changed; nil: none has.
    ///
    /// - Throws: `ManifestError` or `StorageError`.
    func firstDifference(from file: FeatureReader) throws -> String? {
        let clips = try extraction.source.reader()
        var cursor = FeatureFileCursor(file)
        while true {
            let block = try clips.next(Self.blockSize)
            guard !block.isEmpty else { return nil }
            var known: [Known] = []
            for clip in block {
                switch try cursor.find(clip) {
                case .stored(let clip): known.append(Known(clip))
                case .failed(let failure): known.append(.failed(failure))
                case nil: return clip.path
                }
            }
            if let index = try differences(block, known, stopsAtFirst: true).first { return block[index].path }
        }
    }

    /// Compares the recordings of the clips that `--append` keeps; other clips of the manifest are skipped.
    ///
    /// A missing recording cannot contradict the file: its clips are only counted.
    ///
    /// - Throws: `ExtractionError.staleClips` if recordings have changed, `InputFault`, `.cancelled`;
    ///   `ManifestError` or `StorageError`.
    /// - Returns: How many kept clips have no recording to compare with, and the path of the first.
    /// - Complexity: Decodes every recording that exists.
    func checkKept(in file: FeatureReader) throws -> MissingRecordings {
        let clips = try extraction.source.reader()
        var cursor = StoredClipCursor(file)
        var wanted = try cursor.next()
        var missing = MissingRecordings()
        var (stale, names) = (0, [String]())
        while wanted != nil {
            try cancellation.check()
            var (block, known): ([Clip], [Known]) = ([], [])
            while block.count < Self.blockSize, let stored = wanted, let clip = try clips.next() {
                guard stored.id.utf8.elementsEqual(clip.id.utf8) else { continue }
                wanted = try cursor.next()
                if FileStamp(recording: Clip.location(of: clip.path, root: extraction.options.root)) == .absent {
                    missing.add(clip.path)
                } else {
                    block.append(clip)
                    known.append(Known(stored))
                }
            }
            guard !block.isEmpty else { break }
            for index in try differences(block, known, stopsAtFirst: false) {
                stale += 1
                let path = block[index].path
                guard names.count <= Self.maximumNamed, !names.contains(where: { $0.utf8.elementsEqual(path.utf8) })
                else {
                    continue
                }
                names.append(names.count < Self.maximumNamed ? path : "…")
            }
        }
        guard stale == 0 else { throw ExtractionError.staleClips(path: file.path, count: stale, recordings: names) }
        return missing
    }

    /// Indices, in rising order, of clips whose recordings have changed: all of them, or at least the first.
    func differences(_ clips: [Clip], _ known: [Known], stopsAtFirst: Bool) throws -> [Int] {
        let next = Atomic(0)
        let found = Mutex<[Int]>([])
        let (plan, options, cancellation) = (extraction.plan, extraction.options, cancellation)
        try WorkerPool.run(options.workers.limited(to: clips.count)) { number, turns in
            let decoder = ClipDecoder(plan.configuration.audio, policy: options.policy)
            var hash = XXH3Hash128()
            while true {
                turns.next(number)
                try cancellation.check()
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < clips.count, !stopsAtFirst || found.withLock({ ($0.min() ?? .max) > index }) else {
                    return
                }
                if try !Self.isSame(clips[index], known[index], decoder, &hash, plan, root: options.root) {
                    found.withLock { $0.append(index) }
                }
            }
        }
        return found.withLock { $0.sorted() }
    }

    /// Whether a clip's recording still has the same samples and is what the manifest says of it, or fails for the same reason.
    ///
    /// - Throws: `InputFault`.
    static func isSame(
        _ clip: Clip, _ known: Known, _ decoder: ClipDecoder, _ hash: inout XXH3Hash128, _ plan: FeaturePlan,
        root: String
    ) throws(InputFault) -> Bool {
        hash.reset()
        var samples = 0
        var found: ClipMeasurement?
        let failure: FailureRecord?
        do throws(ClipFailure) {
            found = try decoder.read(
                clip, path: Clip.location(of: clip.path, root: root), rate: Int(plan.sampleRate),
                signals: plan.channels, decoded: { hash.update(UnsafeRawBufferPointer($0)) },
                receive: { if $0 == 0 { samples += $1.count } })
            failure =
                plan.storedRowCount(plan.frameCount(samples: samples)) > 0
                ? nil : FailureRecord(ClipFailure.tooShort(plan, samples: samples))
        } catch {
            guard !error.isSystemFault else { throw InputFault(path: clip.path, reason: error.reason) }
            failure = FailureRecord(error)
        }
        switch known {
        // The same samples at another rate, which a header may claim, are another sound.
        case .stored(let checksum, let rate, let remarks):
            return failure == nil && found?.sampleRate == rate && found?.remarks == remarks
                && hash.finish().hex == checksum
        case .exactly(let clip):
            return failure == nil && found.map { Self.isStoredSame($0, clip.measurement) } ?? false
                && hash.finish().hex == clip.audioChecksum
        // Failures of the transform and of the stored type do not show here; the samples were readable, and are.
        case .failed(let expected):
            if let failure { return failure.isSame(as: expected) }
            return !showsInSamples(expected)
        }
    }

    /// Whether a failure shows when the samples are decoded, and not only when features are computed and stored.
    static func showsInSamples(_ failure: FailureRecord) -> Bool {
        failure.stage != .store && !failure.isSame(as: FailureRecord(.nonFiniteFeatures))
    }

    /// Whether a file would store the same of two measurements.
    private static func isStoredSame(_ one: ClipMeasurement, _ other: ClipMeasurement) -> Bool {
        one.sampleRate == other.sampleRate && one.channels == other.channels && one.start == other.start
            && one.duration == other.duration && one.isTruncated == other.isTruncated
            && one.zeroedSamples == other.zeroedSamples && one.remarks == other.remarks
    }
}

/// Kept clips whose recordings are missing, so that they cannot be compared.
package struct MissingRecordings: Hashable, Sendable {
    /// How many clips.
    package private(set) var count = 0
    /// The path of the first recording; empty: there is none.
    package private(set) var first = ""

    /// Counts a clip.
    mutating func add(_ path: String) {
        if count == 0 { first = path }
        count += 1
    }

    /// What a user is told; nil: no clip is affected.
    var warning: String? {
        guard count > 0 else { return nil }
        return "\(Wording.count(count, "clip")) of the existing file, such as \(first), "
            + "\(count == 1 ? "is" : "are") kept unchecked: the recordings are missing"
    }
}
