import ClipSpool
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import Presentation
import SignalProcessing

/// The clips of an existing feature file that are copied into a new one: `veery extract --append`, `--sync`, `--retry-failed`.
package struct AppendBase: Sendable {
    /// Path of the file.
    let path: String
    /// Number of the clips that are copied: of `--append`, all.
    let count: Int
    /// Rows of those.
    package let rows: Int
    /// Seconds of audio in those.
    package let seconds: Double
    /// Statistics of its values before normalisation, and the split that they were taken from.
    let statistics: BinStatistics
    /// The split that the statistics were taken from; empty: all clips.
    let fit: String
    /// The file whose statistics they are, if not its own.
    let statisticsSource: String
    /// The labels of its frames; empty: they have none.
    let frameLabelNames: [String]
    /// What it says of other machines that computed its clips; nil: nothing.
    let mixed: String?
    /// The file's `metadata_xxh3`, which tells it from others.
    let checksum: String

    /// Finds the file's clips in a manifest, and notes them in `index` as done.
    ///
    /// They must be there in the file's order, each with the same path, channel and start; label, split and other columns may have
    /// changed. Failed clips are not in the file, and are tried again.
    ///
    /// - Throws: `ExtractionError.cannotAppend`, `StorageError`, `ManifestError`.
    static func admit(_ file: FeatureReader, of extraction: Extraction, into index: SpoolIndex) throws -> AppendBase {
        let (source, plan, annotations) = (extraction.source, extraction.plan, extraction.options.frameAnnotations)
        try file.checkMetadata()
        let (path, names) = (file.path, file.frameLabelNames ?? [])
        let labeler = annotations.map { FrameLabeler($0, plan, known: names) }
        // A file states for all its clips whether they are whole, or for none.
        let differences = Provenance(extraction)
            .differences(
                from: try Provenance(file, source: source, grows: true),
                tolerance: .append(statistics: extraction.options.statistics == nil))
        guard differences.isEmpty else {
            throw ExtractionError.cannotAppend(
                path: path, .differences(differences))
        }
        let clips = try source.reader()
        var cursor = StoredClipCursor(file)
        var rows = 0
        var wanted = try cursor.next()
        while let clip = try clips.next(), let known = wanted {
            guard known.id.utf8.elementsEqual(clip.id.utf8) else { continue }
            switch known.mismatch(with: clip, overshoot: plan.configuration.audio.overshoot) {
            case nil: break
            case .part:
                throw ExtractionError.cannotAppend(path: path, .otherPart(known))
            case .channel:
                throw ExtractionError.cannotAppend(
                    path: path, .otherChannel(id: clip.id, before: known.channel, now: clip.channel))
            }
            if let labeler,
                labeler.checksum(clip.path, channel: clip.channel, known.measurement, frames: known.frameCount)
                    != known.frameLabelChecksum
            {
                throw ExtractionError.cannotAppend(path: path, .otherAnnotations(id: clip.id))
            }
            rows += known.frameCount
            index[clip.index] = .inFeatureFile(index: cursor.taken - 1, rows: known.frameCount)
            wanted = try cursor.next()
        }
        if let missing = wanted {
            throw ExtractionError.cannotAppend(
                path: path, .missingClips(try MissingClips.find(file, source, firstOutOfOrder: missing)))
        }
        return AppendBase(
            file, count: file.clipCount, rows: rows, seconds: try file.totalDuration(), frameLabelNames: names)
    }

    /// The clips that a pass over the manifest keeps. All frames get their labels anew.
    init(_ file: FeatureReader, keeping outcome: SyncPass.Outcome) {
        self.init(file, count: outcome.kept, rows: outcome.rows, seconds: outcome.seconds, frameLabelNames: [])
    }

    private init(_ file: FeatureReader, count: Int, rows: Int, seconds: Double, frameLabelNames: [String]) {
        path = file.path
        (self.count, self.rows, self.seconds, self.frameLabelNames) = (count, rows, seconds, frameLabelNames)
        statistics = file.statistics
        fit = file.fit
        statisticsSource = file.statisticsSource
        checksum = file.metadataChecksum
        mixed = SoftwareVersions.mixture(in: file.software)
    }

    /// Whether new clips are normalised by the file's statistics, which do not change.
    func isFixed(_ plan: FeaturePlan) -> Bool { plan.configuration.normalize.scope == .dataset && statistics.count > 0 }

    /// What the larger file names as the origin of its statistics, which are not those of its own clips.
    func source(_ plan: FeaturePlan) -> String {
        isFixed(plan) && statisticsSource.isEmpty ? checksum : statisticsSource
    }
}
