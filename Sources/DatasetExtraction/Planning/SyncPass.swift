import ClipSpool
import Concurrency
import FeatureModel
import FeatureStorage
import FileIO
import Manifests

/// A pass over a manifest beside its feature file: which clips keep their rows, and what else changes.
///
/// Rows stay if path, channel, start, end, sample rate and the decoded samples are as they were. Every recording is decoded for
/// this comparison, since the file holds a checksum of the samples, and no size or time of a recording.
struct SyncPass {
    let extraction: Extraction
    let file: FeatureReader
    let index: SpoolIndex
    let cancellation: Cancellation
    /// Whether recordings are compared, and clips that failed are decoded to see whether they fail again.
    let comparesRecordings: Bool
    /// Whether failed clips are computed again without a comparison.
    let retriesFailed: Bool

    private static let blockSize = 2048

    /// The result.
    struct Outcome {
        var plan = SyncPlan()
        /// Clips that keep their rows, the number of these rows, and seconds of audio in them.
        var (kept, rows, seconds) = (0, 0, 0.0)
        /// Those whose recordings are missing, so that they cannot be compared.
        var missing = MissingRecordings()
    }

    /// Notes in `index` which clips keep their rows; a clip of an interrupted run keeps its entry.
    ///
    /// - Throws: `StorageError`, `ManifestError`, `InputFault`, `ExtractionError.cancelled`.
    /// - Complexity: Decodes every recording that exists, if recordings are compared.
    func run() throws -> Outcome {
        var outcome = Outcome()
        var finder = try ClipFinder(file)
        let columns = SharedColumns(
            stored: file.extraColumns,
            wanted: ClipTable(manifestColumns: extraction.source.extraColumns) { _ in false }.extra)
        // With the file's names first, equal labels have equal checksums.
        let labeler = extraction.options.frameAnnotations.map {
            FrameLabeler($0, extraction.plan, known: file.frameLabelNames ?? [])
        }
        let clips = try extraction.source.reader()
        while true {
            try cancellation.check()
            let block = try clips.next(Self.blockSize)
            guard !block.isEmpty else { break }
            let found = try finder.find(block.map(\.id))
            let verdicts = try verdicts(block, found, &outcome.missing)
            for ((clip, found), staysSame) in zip(zip(block, found), verdicts) {
                switch found {
                case nil: outcome.plan.note(.added, clip.id)
                case .failed: outcome.plan.note(staysSame ? .failing : .retried, clip.id)
                case .stored(let known, let number):
                    guard staysSame else {
                        outcome.plan.note(.recomputed, clip.id)
                        continue
                    }
                    index[clip.index] = .inFeatureFile(index: number, rows: known.frameCount)
                    outcome.kept += 1
                    outcome.rows += known.frameCount
                    outcome.seconds += known.duration
                    let labels =
                        labeler?.checksum(clip.path, channel: clip.channel, known.measurement, frames: known.frameCount)
                        ?? ""
                    outcome.plan.keep(
                        known, index: number, as: clip, columns, isReannotated: labels != known.frameLabelChecksum)
                }
            }
        }
        let removed = try finder.rest(named: SyncPlan.named)
        outcome.plan.note(.removed, count: removed.count, ids: removed.ids)
        return outcome
    }

    /// For each clip whether it is as the file has it: its rows stay, or it fails as it did.
    private func verdicts(
        _ block: [Clip], _ found: [ClipFinder.Found?], _ missing: inout MissingRecordings
    ) throws -> [Bool] {
        var verdicts = Array(repeating: false, count: block.count)
        var asked: [(number: Int, clip: Clip, known: KnownRecording)] = []
        for (number, clip) in block.enumerated() {
            // What an interrupted run did was compared when it was resumed.
            guard index[clip.index] == .pending, let found = found[number] else { continue }
            switch found {
            case .stored(let known, _):
                let overshoot = extraction.plan.configuration.audio.overshoot
                guard known.mismatch(with: clip, overshoot: overshoot) == nil else { continue }
                verdicts[number] = true
                if comparesRecordings {
                    asked.append((number, clip, KnownRecording(known, exactly: true)))
                } else if RecordingCheck.isMissing(clip, root: extraction.options.root) {
                    missing.add(clip.path)
                }
            case .failed(let failure):
                // What failed after decoding fails again or not: only computing tells.
                guard !retriesFailed, comparesRecordings, RecordingCheck.showsInSamples(failure) else { continue }
                verdicts[number] = true
                asked.append((number, clip, KnownRecording(failure)))
            }
        }
        let states = try extraction.comparison(cancellation).states(of: asked.map(\.clip), since: asked.map(\.known))
        for (asked, state) in zip(asked, states) {
            switch state {
            case .same: break
            case .changed: verdicts[asked.number] = false
            // A missing recording cannot contradict the file.
            case .missing: missing.add(asked.clip.path)
            }
        }
        return verdicts
    }
}
