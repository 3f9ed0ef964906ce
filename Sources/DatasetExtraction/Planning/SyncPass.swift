import ClipSpool
import Concurrency
import FeatureModel
import FeatureStorage
import FileIO
import Manifests

/// A pass over a manifest and its feature file that finds which clips keep their rows, and what else changes.
///
/// Rows are kept if path, channel, start, end, sample rate and the decoded samples are as they were. Every recording is decoded for
/// this comparison, since the file holds a checksum of the samples, and no size or time of a recording.
struct SyncPass {
    let extraction: Extraction
    let file: FeatureReader
    let cancellation: Cancellation
    /// What is done with recordings.
    enum Recordings {
        /// They are compared, and clips that failed are decoded to see whether they fail again.
        case compared
        /// Missing ones are counted.
        case lookedUp
        case ignored
    }

    let recordings: Recordings
    /// Whether failed clips are computed again without a comparison.
    let retriesFailed: Bool
    /// Whether all clips of the file must keep their rows, in its order.
    private let keepsAll: Bool

    private static let blockSize = 2048

    /// The result.
    struct Outcome {
        var plan = SyncChanges()
        /// Clips that keep their rows, the number of these rows, and seconds of audio in them.
        var (kept, rows, seconds) = (0, 0, 0.0)
        /// Those whose recordings are missing, so that they cannot be compared.
        var missing = ClipsOfRecordings()
        /// Those that must keep their rows, and whose recordings have changed.
        fileprivate var stale = ClipsOfRecordings()
    }

    /// - Parameters:
    ///   - recordings: Nil: as the update says.
    ///   - retriesFailed: The same of failed clips.
    init(
        _ extraction: Extraction, _ file: FeatureReader, recordings: Recordings? = nil,
        retriesFailed: Bool? = nil, _ cancellation: Cancellation
    ) {
        let update = extraction.options.update
        (self.extraction, self.file, self.cancellation) = (extraction, file, cancellation)
        self.recordings = recordings ?? (update.comparesRecordings ? .compared : .lookedUp)
        self.retriesFailed = retriesFailed ?? update.retriesFailed
        keepsAll = update.kept == .all
    }

    /// Notes in `index` which clips keep their rows; a clip of an interrupted run keeps its entry.
    ///
    /// - Throws: `StorageError`, `ManifestError`, `InputFault`, `ExtractionError.cancelled`; where all clips must keep their rows,
    ///   `.cannotAppend` if one is another now or missing, or not in the file's order, `.staleClips` if its recording has changed.
    /// - Complexity: Decodes every recording that exists, if recordings are compared.
    func run(into index: SpoolIndex) throws -> Outcome {
        var outcome = Outcome()
        // The file's clips that follow one another in the manifest, from the first on, where all have to.
        var inOrder = 0
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
            let found = try finder.find(block.map(\.id)).map { found -> ClipFinder.Found? in
                guard keepsAll, case .stored(_, let number) = found else { return found }
                // From the first clip on that is missing or in another order, no other is looked at: an error names it.
                guard number == inOrder else { return nil }
                inOrder += 1
                return found
            }
            let verdicts = try verdicts(block, found, labeler, index, &outcome)
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
                    let isReannotated = !keepsAll && isReannotated(clip, known, labeler)
                    outcome.plan.keep(known, index: number, as: clip, columns, isReannotated: isReannotated)
                }
            }
        }
        let removed = try finder.rest(named: SyncChanges.named)
        outcome.plan.note(.removed, count: removed.count, ids: removed.ids)
        if keepsAll { try checkAll(inOrder, outcome.stale) }
        return outcome
    }

    /// - Parameters:
    ///   - inOrder: How many of the file's clips the manifest has in the file's order, from the first on.
    ///   - stale: Clips whose recordings have changed.
    private func checkAll(_ inOrder: Int, _ stale: ClipsOfRecordings) throws {
        if let missing = try file.checkedClips(inOrder..<min(inOrder + 1, file.clipCount)).first {
            throw refusal(.missingClips(try MissingClips.find(file, extraction.source, firstOutOfOrder: missing)))
        }
        guard stale.count == 0 else {
            throw ExtractionError.staleClips(path: file.path, count: stale.count, recordings: stale.paths)
        }
    }

    private func refusal(_ obstacle: UpdateObstacle) -> ExtractionError {
        extraction.options.update.refusal(of: file, obstacle)
    }

    private func isReannotated(_ clip: Clip, _ known: StoredClip, _ labeler: FrameLabeler?) -> Bool {
        let labels =
            labeler?.checksum(clip.path, channel: clip.channel, known.measurement, frames: known.frameCount) ?? ""
        return labels != known.frameLabelChecksum
    }

    /// For each clip, whether the file has it unchanged: its rows are kept, or it fails as before.
    private func verdicts(
        _ block: [Clip], _ found: [ClipFinder.Found?], _ labeler: FrameLabeler?, _ index: SpoolIndex,
        _ outcome: inout Outcome
    ) throws -> [Bool] {
        var verdicts = Array(repeating: false, count: block.count)
        var asked: [(number: Int, clip: Clip, known: KnownRecording)] = []
        for (number, clip) in block.enumerated() {
            // What an interrupted run did was compared when it was resumed.
            guard index[clip.index] == .pending, let found = found[number] else { continue }
            switch found {
            case .stored(let known, _):
                let overshoot = extraction.plan.configuration.audio.overshoot
                if let mismatch = known.mismatch(with: clip, overshoot: overshoot) {
                    guard keepsAll else { continue }
                    throw refusal(UpdateObstacle(known, as: clip, mismatch))
                }
                verdicts[number] = true
                if keepsAll, isReannotated(clip, known, labeler) { throw refusal(.otherAnnotations(id: clip.id)) }
                switch recordings {
                case .compared: asked.append((number, clip, KnownRecording(known, exactly: true)))
                case .lookedUp:
                    if RecordingCheck.isMissing(clip, root: extraction.options.root) { outcome.missing.add(clip.path) }
                case .ignored: break
                }
            case .failed(let failure):
                // Whether a clip that failed after decoding fails again is known only after computing it.
                guard !retriesFailed, recordings == .compared, RecordingCheck.showsInSamples(failure) else { continue }
                verdicts[number] = true
                asked.append((number, clip, KnownRecording(failure)))
            }
        }
        let states = try extraction.comparison(cancellation).states(of: asked.map(\.clip), since: asked.map(\.known))
        for (asked, state) in zip(asked, states) {
            switch state {
            case .same: break
            case .changed where keepsAll: outcome.stale.add(asked.clip.path)
            case .changed: verdicts[asked.number] = false
            // A missing recording cannot contradict the file.
            case .missing: outcome.missing.add(asked.clip.path)
            }
        }
        return verdicts
    }
}
