import ClipSpool
import Concurrency
import FileIO

/// The result of a run, and where its clips are kept until it is complete: a file or a set of files, the folder of a shard, or
/// one file of a set. `Extraction.run(towards:)` calls the steps in this order, and `end` after an error of any of them except
/// `begin`.
protocol RunTarget: AnyObject {
    /// What is reported of the run.
    associatedtype Summary

    /// What is known of the run's clips.
    var plan: RunPlan { get set }

    /// Takes the locks that no two runs may hold at once.
    ///
    /// - Throws: `ExtractionError` where the target could not be written, `StorageError.busy` and others.
    func begin() throws

    /// Notes in `plan` what is there already: of the target, and in every store of clips. Changes nothing on the disk.
    ///
    /// - Throws: What keeps the run from starting.
    func admit(_ cancellation: Cancellation) throws

    /// Opens the folder for clips, and deletes what the plan does not use.
    func open(_ cancellation: Cancellation) throws -> Workplace

    /// Makes the target of clips that are all done.
    func assemble(_ progress: ExtractionProgress, _ cancellation: Cancellation) throws

    /// The summary of a run that is done, or had nothing to do; deletes what is no longer needed.
    func summary(_ progress: ExtractionProgress) throws -> Summary

    /// Ends a run after an error. If others have completed the target meanwhile, returns the summary of that.
    ///
    /// - Throws: The error for the user; `StoppedExtraction` if clips are kept for the next run.
    func end(after error: any Error, _ progress: ExtractionProgress, _ cancellation: Cancellation) throws -> Summary

    /// Releases what `begin` took.
    func close()
}

/// What takes the clips that a run computes.
struct Workplace {
    /// Takes finished clips; nil: none are to be computed.
    var spool: Spool?
    /// The file that takes rows at their final offsets; nil: they are written twice.
    var rows: InPlaceRows?
    /// Notes what decodes clips; nil: that is not noted.
    var log: MachineLog?
}
