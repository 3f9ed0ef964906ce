import Concurrency
import FeatureStorage

/// What a run is to produce.
package enum RunTask: Hashable, Sendable {
    /// The file, or the set of files.
    case output
    /// The folder of a shard, where a run without one finds its clips.
    case shard(Shard)
    /// One file of a set, from shards that are all done.
    case setFile(SetFile)
}

/// The kinds of run: a row of values each. A command chooses one; the other code uses only its values.
///
/// | kind | what of clips is there already | clips | leaves |
/// |---|---|---|---|
/// | `file`, `set` | those of an interrupted run, and of shards | all | the file, or the files and their index |
/// | `append` | the same, and all of the older file | all | the file |
/// | `sync`, `retryFailed` | the same, and those of the older file that the manifest has | all | the file |
/// | `shard` | those of earlier attempts at it | its part | the folder of the shard |
/// | `setFile` | those of all shards | none | one file of the set |
/// | `stream` | those of an interrupted run, as the stream brings them | all, known at its end | the file |
package enum RunKind: String, CaseIterable, Sendable {
    case file, set, append, sync, retryFailed, shard, setFile, stream

    /// What becomes of the clips of an existing output.
    package var update: Update {
        switch self {
        case .file, .set, .shard, .setFile, .stream: .none
        case .append: .append
        case .sync: .sync
        case .retryFailed: .retryFailed
        }
    }

    /// Whether it keeps clips of an existing output.
    package var keepsClips: Bool {
        switch self {
        case .append, .sync, .retryFailed: true
        case .file, .set, .shard, .setFile, .stream: false
        }
    }
}

extension Extraction {
    /// Extracts every clip and writes the file; does nothing if the file is up to date.
    ///
    /// Clips that are done are kept until the file is complete. If an earlier run was interrupted, at any moment and in any way,
    /// this one resumes it, and the file has the same bytes as if it had not been interrupted.
    ///
    /// - Parameters:
    ///   - progress: Updated from several threads.
    ///   - cancellation: Stops the work, from any thread.
    ///   - announce: Called when an interrupted run is resumed, before the work starts.
    /// - Throws: What keeps the file from being written: `StorageError`, `ManifestError`, `ExtractionError`, or
    ///   `StoppedExtraction` if clips are kept for the next run.
    package func run(
        progress: ExtractionProgress = ExtractionProgress(), cancellation: Cancellation = Cancellation(),
        announce: (ResumptionNotice) -> Void = { _ in }
    ) throws -> ExtractionSummary {
        try run(towards: OutputTarget(self), progress, cancellation, announce)
    }

    /// Extracts the clips of a shard into a folder next to the output, where the run that writes the file finds them.
    ///
    /// Clips that an earlier attempt at the shard had done are copied from it. Two attempts at once do no harm: each has a folder
    /// of its own, and the first that is complete gives it the shard's name.
    ///
    /// - Throws: As `run`, for the folder of the shard.
    package func run(
        _ shard: Shard, progress: ExtractionProgress = ExtractionProgress(),
        cancellation: Cancellation = Cancellation()
    ) throws -> ShardSummary {
        try run(towards: ShardTarget(shard, of: self), progress, cancellation)
    }

    /// Writes one file of a set from shards that are all done.
    ///
    /// Any number of files may be written at once, on machines that share the folder of the output, and one file by several
    /// attempts: each writes under a name of its own. Whoever finds all files there writes the index and deletes the shards.
    ///
    /// - Throws: What keeps the file from being written: `StorageError`, `ManifestError`, `ExtractionError`. The shards are kept.
    /// - Complexity: Reads what the shards say of all clips, and the rows of the file's own.
    package func run(
        _ setFile: SetFile, progress: ExtractionProgress = ExtractionProgress(),
        cancellation: Cancellation = Cancellation()
    ) throws -> SetFileSummary {
        try run(towards: SetFileTarget(setFile, of: self), progress, cancellation)
    }

    /// The path of what a run leaves: the file or the index of a set, the folder of a shard, or one file of a set.
    package func destination(of task: RunTask) -> String {
        switch task {
        case .output: options.result
        case .shard(let shard): ShardFolders(output: options.output).folder(of: shard)
        case .setFile(let setFile): FeatureSetPaths(output: options.output).file(setFile.number, of: setFile.count)
        }
    }

    /// What a run would do, and why it would not start; nil: it would. Changes nothing on the disk.
    ///
    /// - Throws: `ManifestError`, and errors that the system is at fault for.
    package func dryRun(_ task: RunTask = .output) throws -> (plan: RunPlan, obstacle: String?) {
        switch task {
        case .output: try look(at: OutputTarget(self))
        case .shard(let shard): try look(at: ShardTarget(shard, of: self))
        case .setFile(let setFile): try look(at: SetFileTarget(setFile, of: self))
        }
    }
}
