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
        var left = LeftShards()
        if isSet {
            // Whoever completed it may have been killed before it deleted what is not needed any more.
            ReplacedSet(paths).removeFiles()
            left = removeOwnShards()
        } else {
            let folders = ShardFolders(output: options.output)
            // Until then, the file may be missing only here.
            var isWritten = false
            do {
                wasDone = try !write(member, progress, cancellation)
                isWritten = true
                (isSet, obstacle) = try completeSet()
                if isSet { left = removeOwnShards() }
            } catch  where !cancellation.isCancelled {
                // Whoever completes the set deletes the shards, and with them what this attempt was reading and writing. An index
                // that this one has written is none if the disk does not take its name.
                guard !isWritten || !error.isSystemFault, (try? isInSet()) == true else {
                    throw folders.cause(of: error)
                }
                isSet = true
                left = removeOwnShards()
            }
        }
        progress.start(.finished)
        let file = try FeatureReader(path: path)
        return MemberSummary(
            member: member, path: path, wasDone: wasDone, clips: file.clipCount, failures: file.failureCount,
            rows: file.rows, bytes: Int(max(FileStamp(path: path).byteCount, 0)), index: isSet ? paths.index : nil,
            obstacle: obstacle, warning: left.warning,
            elapsedSeconds: start.duration(to: .now) / .seconds(1), account: try file.accountOfRecordings())
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
        try shards.checkRecordings(of: try ForwardClips(source).clips(clips), self, cancellation)
        progress.expect(clips.count)
        progress.start(.assembling)
        let assembler = Assembler(
            extraction: self, spool: shards.contents, index: shards.index, mixed: shards.mixed, standing: .absent,
            progress: progress, cancellation: cancellation)
        return try assembler.write(
            member, try assembler.sums(), temporary: ShardFolders(output: options.output).newFile(),
            checked: try ForwardClips(source), written: try ForwardClips(source))
    }

    /// Writes the index if all files are there.
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
        if let obstacle = try otherFile(paths, count) { return (false, obstacle) }
        let index: FeatureSetIndex
        do throws(StorageError) { index = try FeatureSetIndex(files: count, paths) } catch {
            guard !error.isSystemFault else { throw error }
            // There is no index yet that names it.
            if case .changedMember(let path, _, let found) = error { return (false, "\(path): \(found)") }
            return (false, "\(error)")
        }
        guard index.manifestChecksum == source.sha256, index.clips + index.failures == source.clipCount else {
            return (false, "the files have \(index.clips + index.failures) of \(source.clipCount) clips")
        }
        let before = try? FeatureSetIndex(path: paths.index)
        if before != index {
            let temporary = ShardFolders(output: options.output).newFile()
            do { try ReplacedSet(paths).replace(before, by: index, temporary: temporary) } catch {
                unlink(temporary)
                throw error
            }
        }
        return (true, nil)
    }

    /// The first file of a set that this run would not have written, and what to do, in words; nil: there is none.
    ///
    /// It is one of an older set, which another task is about to replace, or the tasks were not given the same options.
    private func otherFile(_ paths: FeatureSetPaths, _ count: Int) throws -> String? {
        for number in 1...count {
            let path = paths.file(number, of: count)
            let found: String
            do {
                let file = try FeatureReader(path: path)
                let differences = try sourceDifferences(file)
                guard let words = Difference.wordsOfOutput(differences) else { continue }
                let settings = differences.filter { if case .setting = $0 { true } else { false } }
                found = words + (settings.isEmpty ? "" : ": " + settings.map(\.words).joined(separator: "; "))
            } catch let error as StorageError where !error.isSystemFault {
                found = "cannot be read: \(error)"
            }
            return "\(path) \(found): unless its task is still to come, give --file \(number)/\(count) --overwrite "
                + "with the options of this file, or write this file again with those of that one"
        }
        return nil
    }
}
