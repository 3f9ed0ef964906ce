import AudioDecoding
import ClipSpool
import FileIO

/// The machines whose clips a run uses, of shards and of what an interrupted run left.
struct UsedMachines: Sendable {
    /// This machine.
    let here: MachineTraits
    /// What has to be recorded in the run's own folder: the machines of the clips in it, and this one.
    private(set) var record: MachineRecord
    /// The folders whose clips may have other values than they would get here.
    let others: [OtherMachine]

    /// Reads the records of the folders.
    ///
    /// - Returns: nil where there is nothing to ask: no shards, and no clips of a run with shards.
    /// - Throws: `ExtractionError.otherMachines` where clips may have other values and that is not allowed; `StorageError`.
    init?(_ contents: SpoolContents, of extraction: Extraction) throws {
        let own = contents.identity == nil ? nil : try SpoolNote.machines.text(in: contents.folder)
        guard own != nil || !contents.shards.isEmpty else { return nil }
        here = MachineTraits.here(ffmpeg: extraction.options.ffmpegVersion)
        var comparison = MachineComparison(extraction.plan, here: here)
        others = try comparison.others(among: contents.shards + (own == nil ? [] : [contents.folder]))
        guard others.isEmpty || extraction.options.allowsMixed else { throw ExtractionError.otherMachines(others) }
        record = MachineRecord()
        record.add(here)
        if own != nil {
            record.add(try comparison.record(of: contents.folder))
        } else if contents.identity != nil {
            // A run without shards notes nothing. It may have used anything, on this machine as far as is known.
            record.add(here, DecodingLibrary.allCases)
        }
    }

    /// A warning for the user; nil: none.
    var warning: String? {
        others.isEmpty ? nil : "\(OtherMachine.text(of: others)): values may differ in last digits"
    }
}
