import ClipSpool
import Concurrency
import Essentials
import FeatureModel
import FeatureStorage
import FileIO
import Manifests

extension RunPlan {
    /// Decides from the output, from the clips of an interrupted run, and from the recordings of both. Changes nothing on the disk.
    ///
    /// - Parameter isHeld: Whether the caller has locked the folder next to the output.
    /// - Throws: What keeps the run from starting: `ExtractionError`, `StorageError`, `ManifestError`.
    /// - Complexity: Reads the clips of an interrupted run, the columns of the file that clips are appended to, and all of a
    ///   file that would be left as it is, or whose clips are kept only if it is not damaged. Decodes the recordings of the clips that
    ///   `--append` keeps, and with `--verify-inputs` those of an interrupted run.
    mutating func decide(
        _ extraction: Extraction, isHeld: Bool = false, cancellation: Cancellation = Cancellation()
    ) throws {
        do {
            try decide(extraction, isHeld: isHeld, takesShards: true, cancellation)
        } catch {
            // An output that is right needs no shards, so what keeps shards from being used is not an obstacle.
            let options = extraction.options
            guard let reason = ShardFolders(output: options.output).obstacle(error),
                try options.update.kept == .none
                    || options.update.kept == .all && keepsWhole(FeatureReader(path: options.result), extraction)
            else { throw error }
            var plan = RunPlan(extraction)
            try? plan.decide(extraction, isHeld: isHeld, takesShards: false, cancellation)
            guard plan.output == .comparable || plan.output == .upToDate else { throw error }
            plan.unusableShards = reason
            self = plan
        }
    }

    private mutating func decide(
        _ extraction: Extraction, isHeld: Bool, takesShards: Bool, _ cancellation: Cancellation
    ) throws {
        let options = extraction.options
        var contents = try RunFolders.contents(options, isHeld: isHeld, takesShards: takesShards)
        let exists = FileManager.default.fileExists(atPath: options.result)
        let keepsAll = options.update.kept == .all
        let updates = options.update.kept != .none && exists
        let older = updates ? try older(extraction) : nil
        let renews = !keepsAll && extraction.renewsStatistics
        if let older, !renews {
            identity.base = older.metadataChecksum
            if !options.fresh, hasBecome(older, contents) { contents = nil }
            // Before recordings are read, which takes longest.
            if keepsAll {
                if try keepsWhole(older, extraction), let damage = try ExistingOutput.damage(older) {
                    throw StorageError.damaged(path: older.path, found: damage)
                }
                _ = try SyncPass(extraction, older, recordings: .ignored, cancellation)
                    .run(into: SpoolIndex(clips: clips))
            }
        }
        if let contents, contents.hasClips {
            if options.fresh {
                discarded = contents
            } else if contents.identity != nil || !contents.shards.isEmpty {
                for folder in contents.shards {
                    try extraction.checkIdentity(of: folder, identity, .shard)
                }
                if contents.identity != nil {
                    try extraction.checkIdentity(
                        of: contents.folder, identity, updates && older == nil ? .spoolOfUpdate : .spool)
                }
                machines = try UsedMachines(contents, of: extraction)
                resumed = try ResumedRun.admit(contents, of: extraction, into: index, cancellation)
            }
        }
        if let older, !renews {
            try follow(older, extraction, cancellation)
        } else {
            var options = options
            if older != nil { options.overwrite = true }
            // The shards that are left do not cover all clips of the file.
            output = try ExistingOutput.decide(extraction, options, mixed: hasResumedAll ? mixed : nil)
            renewsStatistics = older != nil
            if let older, output == .replaced {
                try replaceStatistics(older, extraction, comparing: false, cancellation)
            }
            // With --sync, a dry run says what would change.
            if older != nil { try settle(extraction, cancellation) }
        }
        // Otherwise they may have become that file.
        if output != .comparable { forgetClipsMissingRows() }
    }

