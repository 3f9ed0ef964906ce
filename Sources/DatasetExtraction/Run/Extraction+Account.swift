import ClipSpool
import FeatureModel
import FeatureStorage
import FileIO
import Manifests

extension Extraction {
    /// What was read of the recordings of clips that are done, and not used.
    ///
    /// - Parameters:
    ///   - index: Where the clips are.
    ///   - reader: The reader of their spool; nil: there is none.
    ///   - remarks: The remarks on the clips of an existing file, by their index in it; empty: they have none.
    /// - Throws: `StorageError`, `ManifestError`.
    /// - Complexity: Reads the record of every clip that is done.
    func account(of index: SpoolIndex, _ reader: SpoolReader?, _ remarks: [RecordingRemarks] = []) throws -> Account {
        var account = Account()
        let limits = FeatureLimits(plan.configuration)
        let clips = try source.reader()
        while let clip = try clips.next() {
            let found: RecordingRemarks
            switch index[clip.index] {
            case .spooled(let position, _):
                guard let reader else { continue }
                found = try reader.finished(at: position).clip.measurement.allRemarks(limits, channel: clip.channel)
            case .inFeatureFile(let number, _) where remarks.indices.contains(number): found = remarks[number]
            default: continue
            }
            account.add(found, ofClip: clip.id, at: clip.index, limits)
        }
        return account
    }

    /// The same of the clips that a run would not read again.
    ///
    /// - Throws: `StorageError`, `ManifestError`.
    package func accountOfKept(_ runPlan: RunPlan) throws -> Account {
        // The clips of a shard that is done are looked up by their headers, as those of one that is not.
        if case .shard = runPlan.part { return Account() }
        if runPlan.output == .upToDate, FileStamp(path: options.result) != .absent {
            return try FeatureReader(path: options.result).accountOfRecordings()
        }
        let remarks = try runPlan.base.map { try FeatureReader(path: $0.path).remarksOfClips() } ?? []
        guard runPlan.resumed != nil || !remarks.isEmpty else { return Account() }
        return try account(of: runPlan.index, runPlan.resumed?.contents.reader(), remarks)
    }
}
