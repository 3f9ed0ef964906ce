import AudioDecoding
import ClipSpool
import FileIO
import Synchronization

/// Notes in the folder of a run which libraries its clips were decoded by, before a clip of theirs counts.
///
/// What decoded a clip is known only once it was opened: the name of a recording does not show it, and its format would have to
/// be found again for every clip when the file is assembled. So each library is noted when it has decoded for the first time in
/// a run: a few small files written, whatever the number of clips, and never less than what the clips depend on.
final class MachineLog: Sendable {
    private let spool: Spool
    private let here: MachineTraits
    private let record: Mutex<MachineRecord>

    /// - Parameters:
    ///   - spool: The run's clips.
    ///   - record: The machines that are recorded in its folder, this one among them.
    ///   - here: The traits of this machine.
    init(_ spool: Spool, record: MachineRecord, here: MachineTraits) {
        (self.spool, self.here) = (spool, here)
        self.record = Mutex(record)
    }

    /// Notes that this machine decoded by some libraries. Returns once that is on the disk.
    ///
    /// - Throws: `StorageError.system`.
    func note(_ libraries: Set<DecodingLibrary>) throws(StorageError) {
        try change { $0.add(here, libraries) }
    }

    /// Notes whose clips are copied from other folders.
    ///
    /// - Throws: `StorageError.system`.
    func note(_ others: [MachineRecord]) throws(StorageError) {
        try change { record in for other in others { record.add(other) } }
    }

    private func change(_ change: (inout MachineRecord) -> Void) throws(StorageError) {
        // Written under the lock: the last file is that of the last change.
        try record.withLock { record throws(StorageError) in
            var changed = record
            change(&changed)
            guard changed != record else { return }
            try spool.write(changed.spoolText, to: .machines)
            record = changed
        }
    }
}
