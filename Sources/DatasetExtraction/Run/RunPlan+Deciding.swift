import ClipSpool
import Concurrency
import FeatureModel
import FeatureStorage
import FileIO
import Foundation
import Manifests

extension Extraction {
    /// Looks at what `run` would find: the output, and what an interrupted run has left. Nothing on disk is changed.
    ///
    /// - Throws: `ManifestError`. What would keep the run from beginning is no error here, but the outlook's obstacle,
    ///   unless the machine is at fault.
    /// - Complexity: Reads the clips of an interrupted run, the columns of the file that clips are appended to, and all of a
    ///   file that would be left as it is. Decodes the recordings of the clips that `--append` keeps, as `run` does.
    package func outlook() throws -> RunPlan {
        let index = SpoolIndex(clips: manifest.clipCount)
        var outlook = RunPlan(clips: manifest.clipCount, index: index)
        do {
            try look(&outlook, index)
        } catch  where error.isSystemFault {
            throw error
        } catch let error as ExtractionError {
            outlook.obstacle = "\(error)"
        } catch let error as StorageError {
            outlook.obstacle = "\(error)"
        }
        return outlook
    }

    private func look(_ outlook: inout RunPlan, _ index: SpoolIndex) throws {
        var spool = try keptSpool()
        var identity = RunIdentity(
            configuration: configuration, manifest: manifest, plan: plan, policy: options.policy)
        let appends = options.append && FileManager.default.fileExists(atPath: options.output)
        if appends {
            let file = try FeatureReader(path: options.output)
            if file.manifestChecksum == manifest.sha256, file.configuration == configuration,
                try ManifestReading.difference(file, manifest) == nil, file.policy == options.policy
            {
                if try isOutlived(spool, by: file, identity) { spool = nil }
                if file.failureCount == 0 {
                    if let damage = try ExistingOutput.damage(file) {
                        throw StorageError.damaged(path: file.path, found: damage)
                    }
                    outlook.missing = try comparison(Cancellation()).checkKept(in: file)
                    outlook.output = .upToDate
                    outlook.clipsLeft = 0
                    return
                }
            }
            _ = try AppendBase(
                file, identity: identity, manifest: manifest, plan: plan, index: index, given: options.statistics)
            outlook.keep(file.clipCount, seconds: try file.totalDuration(), index)
            identity.base = file.metadataChecksum
        }
        if let spool, spool.hasClips, let json = spool.identity {
            outlook.interrupted = try interrupted(spool, RunIdentity(json: json), identity, index)
            outlook.clipsLeft -= outlook.interrupted.map { $0.isDiscarded ? 0 : $0.done } ?? 0
        }
        if appends {
            outlook.missing = try comparison(Cancellation()).checkKept(in: try FeatureReader(path: options.output))
        } else {
            outlook.output = try existingOutput()
        }
        if outlook.output == .comparable, let found = outlook.interrupted, !found.isDiscarded {
            // They have become that file.
            outlook.interrupted?.done += found.rowless
            outlook.clipsLeft -= found.rowless
        }
    }

    /// The folder with the clips of an interrupted run, found by the rules of `RunFolders`; nil: there is none.
    private func keptSpool() throws -> SpoolContents? {
        if !options.fresh { try RunFolders.checkNoRecording(in: options.outputFolder, of: options.output) }
        let output = try SpoolContents(folder: options.outputFolder)
        let wanted = OutputFolder.absolute(options.spoolFolder)
        let beside = OutputFolder.absolute(options.outputFolder)
        let hasOwn = output.map { $0.identity != nil && $0.hasClips } ?? false
        let kept = output?.pointer ?? (hasOwn ? beside : nil)
        if let kept, kept != wanted {
            guard options.fresh else {
                throw ExtractionError.clipsElsewhere(
                    kept: kept, isBesideOutput: kept == beside, exists: FileManager.default.fileExists(atPath: kept))
            }
            return kept == beside ? output : try SpoolContents(folder: kept)
        }
        let clips = wanted == beside ? output : try SpoolContents(folder: options.spoolFolder)
        if !options.fresh, kept != nil, kept != beside, clips?.identity == nil {
            throw ExtractionError.clipsElsewhere(kept: wanted, isBesideOutput: false, exists: false)
        }
        return clips
    }

