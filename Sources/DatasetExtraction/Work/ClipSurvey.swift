import AudioDecoding
import ClipFeatures
import Concurrency
import FeatureModel
import Manifests
import SignalProcessing
import Synchronization

/// What the headers of a source's recordings say, without decoding them.
package struct ClipSurvey: Sendable {
    /// A clip that cannot be extracted.
    package struct Problem: Hashable, Sendable, Codable {
        /// Index in the manifest, from 0.
        package let clip: Int
        /// Name of the clip.
        package let id: String
        /// Path of its recording.
        package let path: String
        /// Step at which it would fail.
        package let stage: ClipFailure.Stage
        /// Kind of failure.
        package let kind: ClipFailure.Kind
        /// What was expected and what was found.
        package let reason: String
    }

    /// Clips that can be opened and whose segment lies within their recording.
    package private(set) var clips = 0
    /// Seconds of audio in these clips.
    package var seconds: Double { duration.seconds }
    private var duration = DurationSum()
    /// Rows of features that they become; 0 without a plan.
    package private(set) var rows = 0
    /// Clips for each sample rate in Hz.
    package private(set) var sampleRates: [Int: Int] = [:]
    /// Clips for each number of channels.
    package private(set) var channels: [Int: Int] = [:]
    /// What was read of recordings and not used.
    package private(set) var account = Account()
    /// Clips that end early, since their recording is cut off.
    package var truncated: Int { account.count(of: .recordingsTruncated) }
    /// Clips whose recording is cut off after them.
    package var beforeCut: Int { account.count(of: .recordingsCutLater) }
    /// The first problems, in the manifest's order.
    package private(set) var problems: [Problem] = []
    /// The number of all problems.
    package private(set) var problemCount = 0

    /// Maximum number of problems that are kept.
    package static let keptProblems = 1000

    /// The recordings of a lower rate than features.
    package func lowerRates(_ plan: FeaturePlan) -> LowerRates {
        var rates = LowerRates()
        for (rate, count) in sampleRates { rates.add(rate, plan, number: count) }
        return rates
    }

    /// Opens every recording.
    ///
    /// - Parameters:
    ///   - source: The clips.
    ///   - root: Folder that relative paths start from.
    ///   - audio: Which channel and rate are wanted.
    ///   - policy: Whether recordings that are cut off fail.
    ///   - plan: To count rows; nil: they are not counted.
    ///   - workers: Number of threads.
    ///   - isLeftOut: Whether a clip, counted from 0, is skipped.
    ///   - hasRemarks: Whether the caller has the remarks on a clip already: it is counted, and they stay out of the account.
    /// - Throws: `ManifestError`; `InputFault` if the system is at fault.
    package static func take(
        _ source: any ClipSource, root: String, audio: AudioConfiguration, policy: RecordingPolicy = RecordingPolicy(),
        plan: FeaturePlan? = nil, workers: WorkerRange,
        isLeftOut: @escaping @Sendable (Int) -> Bool = { _ in false },
        hasRemarks: @escaping @Sendable (Int) -> Bool = { _ in false }
    ) throws -> ClipSurvey {
        let queue = try ClipQueue(source, workers: workers.usual, isDone: isLeftOut)
        let result = Mutex(ClipSurvey())
        let limits = plan.map { FeatureLimits($0.configuration, columns: source.extraColumns) }
        try WorkerPool.run(workers) { number, turns in
            let decoder = ClipDecoder(audio, policy: policy)
            var survey = ClipSurvey()
            while true {
                turns.next(number)
                let block = try queue.next(workers: turns.wanted)
                guard !block.isEmpty else { break }
                for clip in block {
                    try survey.add(clip, root: root, decoder, plan, limits, addsRemarks: !hasRemarks(clip.index))
                }
            }
            result.withLock { $0.merge(survey) }
        }
        return result.withLock { survey in
            survey.finish()
            return survey
        }
    }

    private mutating func add(
        _ clip: Clip, root: String, _ decoder: ClipDecoder, _ plan: FeaturePlan?, _ limits: FeatureLimits?,
        addsRemarks: Bool
    ) throws(InputFault) {
        do throws(ClipFailure) {
            let found = try decoder.survey(
                clip, path: Clip.location(of: clip.path, root: root), signals: plan?.channels)
            if let plan {
                let rate = Int(plan.sampleRate)
                if plan.configuration.audio.sampleRate == nil, found.sampleRate != rate {
                    throw .otherRate(expected: rate, found: found.sampleRate, than: .clip)
                }
                let samples = (found.duration * plan.sampleRate).rounded()
                let count = plan.storedRowCount(plan.frameCount(samples: Int(min(samples, 0x1p60))))
                guard count > 0 else { throw ClipFailure.tooShort(plan, samples: Int(samples)) }
                rows += count
            }
            add(found, of: clip, limits: limits, addsRemarks: addsRemarks)
        } catch {
            guard !error.isSystemFault else { throw InputFault(path: clip.path, reason: error.reason) }
            add(error, of: clip)
        }
    }

    /// No clips yet.
    package init() {}

    /// Adds a clip that can be read.
    ///
    /// - Parameters:
    ///   - limits: Those of the features; nil: there are none.
    ///   - addsRemarks: Whether the remarks on it are added to the account.
    package mutating func add(
        _ found: ClipMeasurement, of clip: Clip, limits: FeatureLimits? = nil, addsRemarks: Bool = true
    ) {
        clips += 1
        if addsRemarks {
            account.add(
                found.allRemarks(limits, of: clip), ofClip: clip.id, at: clip.index, limits, rate: found.sampleRate)
        }
        duration += found.duration
        sampleRates[found.sampleRate, default: 0] += 1
        channels[found.channels, default: 0] += 1
    }

    /// Adds a clip that cannot be read.
    package mutating func add(_ failure: ClipFailure, of clip: Clip) {
        problemCount += 1
        // Threads see clips in rising order, so the first of each are enough for the first of all.
        guard problems.count < Self.keptProblems else { return }
        problems.append(
            Problem(
                clip: clip.index, id: clip.id, path: clip.path, stage: failure.stage, kind: failure.kind,
                reason: failure.reason))
    }

    /// Keeps the first problems of all threads, in the manifest's order.
    package mutating func finish() {
        problems.sort { $0.clip < $1.clip }
        problems = Array(problems.prefix(Self.keptProblems))
    }

    /// Adds what another thread has found.
    package mutating func merge(_ other: ClipSurvey) {
        clips += other.clips
        duration += other.duration
        rows += other.rows
        account.merge(other.account)
        sampleRates.merge(other.sampleRates, uniquingKeysWith: +)
        channels.merge(other.channels, uniquingKeysWith: +)
        problems += other.problems
        problemCount += other.problemCount
    }
}
