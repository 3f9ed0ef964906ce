import FeatureModel
import FeatureStorage
import FileIO

/// The remarks on recordings that are stored with clips, so that a dry run need not look for them again.
package struct KeptRemarks: Sendable {
    /// Where they are.
    private enum Store {
        /// Nowhere. The clips of a shard, for example, are looked up by their headers, done or not.
        case none
        /// In the output, which has all clips.
        case output
        /// With each clip that is done: in an interrupted run, in shards, or in the file whose clips are kept.
        case clips
    }

    private let extraction: Extraction
    private let runPlan: RunPlan
    private let store: Store

    package init(_ extraction: Extraction, _ runPlan: RunPlan) {
        (self.extraction, self.runPlan) = (extraction, runPlan)
        if case .shard = runPlan.part {
            store = .none
        } else if runPlan.output == .upToDate, FileStamp(path: extraction.options.result) != .absent {
            store = .output
        } else {
            store = runPlan.resumed != nil || runPlan.base != nil ? .clips : .none
        }
    }

    /// Whether the remarks on a clip, counted from 0 in the manifest, are among them, also if there are none on it.
    package func include(_ clip: Int) -> Bool {
        switch store {
        case .none: return false
        case .output: return true
        case .clips:
            guard clip < runPlan.index.count else { return false }
            return switch runPlan.index[clip] {
            case .spooled: runPlan.resumed != nil
            case .inFeatureFile: true
            default: false
            }
        }
    }

    /// All of them.
    ///
    /// - Throws: `StorageError`, `ManifestError`.
    /// - Complexity: As `Extraction.account`.
    package func account() throws -> Account {
        switch store {
        case .none: return Account()
        case .output: return try FeatureReader(path: extraction.options.result).accountOfRecordings()
        case .clips:
            let older = try runPlan.base.map { try FeatureReader(path: $0.path).remarksOfClips() } ?? []
            guard runPlan.resumed != nil || !older.isEmpty else { return Account() }
            return try extraction.account(of: runPlan.index, runPlan.resumed?.contents.reader(), older)
        }
    }
}
