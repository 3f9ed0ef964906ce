import AudioDecoding
import ClipFeatures
import ClipSpool
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import SignalProcessing

/// What is known of the recording of a clip that is done.
struct KnownRecording: Sendable {
    /// What it held.
    enum Content: Sendable {
        case stored(audioChecksum: String, sampleRate: Int, remarks: RecordingRemarks)
        /// A feature file would hold the same values of the recording, to the last bit.
        case exactly(StoredClip)
        case failed(FailureRecord)
    }

    let content: Content
    /// Its size and time; nil: they are not known, as of the clips of a feature file.
    let stamp: FileStamp?

    init(_ clip: StoredClip, exactly: Bool = false) {
        content =
            exactly
            ? .exactly(clip)
            : .stored(audioChecksum: clip.audioChecksum, sampleRate: clip.sampleRate, remarks: clip.remarks)
        stamp = nil
    }

    init(_ failure: FailureRecord, stamp: FileStamp? = nil) { (content, self.stamp) = (.failed(failure), stamp) }

    init(_ spooled: SpooledClip) {
        content = .stored(
            audioChecksum: spooled.clip.audioChecksum.hex, sampleRate: spooled.clip.sampleRate,
            remarks: spooled.clip.remarks)
        stamp = spooled.recording
    }

    /// Why the clip failed; nil: it did not.
    var failure: FailureRecord? { if case .failed(let failure) = content { failure } else { nil } }
}

/// Whether recordings are what they were when their clips were computed, for clips of every origin. Used by one thread.
///
/// Times of files prove nothing to a feature file, which does not hold them: there, recordings are decoded, and the checksums of their
/// samples compared; a failed clip must fail again, for the same reason.
final class RecordingCheck {
    enum State: Sendable {
        case same, changed
        /// It is not there any more.
        case missing
    }

    private let decoder: ClipDecoder
    private var hash = XXH3Hash128()
    private let plan: FeaturePlan
    private let root: String
    private let (samples, decodesMissing): (Bool, Bool)

    /// - Parameters:
    ///   - samples: Whether samples are compared, and not only sizes and times.
    ///   - decodesMissing: Whether a recording that is not there is still opened, which shows whether the system is at fault.
    init(_ extraction: Extraction, samples: Bool, decodesMissing: Bool = false) {
        (plan, root) = (extraction.plan, extraction.options.root)
        (self.samples, self.decodesMissing) = (samples, decodesMissing)
        decoder = ClipDecoder(plan.configuration.audio, policy: extraction.options.policy)
    }

    /// Whether the recording of a clip that is done is missing now.
    static func isMissing(_ clip: Clip, root: String) -> Bool {
        FileStamp(recording: Clip.location(of: clip.path, root: root)) == .absent
    }

    /// What has become of a recording.
    ///
    /// - Throws: `InputFault`.
    func state(of clip: Clip, since known: KnownRecording) throws(InputFault) -> State {
        let now = FileStamp(recording: Clip.location(of: clip.path, root: root))
        if !decodesMissing, now == .absent, known.stamp.map({ $0 != .absent }) ?? (known.failure == nil) {
            return .missing
        }
        if let stamp = known.stamp, stamp != now { return .changed }
        guard samples else { return .same }
        return try isSame(clip, known.content) ? .same : .changed
    }

    /// Whether a clip's recording still has the same samples and is what the manifest says of it, or fails for the same reason.
    private func isSame(_ clip: Clip, _ known: KnownRecording.Content) throws(InputFault) -> Bool {
        hash.reset()
        var samples = 0
        var found: ClipMeasurement?
        let failure: FailureRecord?
        do throws(ClipFailure) {
            found = try decoder.read(
                clip, path: Clip.location(of: clip.path, root: root), rate: Int(plan.sampleRate),
                signals: plan.channels, decoded: { hash.update(UnsafeRawBufferPointer($0)) },
                receive: { if $0 == 0 { samples += $1.count } })
            try clip.checkAudio(hash.finish().hex)
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
            return !Self.showsInSamples(expected)
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
