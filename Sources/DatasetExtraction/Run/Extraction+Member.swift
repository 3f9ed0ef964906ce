import ClipSpool
import Concurrency
import Essentials
import FeatureStorage
import FileIO
import Manifests
import Platform

extension Extraction {
    /// Writes one file of a set from shards that are all done.
    ///
    /// Any number of files may be written at once, on machines that share the folder of the output, and one file by several
    /// attempts: each writes under a name of its own. Whoever finds all files there writes the index and deletes the shards.
    ///
    /// - Parameters:
    ///   - progress: Is kept up to date.
    ///   - cancellation: Stops the work, from any thread.
    /// - Throws: What keeps the file from being written: `StorageError`, `ManifestError`, `ExtractionError`. The shards stay.
    /// - Complexity: Reads what the shards say of all clips, and the rows of the file's own.
    package func run(
        _ member: SetMember, progress: ExtractionProgress = ExtractionProgress(),
        cancellation: Cancellation = Cancellation()
    ) throws -> MemberSummary {
        let start = ContinuousClock.now
        try OutputFolder.check(options.output, tries: false)
        let paths = FeatureSetPaths(output: options.output)
        let path = paths.file(member.number, of: member.count)
        var (wasDone, isSet) = (true, try isInSet())
        var obstacle: String?
        if isSet {
            // Whoever completed it may have been killed before it deleted them.
            removeOwnShards()
        } else {
            do {
                wasDone = try !write(member, progress, cancellation)
                (isSet, obstacle) = try completeSet()
            } catch  where !cancellation.isCancelled {
                // Whoever completes the set deletes the shards, and with them what this attempt was reading and writing.
                guard (try? isInSet()) == true else { throw error }
                isSet = true
            }
        }
        progress.start(.finished)
        let file = try FeatureReader(path: path)
        return MemberSummary(
            member: member, path: path, wasDone: wasDone, clips: file.clipCount, failures: file.failureCount,
            rows: file.rows, bytes: Int(max(FileStamp(path: path).byteCount, 0)), index: isSet ? paths.index : nil,
            obstacle: obstacle,
            elapsedSeconds: start.duration(to: .now) / .seconds(1))
    }

    /// Whether the index of a set is there, made from the same manifest and configuration.
    ///
    /// - Throws: `ExtractionError.outputExists` if it is another and may not be replaced; `StorageError` where a file of it is
    ///   lost.
    func isInSet() throws -> Bool {
        let path = FeatureSetPaths(output: options.output).index
        guard FileManager.default.fileExists(atPath: path) else { return false }
        let file: FeatureReader?
        do throws(StorageError) { file = try FeatureReader(path: path) } catch {
            if error.isSystemFault { throw error }
            file = nil
        }
        if let file, try hasEqualSource(file) {
            let found = try FeatureSetIndex(path: path).files.count
            if options.files == nil || options.files == found { return true }
        }
        try ExistingOutput.checkReplaceable(
            path, overwriting: options.overwrite, difference: "is not the index of the set that this would be")
        return false
    }

    /// Deletes the shards that are of this run. Others may belong to one that will replace the set.
    private func removeOwnShards() {
        let folders = ShardFolders(output: options.output)
        let identity = RunIdentity(self)
        let found = (try? folders.contents()) ?? []
        folders.remove(
            found.filter { shard in
                // One without an identity was being deleted.
                guard let json = try? SpoolContents.identity(ofShard: shard.folder) else { return true }
                return RunIdentity(json: json)?.differences(from: identity, ofShard: true).isEmpty == true
            })
    }

    /// Writes a file of the set, unless it is there.
    ///
    /// - Returns: Whether it was written.
    private func write(
        _ member: SetMember, _ progress: ExtractionProgress, _ cancellation: Cancellation
    ) throws -> Bool {
        let path = FeatureSetPaths(output: options.output).file(member.number, of: member.count)
        let clips = member.clips(of: source.clipCount)
        let shards = try CompleteShards(of: self, cancellation)
        try ExistingOutput.checkFile(path, self, options, shards.mixed)
        try shards.checkRecordings(of: try ForwardClips(source).clips(clips), options, cancellation)
        progress.expect(clips.count)
        progress.start(.assembling)
        let assembler = Assembler(
            extraction: self, spool: shards.contents, index: shards.index, mixed: shards.mixed, standing: .absent,
            progress: progress, cancellation: cancellation)
        return try assembler.write(
            member, try assembler.sums(), temporary: ShardFolders(output: options.output).newFile(),
            checked: try ForwardClips(source), written: try ForwardClips(source))
    }

    /// Writes the index if all files are there, and deletes the shards.
    ///
    /// - Returns: Whether all are, and what keeps them from being a set, in words.
    private func completeSet() throws -> (isSet: Bool, obstacle: String?) {
        guard let count = options.files else { return (false, nil) }
        let paths = FeatureSetPaths(output: options.output)
        // A network file system may remember for a while that a name was missing. Listing its folder makes it look again.
        _ = try? DirectoryListing.names(in: Folder.containing(options.output))
        guard (1...count).allSatisfy({ FileStamp(path: paths.file($0, of: count)) != .absent }) else {
            return (false, nil)
        }
        let index: FeatureSetIndex
        do throws(StorageError) { index = try FeatureSetIndex(files: count, paths) } catch {
            // A file of an older set stands where another task will write its own.
            guard !error.isSystemFault else { throw error }
            return (false, "\(error)")
        }
        guard index.manifestChecksum == source.sha256, index.clips + index.failures == source.clipCount else {
            return (false, "the files have \(index.clips + index.failures) of \(source.clipCount) clips")
        }
        if (try? FeatureSetIndex(path: paths.index)) != index {
            let temporary = ShardFolders(output: options.output).newFile()
            do { try index.write(to: paths.index, temporary: temporary) } catch {
                unlink(temporary)
                throw error
            }
        }
        removeShards()
        return (true, nil)
    }
}
