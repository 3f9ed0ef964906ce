import AudioDecoding
import ClipFeatures
import Concurrency
import DatasetExtraction
import DatasetInspection
import FeatureModel
import FileIO
import Manifests
import Platform
import Presentation
import Synchronization

/// The rate and channels of a recording.
struct RecordingShape: Hashable {
    let sampleRate: Int
    let channels: Int
}

/// What is in memory for every clip while a dataset is read: 68 bytes each, 16 of them only where samples are read.
struct ClipRecords: Sendable {
    var entries: [SplitLeaks.Entry]
    /// Hashes of the paths as the manifest gives them.
    var paths: [UInt32]
    /// Seconds; NaN: unknown.
    var durations: [Float]
    /// Index in `shapes`, plus 1; 0: unknown.
    var shape: [UInt16]
    /// The kinds of problems.
    var kinds: [UInt64]
    /// The channel, plus 1; 0: none. Empty where no clip names one.
    var channels: [UInt16]
    /// Empty without `--deep`; zero for clips that are not compared.
    var checksums: [Checksum128]
    var shapes: [RecordingShape] = []

    init(_ source: any ClipSource, isDeep: Bool) {
        let count = source.clipCount
        entries = Array(
            repeating: SplitLeaks.Entry(recording: 0, start: 0, end: 0, clip: 0, split: -1), count: count)
        paths = Array(repeating: 0, count: count)
        durations = Array(repeating: .nan, count: count)
        shape = Array(repeating: 0, count: count)
        kinds = Array(repeating: 0, count: count)
        channels = source.hasChannelColumn ? Array(repeating: 0, count: count) : []
        checksums = isDeep ? Array(repeating: Checksum128(high: 0, low: 0), count: count) : []
    }

    mutating func index(of found: RecordingShape) -> UInt16 {
        if let index = shapes.firstIndex(of: found) { return UInt16(index + 1) }
        guard shapes.count < Int(UInt16.max) else { return 0 }
        shapes.append(found)
        return UInt16(shapes.count)
    }
}

/// What was found about one clip, before it is added to the records.
private struct Outcome {
    let clip: Clip
    let recording: UInt64
    var duration = Float.nan
    var shape: RecordingShape?
    var kinds: UInt64 = 0
    /// The channels with sound, where another one has none.
    var sounding: ChannelSet?
    var checksum: Checksum128?
}

/// The one pass over the recordings, on all threads.
struct CheckPass: Sendable {
    /// A sentence about a clip and a kind.
    struct Finding: Sendable {
        let clip: Int
        let kind: ProblemKind
        let text: String
    }

    let source: any ClipSource
    let options: DatasetCheck.Options
    private(set) var records: ClipRecords
    private(set) var tallies: ManifestTallies
    private(set) var survey = ClipSurvey()
    /// The first findings of each kind, in the manifest's order; all of the kinds that make a clip unusable, where
    /// `keepsReasons`.
    private(set) var findings: [Finding] = []
    /// The channels that have sound in every clip with a silent one.
    private(set) var sounding = ChannelSet.all

    init(_ source: any ClipSource, _ options: DatasetCheck.Options) throws(ManifestError) {
        (self.source, self.options) = (source, options)
        records = ClipRecords(source, isDeep: options.isDeep)
        tallies = try ManifestTallies(source, group: options.group)
    }

    /// Reads everything.
    ///
    /// - Throws: `ManifestError`; `InputFault` if the system is at fault.
    static func run(
        _ source: any ClipSource, _ options: DatasetCheck.Options, progress: ExtractionProgress
    ) throws -> CheckPass {
        let queue = try ClipQueue(source, workers: options.workers.usual)
        let state = Mutex(try CheckPass(source, options))
        progress.expect(source.clipCount)
        progress.start(.extracting)
        defer { progress.start(.finished) }
        try WorkerPool.run(options.workers) { number, turns in
            var worker = CheckWorker(options, progress: progress)
            do {
                while true {
                    turns.next(number)
                    let block = try queue.next(workers: turns.wanted)
                    guard !block.isEmpty else { break }
                    let outcomes = try block.map { clip in try worker.outcome(of: clip) }
                    state.withLock { pass in for outcome in outcomes { pass.enter(outcome) } }
                }
            } catch {
                queue.stop()
                throw error
            }
            let (survey, findings) = (worker.survey, worker.findings)
            state.withLock { pass in
                pass.survey.merge(survey)
                pass.findings += findings
            }
        }
        return state.withLock { pass in
            pass.survey.finish()
            pass.findings.sort { ($0.clip, $0.kind.rawValue) < ($1.clip, $1.kind.rawValue) }
            return pass
        }
    }