    /// Decides whether an output that is comparable is up to date: reads the recordings, or the clips of an interrupted run.
    ///
    /// - Throws: `ExtractionError.outputExists` if recordings have changed and the output is not to be replaced, and others.
    mutating func settle(_ extraction: Extraction, _ cancellation: Cancellation) throws {
        guard output == .comparable else { return }
        let file = try FeatureReader(path: extraction.options.result)
        // Recordings that another kind of machine decoded have other samples here.
        if !hasResumedAll, extraction.options.allowsMixed, SoftwareVersions.mixture(in: file.software) != nil {
            output = .upToDate
        } else if let changed = try ExistingOutput.changedRecording(file, extraction, self, cancellation) {
            try ExistingOutput.checkReplaceable(
                file, extraction.options, overwriting: extraction.options.overwrite || renewsStatistics,
                changedRecording: changed)
            output = .replaced
            if renewsStatistics { try replaceStatistics(file, extraction, comparing: true, cancellation) }
        } else {
            output = .upToDate
        }
    }

    /// Whether what an interrupted run left says of every clip what it is.
    var hasResumedAll: Bool { resumed.map { $0.done + $0.retried == clips } ?? false }

    /// What `/provenance/software` of the output says of other machines, in words; nil: nothing.
    var mixed: String? {
        let found = [base?.mixed, machines.flatMap { OtherMachine.mixture(of: $0.others) }].compactMap(\.self)
        return found.isEmpty ? nil : Set(found).sorted().joined(separator: "; ")
    }

    /// Whether what an interrupted run left has become this file: the run was killed before it deleted the folder.
    private func hasBecome(_ file: FeatureReader, _ contents: SpoolContents?) -> Bool {
        guard let earlier = contents?.identity.flatMap(Provenance.init(json:)), let base = earlier.base else {
            return false
        }
        return base != file.metadataChecksum && earlier.manifest == file.manifestChecksum
            && earlier.corrections ?? "" == file.correctionsChecksum
            && identity.differences(from: earlier, tolerance: .finishedSpool).isEmpty
    }
}

extension Extraction {
    /// - Throws: `ExtractionError.otherRun` if a shard, or what an interrupted run left, was made from something else.
    func checkIdentity(of folder: String, _ identity: Provenance, _ tolerance: Tolerance) throws {
        // Another attempt may have been deleted, or not have begun, at this moment.
        guard let json = try SpoolNote.identity.text(in: folder) else { return }
        try identity.check(json, of: folder, tolerance)
    }

    /// - Throws: `ExtractionError.shardOfOtherRun` if a shard that another task computes was made from something else.
    func checkShard(_ folder: String, _ identity: Provenance) throws {
        do { try checkIdentity(of: folder, identity, .shard) } catch ExtractionError.otherRun(
            let folder, let differences)
        {
            throw ExtractionError.shardOfOtherRun(folder: folder, differences: differences)
        }
    }

    /// How a finished file, or a set, differs from the one that this run would write.
    ///
    /// - Parameter mixed: What that would say of other machines; nil: nothing.
    func differences(ofOutput file: FeatureReader, mixed: String?) throws -> [Difference] {
        try Provenance(self, mixed: mixed)
            .differences(from: Provenance(file, source: source), tolerance: .output(mixed: options.allowsMixed))
    }

    /// How a file differs from one that was made from this manifest, read as now, with this configuration and policy and these
    /// statistics; the machines may differ. A file that grows or follows its manifest keeps the statistics that it has, unless
    /// others are given.
    func sourceDifferences(_ file: FeatureReader) throws -> [Difference] {
        let keepsStatistics = options.update.kept != .none && options.statistics == nil
        return try Provenance(self)
            .differences(from: Provenance(file, source: source), tolerance: .source(statistics: keepsStatistics))
    }

    /// Whether there is no such difference.
    func hasEqualSource(_ file: FeatureReader) throws -> Bool { try sourceDifferences(file).isEmpty }

    /// The comparison of recordings with those that a file was made from.
    func comparison(_ cancellation: Cancellation) -> InputComparison {
        InputComparison(extraction: self, cancellation: cancellation)
    }
}
