extension ShardFolders {
    /// The error of a run that reads shards: `ExtractionError.deletedAttempt` where somebody has deleted one of them meanwhile, as a
    /// task does that completes a shard.
    func cause(of error: any Error) -> any Error {
        isDeletion(error) ? ExtractionError.deletedAttempt(folder: path) : error
    }
}
