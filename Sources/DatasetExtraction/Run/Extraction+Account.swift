import ClipSpool
import FeatureModel
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
        let limits = FeatureLimits(plan.configuration, columns: source.extraColumns)
        let clips = try source.reader()
        while let clip = try clips.next() {
            let found: RecordingRemarks
            var rate: Int?
            switch index[clip.index] {
            case .spooled(let position, _):
                guard let reader else { continue }
                let measurement = try reader.finished(at: position).clip.measurement
                found = measurement.allRemarks(limits, of: clip)
                rate = measurement.sampleRate
            case .inFeatureFile(let number, _) where remarks.indices.contains(number): found = remarks[number]
            default: continue
            }
            account.add(found, ofClip: clip.id, at: clip.index, limits, rate: rate)
        }
        return account
    }
}
