import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import Platform

extension Assembler {
    /// Writes the files of a set, and then their index.
    ///
    /// A file that an interrupted run has completed is kept.
    ///
    /// - Parameters:
    ///   - count: Number of files.
    ///   - temporary: The name of each until it is complete.
    /// - Throws: `StorageError`, `ManifestError` or `ExtractionError`; the clips are still in the spool then.
    func write(files count: Int, temporary: String) throws -> Outcome {
        let sums = try sums()
        let (checked, written) = (try ForwardClips(source), try ForwardClips(source))
        var isUnchanged = true
        for setFile in SetFile.all(count) {
            if try write(setFile, sums, temporary: temporary, checked: checked, written: written) {
                isUnchanged = false
            }
        }
        try written.finish()
        let paths = FeatureSetPaths(output: options.output)
        let before = try? FeatureSetIndex(path: paths.index)
        let index = try FeatureSetIndex(files: count, paths)
        guard index.clips + index.failures == source.clipCount else {
            throw StorageError.damaged(
                path: paths.index, found: "files with \(index.clips + index.failures) of \(source.clipCount) clips")
        }
        if before != index {
            isUnchanged = false
            try ReplacedSet(paths).replace(before, by: index, temporary: temporary)
        }
        return outcome(sums, isUnchanged: isUnchanged, bytes: Int64(index.files.reduce(0) { $0 + $1.bytes }))
    }

    /// Writes a file of a set, unless it is there.
    ///
    /// - Parameters:
    ///   - temporary: Its name until it is complete.
    ///   - checked: Reads its clips, to compare them with an existing file.
    ///   - written: Reads its clips, to write them.
    /// - Returns: Whether it was written.
    func write(
        _ setFile: SetFile, _ sums: AssemblySums, temporary: String, checked: ForwardClips, written: ForwardClips
    ) throws -> Bool {
        try cancellation.check()
        let path = FeatureSetPaths(output: options.output).file(setFile.number, of: setFile.count)
        let clips = setFile.clips(of: source.clipCount)
        let existing = FileStamp(path: path)
        if existing != .absent, try isWritten(setFile, checked, sums) {
            progress.assembled(clips.count)
            return false
        }
        do {
            let part = AssemblyPart(clips: clips, reader: try written.clips(clips), existing: existing)
            _ = try assemble(part, sums, path, temporary)
        } catch {
            unlink(temporary)
            // Another attempt at the same file may have been first.
            guard case StorageError.changedMeanwhile = error,
                try isWritten(setFile, try ForwardClips(source), sums)
            else { throw error }
        }
        return true
    }

    /// Whether a file is complete, undamaged, and the one that would be written.
    ///
    /// - Parameters:
    ///   - clips: Reads its clips.
    ///   - readsRows: Whether its rows are compared with their checksums.
    /// - Complexity: Reads the file, or its columns.
    func isWritten(
        _ setFile: SetFile, _ clips: ForwardClips, _ sums: AssemblySums, readsRows: Bool = true
    ) throws -> Bool {
        let path = FeatureSetPaths(output: options.output).file(setFile.number, of: setFile.count)
        let range = setFile.clips(of: source.clipCount)
        let reader = try clips.clips(range)
        let file: FeatureReader
        do throws(StorageError) { file = try FeatureReader(path: path) } catch {
            guard !error.isSystemFault else { throw error }
            return false
        }
        do {
            let names = options.frameAnnotations.map { FrameLabeler($0, plan, known: []).names }
            var checksum = MetadataChecksum(try header(of: range, sums, frameLabelNames: names, output: path))
            guard file.policy == options.policy else { return false }
            var cursor = FeatureFileCursor(file)
            let spooled = spool.reader()
            while case let block = try reader.next(1024), !block.isEmpty {
                try cancellation.check()
                for clip in block {
                    guard let found = try cursor.find(clip),
                        try found.isSame(clip, as: index[clip.index], spooled, failsAgain: { _ in false })
                    else { return false }
                }
                for failure in try failures(block, spooled, sums.normalization) { checksum.add(failure) }
            }
            return try checksum.hex == file.metadataChecksum && (!readsRows || ExistingOutput.damage(file) == nil)
        } catch let error as StorageError where !error.isSystemFault && !error.path.hasPrefix(spool.folder + "/") {
            return false
        }
    }
}
