import FileIO

extension ShardFolders {
    /// Why shards cannot be used, in words, if that is what an error says.
    func obstacle(_ error: any Error) -> String? {
        switch error {
        case ExtractionError.otherRun(let folder, let differences) where contains(folder):
            "the shards in \(path) that are of another run stay there: \(differences.map { "\($0)" }.joined(separator: "; "))"
        case ExtractionError.otherMachines:
            "the shards in \(path) that other kinds of machine computed are not used"
        case StorageError.system(_, let folder, let code) where contains(folder) && !SystemError(code: code).isFault:
            "the shards in \(path) cannot be used: \(error)"
        default: nil
        }
    }
}
