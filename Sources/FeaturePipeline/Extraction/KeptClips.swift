import FeatureModel
import FeatureStorage
import Manifests
import SignalProcessing

/// The clips of an existing feature file that go into a greater one as they are: `veery extract --append`.
struct KeptClips: Sendable {
    /// Path of the file.
    let path: String
    /// Number of its clips.
    let count: Int
    /// Statistics of its values before normalisation, and the split that they were taken from.
    let statistics: BinStatistics
    /// The split that the statistics were taken from; empty: all clips.
    let fit: String
    /// The file whose statistics they are, if not its own.
    let statisticsSource: String
    /// The file's `metadata_xxh3`, which tells it from others.
    let checksum: String

    /// Finds the file's clips in a manifest, and notes them in `index` as done.
    ///
    /// They have to be there in the file's order, each with the path and the beginning that it had; label, split and other
    /// columns may have changed. What had failed is not in the file, and is tried again.
    ///
    /// - Throws: `ExtractionError.cannotAppend`, `StorageError`, `ManifestError`.
    init(
        _ file: FeatureReader, identity: RunIdentity, manifest: Manifest, plan: FeaturePlan, index: SpoolIndex
    ) throws {
        path = file.path
        count = file.clipCount
        statistics = file.statistics
        fit = file.fit
        statisticsSource = file.statisticsSource
        checksum = file.metadataChecksum
        let differences = identity.differences(inSettingsOf: file.configuration)
        guard differences.isEmpty else {
            throw ExtractionError.cannotAppend(path: path, reason: differences.joined(separator: "; "))
        }
        guard file.axis == plan.axis else {
            throw ExtractionError.cannotAppend(
                path: path, reason: "its bins have other frequencies: its recordings have another sample rate")
        }
        let clips = try manifest.reader()
        var cursor = KeptClipCursor(file)
        var wanted = try cursor.next()
        while let clip = try clips.next(), let known = wanted {
            guard known.id.utf8.elementsEqual(clip.id.utf8) else { continue }
            guard known.path.utf8.elementsEqual(clip.path.utf8),
                abs(known.start - (clip.segment?.start ?? 0)) < 1e-3
            else {
                throw ExtractionError.cannotAppend(
                    path: path, reason: "its clip '\(clip.id)' was read from '\(known.path)' at \(known.start) s")
            }
            index.keep(clip.index, place: cursor.taken - 1, rows: Int32(clamping: known.frameCount))
            wanted = try cursor.next()
        }
        if let missing = wanted {
            throw ExtractionError.cannotAppend(
                path: path,
                reason: "its clip '\(missing.id)' is not in the manifest, or not in the file's order")
        }
    }
}

/// The clips of a feature file one after another, read a block at a time.
struct KeptClipCursor {
    private let file: FeatureReader
    private var block: ArraySlice<StoredClip> = []
    /// Clips handed over so far.
    private(set) var taken = 0

    init(_ file: FeatureReader) { self.file = file }

    /// The next clip; nil after the last.
    ///
    /// - Throws: `StorageError`.
    mutating func next() throws(StorageError) -> StoredClip? {
        if block.isEmpty { block = try file.clips(taken..<min(taken + 1024, file.clipCount))[...] }
        guard let clip = block.popFirst() else { return nil }
        taken += 1
        return clip
    }
}