    private mutating func enter(_ outcome: Outcome) {
        let clip = outcome.clip
        let split = tallies.add(clip)
        records.entries[clip.index] = SplitLeaks.Entry(
            recording: outcome.recording, start: clip.segment?.start ?? 0, end: clip.segment?.end ?? .infinity,
            clip: Int32(clamping: clip.index), split: split)
        records.paths[clip.index] = UInt32(
            truncatingIfNeeded: Array(clip.path.utf8).withUnsafeBytes { xxh3($0) })
        records.durations[clip.index] = outcome.duration
        records.kinds[clip.index] = outcome.kinds
        if let channels = outcome.sounding { sounding.formIntersection(channels) }
        if let shape = outcome.shape { records.shape[clip.index] = records.index(of: shape) }
        if !records.channels.isEmpty { records.channels[clip.index] = UInt16(clamping: (clip.channel ?? -1) + 1) }
        if let checksum = outcome.checksum { records.checksums[clip.index] = checksum }
    }
}

/// What one thread reads.
private struct CheckWorker: ~Copyable {
    private(set) var survey = ClipSurvey()
    private(set) var findings: [CheckPass.Finding] = []
    private var counts: [ProblemKind: Int] = [:]
    private let options: DatasetCheck.Options
    private let progress: ExtractionProgress
    private let decoder: ClipDecoder
    private var identity: RecordingIdentity
    private var scan = SampleScan()
    /// The checksum of a clip's samples.
    private var samples = XXH3Hash128()

    init(_ options: DatasetCheck.Options, progress: ExtractionProgress) {
        (self.options, self.progress) = (options, progress)
        decoder = ClipDecoder(options.audio, policy: options.policy, skipped: progress.skipped)
        identity = RecordingIdentity(root: options.root)
    }

    mutating func outcome(of clip: Clip) throws(InputFault) -> Outcome {
        var outcome = Outcome(clip: clip, recording: identity.hash(of: clip.path))
        let path = Clip.location(of: clip.path, root: options.root)
        do throws(ClipFailure) {
            var found = try decoder.survey(clip, path: path)
            if options.isDeep {
                found = try read(clip, path, found)
                outcome.checksum = scan.checksum
                for problem in scan.problems { add(problem.kind, problem.found, to: &outcome) }
                if outcome.kinds & ProblemKind.silentChannel.bit != 0 { outcome.sounding = scan.sounding }
            }
            survey.add(found, of: clip)
            outcome.duration = Float(found.duration)
            outcome.shape = RecordingShape(sampleRate: found.sampleRate, channels: found.channels)
            progress.finishedClip(seconds: found.duration)
        } catch {
            guard !error.isSystemFault else { throw InputFault(path: clip.path, reason: error.reason) }
            survey.add(error, of: clip)
            add(ProblemKind(error, path: path), "\(error)", to: &outcome)
            progress.failedClip()
        }
        return outcome
    }

    /// Decodes a clip. Of one that names a channel, only this channel matters.
    private mutating func read(
        _ clip: Clip, _ path: String, _ found: ClipMeasurement
    ) throws(ClipFailure) -> ClipMeasurement {
        scan.reset(channels: clip.channel == nil ? found.channels : 1)
        samples.reset()
        let isCompared = clip.expectedAudio != nil
        // Two closures cannot have exclusive access to the scan at once.
        let measurement =
            clip.channel == nil
            ? try decoder.read(
                clip, path: path, rate: found.sampleRate,
                decoded: {
                    scan.add($0)
                    if isCompared { samples.update(UnsafeRawBufferPointer($0)) }
                }, receive: { _, _ in })
            : try decoder.read(
                clip, path: path, rate: found.sampleRate,
                decoded: { if isCompared { samples.update(UnsafeRawBufferPointer($0)) } },
                receive: { scan.add($1) })
        try clip.checkAudio(samples.finish().hex)
        return measurement
    }

    private mutating func add(_ kind: ProblemKind, _ text: String, to outcome: inout Outcome) {
        outcome.kinds |= kind.bit
        counts[kind, default: 0] += 1
        // A thread sees clips in rising order, so its first findings include its part of the first findings of all.
        guard counts[kind, default: 0] <= ProblemGroup.keptExamples || kind.isUnusable && options.keepsReasons else {
            return
        }
        findings.append(CheckPass.Finding(clip: outcome.clip.index, kind: kind, text: text))
    }
}

