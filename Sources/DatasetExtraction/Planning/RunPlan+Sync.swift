import ClipSpool
import Concurrency
import FeatureModel
import FeatureStorage
import FileIO

/// `--append`, `--sync` and `--retry-failed`: clips of an existing file are kept.
extension RunPlan {
    /// The existing file, whose clips are kept as the update says; nil: they cannot be, or it is damaged, and it may be replaced.
    ///
    /// - Throws: As `comparable`.
    /// - Complexity: Reads all of a file that may be replaced: damage that is found while rows are copied comes too late.
    func older(_ extraction: Extraction) throws -> FeatureReader? {
        guard extraction.options.overwrite else { return try comparable(extraction) }
        do {
            let file = try comparable(extraction)
            return try ExistingOutput.damage(file) == nil ? file : nil
        } catch ExtractionError.cannotSync {
            return nil
        } catch let error as StorageError where !error.isSystemFault {
            return nil
        }
    }

    /// The existing file, if its clips can be kept as the update says.
    ///
    /// - Throws: `ExtractionError.cannotAppend`, `.cannotSync`; `StorageError`, `.damaged` among them.
    private func comparable(_ extraction: Extraction) throws -> FeatureReader {
        let (options, update) = (extraction.options, extraction.options.update)
        let file = try FeatureReader(path: options.output)
        try file.checkMetadata()
        let differences = identity.differences(
            from: try Provenance(file, source: extraction.source, grows: true),
            tolerance: update.tolerance(statistics: options.statistics == nil))
        guard try differences.isEmpty || keepsWhole(file, extraction) else {
            throw update.refusal(of: file, .differences(differences))
        }
        if update.kept == .matching, update.needsEqualManifest {
            let differences = try extraction.sourceDifferences(file)
            if let first = differences.first {
                if case .corrections = first { throw update.refusal(of: file, .otherCorrections) }
                throw update.refusal(of: file, .otherManifest)
            }
        }
        return file
    }

    /// Whether all clips are kept, and there are no others: a file that is not touched may hold more than this run would write.
    func keepsWhole(_ file: FeatureReader, _ extraction: Extraction) throws -> Bool {
        try extraction.options.update.kept == .all && file.failureCount == 0 && extraction.hasEqualSource(file)
    }

    /// Compares the manifest with its file, clip by clip.
    ///
    /// - Throws: As `SyncPass.run`.
    mutating func follow(_ file: FeatureReader, _ extraction: Extraction, _ cancellation: Cancellation) throws {
        let keepsAll = extraction.options.update.kept == .all
        let outcome = try SyncPass(extraction, file, cancellation).run(into: index)
        if !keepsAll { changes = outcome.plan }
        missing = outcome.missing
        let hasEqualSource = try extraction.hasEqualSource(file)
        // Clips of an interrupted run are done, but not in the file.
        if outcome.plan.isEmpty, resumed == nil, hasEqualSource {
            if !keepsAll, let damage = try ExistingOutput.damage(file) {
                throw StorageError.damaged(path: file.path, found: damage)
            }
            output = .upToDate
        } else {
            base = AppendBase(
                file, keeping: outcome, hasEqualSource: hasEqualSource,
                frameLabelNames: keepsAll ? file.frameLabelNames ?? [] : [])
            output = keepsAll ? .grows : .follows
        }
    }

    /// What has changed for a file that is made anew for the sake of its statistics: all clips are computed.
    ///
    /// - Parameter compares: Whether recordings are compared, too; not needed if the manifest alone is another.
    mutating func replaceStatistics(
        _ file: FeatureReader, _ extraction: Extraction, comparing compares: Bool, _ cancellation: Cancellation
    ) throws {
        let outcome = try SyncPass(
            extraction, file, recordings: compares ? .compared : .lookedUp, retriesFailed: !compares, cancellation
        ).run(into: SpoolIndex(clips: clips))
        changes = outcome.plan
        changes?.replacesStatistics = true
        // A disk that is not mounted must not turn clips into failures.
        if outcome.missing.count > 0, !extraction.options.overwrite {
            throw extraction.options.update.refusal(
                of: file, .missingRecordings(count: outcome.missing.count, first: outcome.missing.first))
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
