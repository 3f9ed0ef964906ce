import ClipSpool
import Concurrency
import FeatureModel
import FeatureStorage
import FileIO

/// `veery extract --sync` and `--retry-failed`: an existing file follows its manifest.
extension RunPlan {
    /// Makes sure that a file can follow its manifest, or be made anew from it without `--overwrite`.
    ///
    /// - Throws: `ExtractionError.cannotSync`; `StorageError`, `.damaged` among them.
    func checkFollows(_ file: FeatureReader, _ extraction: Extraction) throws {
        let options = extraction.options
        try file.checkMetadata()
        let differences = identity.differences(
            from: try Provenance(file, source: extraction.source, grows: true),
            tolerance: .sync(statistics: options.statistics == nil))
        guard differences.isEmpty else { throw ExtractionError.cannotSync(path: file.path, .differences(differences)) }
        if options.update.needsEqualManifest, try !extraction.hasEqualSource(file) {
            throw ExtractionError.cannotSync(path: file.path, .otherManifest)
        }
    }

    /// Whether what an interrupted run left has become this file: the run was killed before it deleted the folder.
    ///
    /// - Parameter identity: Of that run.
    func hasBecome(_ file: FeatureReader, _ earlier: Provenance?) -> Bool {
        guard let earlier, let base = earlier.base else { return false }
        return base != file.metadataChecksum && earlier.manifest == file.manifestChecksum
    }

    /// Compares the manifest with its file, clip by clip.
    ///
    /// - Throws: `StorageError`, `ManifestError`, `InputFault`, `ExtractionError.cancelled`.
    mutating func follow(_ file: FeatureReader, _ extraction: Extraction, _ cancellation: Cancellation) throws {
        let options = extraction.options
        let outcome = try SyncPass(
            extraction: extraction, file: file, index: index, cancellation: cancellation,
            comparesRecordings: options.update.comparesRecordings, retriesFailed: options.update.retriesFailed
        ).run()
        changes = outcome.plan
        missing = outcome.missing
        // Clips of an interrupted run are done, but not in the file.
        if outcome.plan.isEmpty, resumed == nil, try extraction.hasEqualSource(file) {
            if let damage = try ExistingOutput.damage(file) {
                throw StorageError.damaged(path: file.path, found: damage)
            }
            output = .upToDate
        } else {
            base = AppendBase(file, keeping: outcome)
            output = .follows
        }
    }

    /// What has changed for a file that is made anew for the sake of its statistics: all clips are computed.
    ///
    /// - Parameter compares: Whether recordings are compared, too; not needed if the manifest alone is another.
    mutating func replaceStatistics(
        _ file: FeatureReader, _ extraction: Extraction, comparing compares: Bool, _ cancellation: Cancellation
    ) throws {
        let scratch = SpoolIndex(clips: clips)
        let outcome = try SyncPass(
            extraction: extraction, file: file, index: scratch, cancellation: cancellation,
            comparesRecordings: compares, retriesFailed: !compares
        ).run()
        changes = outcome.plan
        changes?.replacesStatistics = true
        // A disk that is not mounted must not turn clips into failures.
        if outcome.missing.count > 0, !extraction.options.overwrite {
            throw ExtractionError.cannotSync(
                path: file.path, .missingRecordings(count: outcome.missing.count, first: outcome.missing.first))
        }
    }
}

extension Extraction {
    /// Whether a file that follows its manifest is made anew if anything has changed: its statistics are to be those of its clips,
    /// and it does not hold those of each clip.
    var renewsStatistics: Bool {
        switch plan.configuration.normalize.scope {
        case .dataset: options.renewsStatistics
        case .none, .clip, .constant: !plan.configuration.keepsStatisticsOfClips
        }
    }
}