/// Channels of a recording by their numbers from 0, the first 64 at most.
struct ChannelSet: Hashable, Sendable {
    private var bits: UInt64

    static let all = ChannelSet(bits: .max)

    private init(bits: UInt64) { self.bits = bits }

    init(_ channels: some Sequence<Int>) {
        bits = channels.reduce(0) { $0 | 1 << UInt64($1) }
    }

    mutating func formIntersection(_ other: ChannelSet) { bits &= other.bits }

    /// The lowest; nil: there is none.
    var first: Int? { bits == 0 ? nil : bits.trailingZeroBitCount }
}

/// Finds silence, clipping and offset in the samples of a clip, and computes a checksum. Pieces may have any length.
struct SampleScan: ~Copyable {
    /// Peaks below this are silence: −80 dBFS.
    static let silence: Float = 1e-4
    private static let namedChannels = 4
    /// A mean of a channel beyond this is an offset.
    static let offset = 0.01

    private var hash = XXH3Hash128()
    private var channels = 1
    private var minima: [Float] = []
    private var maxima: [Float] = []
    private var sums: [Double] = []
    private var frames = 0
    private var fullScale = FullScaleCounter(channels: 1)

    /// Forgets all samples.
    mutating func reset(channels: Int) {
        self.channels = max(channels, 1)
        minima = Array(repeating: .infinity, count: self.channels)
        maxima = Array(repeating: -.infinity, count: self.channels)
        sums = Array(repeating: 0, count: self.channels)
        frames = 0
        fullScale = FullScaleCounter(channels: self.channels)
        hash.reset()
        withUnsafeBytes(of: self.channels) { hash.update($0) }
    }

    /// Adds interleaved samples of whole frames.
    mutating func add(_ piece: UnsafeBufferPointer<Float>) {
        hash.update(UnsafeRawBufferPointer(piece))
        fullScale.add(piece)
        frames += piece.count / channels
        for channel in 0..<channels {
            var (low, high, sum) = (minima[channel], maxima[channel], 0.0)
            var index = channel
            while index < piece.count {
                let sample = piece[index]
                low = sample < low ? sample : low
                high = sample > high ? sample : high
                sum += Double(sample)
                index += channels
            }
            (minima[channel], maxima[channel]) = (low, high)
            sums[channel] += sum
        }
    }

    /// The checksum of the samples; nil for silence, which is equal to other silence without being a copy.
    var checksum: Checksum128? { peak < Self.silence ? nil : hash.finish() }

    private var peaks: [Float] { zip(minima, maxima).map { max(0, -$0, $1) } }

    /// The channels that are not silent.
    var sounding: ChannelSet { ChannelSet(peaks.indices.filter { peaks[$0] >= Self.silence }) }

    private var peak: Float { peaks.max() ?? 0 }

    private static func silence(_ peak: Float) -> String {
        let decibels = Wording.value((200 * log10(Double(peak))).rounded() / 10)
        return peak > 0 ? "peak at \(decibels) dBFS" : "every sample is 0"
    }

    /// The problems of the samples, each with what was found.
    var problems: [(kind: ProblemKind, found: String)] {
        guard frames > 0 else { return [] }
        let peak = peak
        guard peak >= Self.silence else { return [(.silent, Self.silence(peak))] }
        if minima == maxima {
            let values = maxima.prefix(Self.namedChannels).map { "\($0)" }.joined(separator: ", ")
            let more = maxima.count > Self.namedChannels ? ", …" : ""
            return [
                (
                    .constant,
                    Set(maxima).count == 1
                        ? "every sample is \(maxima[0])" : "every channel has one value throughout: \(values)\(more)"
                )
            ]
        }
        var problems: [(ProblemKind, String)] = []
        if let silent = peaks.firstIndex(where: { $0 < Self.silence }) {
            problems.append((.silentChannel, "channel \(silent) of \(channels): \(Self.silence(peaks[silent]))"))
        }
        if fullScale.clipped > 0 {
            let share = Double(fullScale.clipped) / Double(fullScale.samples)
            let samples = Wording.count(fullScale.clipped, "sample")
            problems.append((.clipped, "\(samples) at full scale in runs, \(Wording.share(share))"))
        }
        let mean = sums.map { $0 / Double(frames) }.max { $0.magnitude < $1.magnitude } ?? 0
        if mean.magnitude > Self.offset {
            let words = "mean of \(mean < 0 ? "−" : "")\(Wording.share(mean.magnitude)) of full scale"
            problems.append((.dcOffset, words))
        }
        return problems
    }
}
