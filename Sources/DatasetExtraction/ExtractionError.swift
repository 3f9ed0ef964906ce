import Archives
import AudioDecoding
import Concurrency
import FeatureModel
import FileIO
import Manifests

/// Why an extraction failed, apart from errors of configuration, manifest and storage.
package enum ExtractionError: Error, Hashable, Sendable {
    /// It was asked to stop.
    case cancelled
    /// Shards of another number are there.
    case otherShards(folder: String, found: Int, wanted: Int)
    /// A file of a set needs all shards, and some are not done: the first few of them. No number: none is.
    case missingShards(folder: String, numbers: [Int], missing: Int, count: Int?)
    /// All shards are done, but clips are in none of them.
    case missingClips(folder: String, count: Int)
    /// Recordings have changed, or gone, since their shards were computed: how many clips, and the path of the first.
    case staleShards(folder: String, count: Int, path: String)
    /// The folder of a shard, or of an earlier attempt whose clips are reused, was deleted during the work.
    case deletedAttempt(folder: String)
    /// The folder that the run kept its clips in is no longer there.
    case goneFolder(path: String)
    /// A file that another task has made cannot be read, perhaps since not all of it can be seen here yet.
    case incompleteOutput(path: String, reason: String)
    /// Another shard of the output is of another run.
    case shardOfOtherRun(folder: String, differences: [Difference])
    /// The clips of an interrupted run were made from something else or with other settings.
    case otherRun(folder: String, differences: [Difference])
    /// Machines of another kind computed clips that are to be used, with other last digits perhaps.
    case otherMachines([OtherMachine], first: String? = nil)
    /// An interrupted run has kept its clips in another folder than the one asked for.
    case clipsElsewhere(kept: String, isBesideOutput: Bool, exists: Bool)
    /// Recordings of clips that are done are missing.
    case missingRecordings(folder: String, count: Int, path: String)
    /// No recording of the manifest exists. The path of the first, the folder that relative paths start from, and why, where that
    /// can be seen.
    case noRecordingExists(manifest: String, count: Int, path: String, root: String, MissingRecordings?)
    /// The output is not one that the manifest's clips can be appended to.
    case cannotAppend(path: String, UpdateObstacle)
    /// The output cannot be brought to the manifest with its clips.
    case cannotSync(path: String, UpdateObstacle)
    /// Recordings of clips that `--append` would keep have changed: how many clips, and the paths of the first recordings.
    case staleClips(path: String, count: Int, recordings: [String])
    /// A live recording into this output was interrupted; its length in seconds, if known.
    case interruptedRecording(output: String, seconds: Double?)
    /// The output exists and is not to be replaced.
    case outputExists(path: String, OutputDifference)
    /// The output exists and is not an HDF5 file.
    case notReplaceable(path: String)
    /// The folder of the output is missing or cannot be written to; `code` is the system's error.
    case unwritableFolder(path: String, reason: String, code: Int32? = nil)
    /// The folder for clips is on another file system than the output.
    case otherFileSystem(folder: String)
    /// The manifest has a split column, but not the split that the statistics are computed from.
    case noSuchSplit(name: String, manifest: String, known: [String])
    /// A clip names a channel, where the configuration keeps all of them.
    case channelWithAll(manifest: String, id: String, channel: Int)
    /// No clip of the split that the statistics are computed from could be read.
    case emptySplit(name: String, manifest: String, firstFailure: String?)
    /// The file whose statistics are to be applied has other features.
    case unusableStatistics(path: String, difference: String)
    /// The output's name is not one that a file can have.
    case unusableName(path: String, reason: String)
    /// No recording can be opened, and the configuration names no sample rate.
    case noSampleRate(manifest: String, clips: Int, firstFailure: ClipFailure?, firstPath: String)
    /// A tar that is read as a stream cannot be read to its end.
    case stream(name: String, ArchiveError)
    /// It has no recordings.
    case noRecordings(stream: String, Account)
    /// Recordings are not what their metadata say, or not all of a stream is used, which `isStrict` does not allow.
    case losses(Account)
}

extension ExtractionError: SystemFaultReporting {
    package var isSystemFault: Bool {
        switch self {
        case .unwritableFolder(_, _, let code?): SystemError(code: code).isFault
        case .stream(_, let error): error.fault != nil
        // A disk that was unmounted, mostly.
        case .goneFolder: true
        // What is wrong lies with them, and another attempt may succeed.
        default: isOfOthers
        }
    }

    /// Whether other tasks have done something, or have not done it yet, that this one needs.
    var isOfOthers: Bool {
        switch self {
        case .deletedAttempt, .missingShards, .incompleteOutput: true
        default: false
        }
    }
}

extension Cancellation {
    /// - Throws: `ExtractionError.cancelled` if cancellation was requested.
    func check() throws(ExtractionError) {
        if isCancelled { throw .cancelled }
    }
}

extension Error {
    /// Whether a run found no recording at all: what it kept is of no use.
    var isWithoutRecordings: Bool {
        if case .noRecordingExists? = self as? ExtractionError { true } else { false }
    }
}

extension Error {
    /// The error of a run that kept its clips in a folder: `ExtractionError.goneFolder` where that is no longer there.
    func orGone(_ folder: String) -> any Error {
        guard let error = self as? StorageError, error.isAbsence, error.path.hasPrefix(folder + "/"),
            FileStatus(path: folder) == nil, SystemError.last.isAbsence
        else { return self }
        return ExtractionError.goneFolder(path: folder)
    }
}
