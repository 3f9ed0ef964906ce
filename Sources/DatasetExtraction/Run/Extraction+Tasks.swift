import ClipSpool
import Concurrency
import FeatureStorage
import FileIO
import Platform

/// What a task of a run, `--shard` or `--file`, finds under the output's name: others may have done its work, now or before.
struct TaskOutput {
    private let extraction: Extraction
    /// The names that it may have: those of a file, or of the index of a set.
    private let paths: [String]
    /// The output that was there before, if recordings have changed since it was made.
    private var stale: FileStamp?
    /// Whether this is a real run and not a dry run, which decodes nothing.
    private(set) var isRun = false

    init(_ extraction: Extraction, paths: [String]) { (self.extraction, self.paths) = (extraction, paths) }

    /// Makes sure, before a run, that the output could be written.
    ///
    /// - Throws: `ExtractionError.unwritableFolder`, `.unusableName`.
    mutating func begin() throws(ExtractionError) {
        try OutputFolder.check(extraction.options.output, tries: false)
        isRun = true
    }

    /// The output, as this run would make it, as far as can be said without recordings; nil: it is not there.
    ///
    /// - Throws: `ExtractionError.outputExists` if it is another and may not be replaced, `.incompleteOutput` if not all of it can
    ///   be seen; `StorageError`.
    func own() throws -> String? { try paths.first { try FileStamp(path: $0) != stale && extraction.isOwn($0) } }

    /// Whether it is there, and the recordings of a part of its clips are still what they were made from: decodes these.
    ///
    /// - Throws: As `own`; `ManifestError`.
    mutating func isUnchanged(_ path: String, _ part: RunPart, _ cancellation: Cancellation) throws -> Bool {
        let (file, options) = (try FeatureReader(path: path), extraction.options)
        // Recordings that another kind of machine decoded have other samples here.
        if options.allowsMixed, SoftwareVersions.mixture(in: file.software) != nil { return true }
        do throws(StorageError) { try file.checkMembers() } catch {
            guard options.overwrite, case .changedMember = error else { throw error }
            stale = FileStamp(path: path)
            return false
        }
        guard let changed = try extraction.comparison(cancellation).firstDifference(from: file, of: part) else {
            return true
        }
        stale = FileStamp(path: path)
        try ExistingOutput.checkReplaceable(file, options, changedRecording: changed)
        return false
    }
}

extension Extraction {
    /// Whether a file or an index is there that this run would write.
    ///
    /// - Throws: As `TaskOutput.own`.
    func isOwn(_ path: String) throws -> Bool {
        guard FileStatus(path: path) != nil else { return false }
        let difference = try ExistingOutput.difference(at: path) { error, _ in
            guard options.overwrite || !Self.mayBeIncomplete(error, path) else {
                throw ExtractionError.incompleteOutput(path: path, reason: "\(error)")
            }
            return .incomplete
        } compare: { file in
            try OutputDifference(sourceDifferences(file), follows: file.set == nil)
                ?? ExistingOutput.numberOfFiles(path, options)
        }
        guard let difference else { return true }
        try ExistingOutput.checkReplaceable(path, overwriting: options.overwrite, difference: difference)
        return false
    }

    /// Whether a file that cannot be read may be complete on the machine that wrote it: a network file system may still show the
    /// former size of a file, or the former names in a folder.
    private static func mayBeIncomplete(_ error: StorageError, _ path: String) -> Bool {
        switch error {
        case .system, .missingMember, .changedMember: true
        default: HDF5Signature.isCutShort(path)
        }
    }

    /// Deletes the shards that are of this run, whose clips are in the output now.
    ///
    /// - Parameter others: Whether others are deleted, too. They may belong to a run that will replace the output.
    /// - Returns: What could not be deleted.
    func removeOwnShards(andOthers others: Bool = false) -> LeftShards {
        let folders = ShardFolders(output: options.output)
        let identity = Provenance(self)
        var unknown = LeftShards()
        var found: [ShardFolders.Found] = []
        do throws(StorageError) { found = try folders.contents() } catch {
            unknown.add(folders.path, SystemError(code: error.systemCode ?? EIO))
        }
        let own = found.filter { shard in
            guard !others else { return true }
            do throws(StorageError) {
                // One without an identity was being deleted.
                guard let json = try SpoolNote.identity.text(in: shard.folder) else { return true }
                return Provenance(json: json).map { identity.differences(from: $0, tolerance: .shard).isEmpty } ?? false
            } catch {
                // What cannot be read may be of another run.
                unknown.add(shard.folder, SystemError(code: error.systemCode ?? EIO))
                return false
            }
        }
        return folders.remove(own, leaving: unknown)
    }
}