    /// Whether what is left in a folder is of the run that has made the file that clips would be appended to.
    ///
    /// - Throws: `ExtractionError.otherRun` where it is of another.
    private func isOutlived(
        _ spool: SpoolContents?, by file: FeatureReader, _ identity: RunIdentity
    ) throws(ExtractionError) -> Bool {
        guard let spool, spool.hasClips, !options.fresh, let earlier = spool.identity.flatMap(RunIdentity.init(json:)),
            earlier.base != file.metadataChecksum
        else { return false }
        var same = identity
        same.base = earlier.base
        let differences = same.differences(from: earlier) + (earlier.base == nil ? ["it was no --append"] : [])
        guard differences.isEmpty else { throw .otherRun(folder: spool.folder, differences: differences) }
        return true
    }

    /// What an interrupted run has done, compared with the recordings' size and time.
    private func interrupted(
        _ spool: SpoolContents, _ earlier: RunIdentity?, _ identity: RunIdentity, _ index: SpoolIndex
    ) throws -> RunPlan.Interrupted {
        var found = RunPlan.Interrupted(folder: spool.folder, isDiscarded: options.fresh)
        if options.fresh {
            // They may be of any run: only their number counts.
            try spool.scan { _ in found.done += 1 }
            return found
        }
        let differences =
            earlier.map { identity.differences(from: $0) } ?? ["what it says of itself cannot be read"]
        guard differences.isEmpty else {
            throw ExtractionError.otherRun(folder: spool.folder, differences: differences)
        }
        try spool.scan { index.note($0, clips: manifest.clipCount) }
        let (clips, reader, hasRows) = (try manifest.reader(), spool.reader(), spool.hasRows)
        var (missing, firstMissing) = (0, "")
        while let clip = try clips.next() {
            let entry = index.entry(clip.index)
            guard index.isDone(clip.index), entry.position.keptPlace == nil else { continue }
            let before: FileStamp
            if entry.rows == nil {
                let failed = try reader.failed(at: entry.position)
                // Tried again, as by `ResumedRun`.
                guard !failed.failure.isTransient else { continue }
                before = failed.recording
            } else {
                let spooled = try reader.finished(at: entry.position)
                // They have become a file, and if that is not the output as it should be, they are read again.
                guard spooled.placed == nil || hasRows else {
                    found.rowless += 1
                    continue
                }
                before = spooled.recording
            }
            let now = FileStamp(path: Clip.location(of: clip.path, root: options.root))
            if now == before {
                found.done += 1
            } else if now == .absent, options.keepMissing {
                found.done += 1
            } else if now == .absent {
                if missing == 0 { firstMissing = clip.path }
                missing += 1
            } else {
                found.changed += 1
            }
        }
        guard missing == 0 else {
            throw ExtractionError.missingRecordings(folder: spool.folder, count: missing, path: firstMissing)
        }
        return found
    }

    /// What becomes of a file that stands where the output is to come, as far as can be said without its recordings.
    private func existingOutput() throws -> RunPlan.Output {
        guard FileManager.default.fileExists(atPath: options.output) else { return .absent }
        let file: FeatureReader?
        do throws(StorageError) {
            file = try FeatureReader(path: options.output)
        } catch {
            if case .inUse = error { throw error }
            // That it cannot be read now says nothing of the file.
            if error.isSystemFault { throw error }
            guard ExistingOutput.isReplaceable(options.output) else {
                throw ExtractionError.notReplaceable(path: options.output)
            }
            file = nil
        }
        let difference =
            try file.map {
                try ExistingOutput.difference($0, options, manifest, configuration) { nil }
                    ?? ExistingOutput.damage($0).map { "is damaged: \($0)" }
            } ?? "is not a complete feature file"
        guard let difference else { return .comparable }
        guard options.overwrite else {
            throw ExtractionError.outputExists(path: options.output, difference: difference)
        }
        return .replaced
    }
}

extension RunPlan {
    /// Notes the clips that stay as they are, which are all that `index` has.
    fileprivate mutating func keep(_ clips: Int, seconds: Double, _ index: SpoolIndex) {
        output = .grows
        keptClips = clips
        keptRows = index.totals.rows
        keptSeconds = seconds
        clipsLeft -= clips
    }
}
