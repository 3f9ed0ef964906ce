import FeatureStorage
import FileIO

/// What the tasks of a run, `--shard` and `--file`, find under the output's name: the work of others may be done.
extension Extraction {
    /// Whether the output, a file or a set, is there already as this run would make it.
    ///
    /// - Throws: `ExtractionError.outputExists` if it is another and may not be replaced, `.incompleteOutput` if not all of it can
    ///   be seen; `StorageError`.
    func isInOutput() throws -> Bool { try ownOutput() != nil }

    /// The index of a set, or the file, that has the clips; nil: neither is there.
    ///
    /// - Throws: As `isInOutput`.
    func ownOutput() throws -> String? {
        try [FeatureSetPaths(output: options.output).index, options.output].first(where: isOwn)
    }

    /// Whether the index of a set is there, and the files that it names.
    ///
    /// - Throws: As `isInOutput`.
    func isInSet() throws -> Bool { try isOwn(FeatureSetPaths(output: options.output).index) }

    private func isOwn(_ path: String) throws -> Bool {
        guard FileStatus(path: path) != nil else { return false }
        var difference: String?
        do {
            let file = try FeatureReader(path: path)
            difference =
                try Difference.wordsOfOutput(sourceDifferences(file)) ?? ExistingOutput.numberOfFiles(path, options)
        } catch let error as StorageError where !error.isSystemFault {
            guard options.overwrite || !Self.mayBeIncomplete(error, path) else {
                throw ExtractionError.incompleteOutput(path: path, reason: "\(error)")
            }
            difference = "is not a complete feature file"
        }
        guard let difference else { return true }
        try ExistingOutput.checkReplaceable(path, overwriting: options.overwrite, difference: difference)
        return false
    }

    /// Whether a file that cannot be read may be whole on the machine that wrote it: a network file system may still show the size
    /// of a file, or the names in a folder, as they were before.
    private static func mayBeIncomplete(_ error: StorageError, _ path: String) -> Bool {
        switch error {
        case .system, .missingMember, .changedMember: true
        default: HDF5Signature.isCutShort(path)
        }
    }
}
