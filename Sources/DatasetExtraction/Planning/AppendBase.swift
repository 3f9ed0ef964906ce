import FeatureModel
import FeatureStorage
import SignalProcessing

/// The clips of an existing feature file that are copied into a new one: `veery extract --append`, `--sync`, `--retry-failed`.
package struct AppendBase: Sendable {
    /// Path of the file.
    let path: String
    /// Number of the clips that are copied.
    let count: Int
    /// Rows of those.
    package let rows: Int
    /// Seconds of audio in those.
    package let seconds: Double
    /// Statistics of its values before normalisation, and the split that they were taken from.
    let statistics: BinStatistics
    /// Whether its clips are all copied, and the manifest is the one that it was made from: without new clips, the statistics are those
    /// of the clips.
    private let isWhole: Bool
    /// The split that the statistics were taken from; empty: all clips.
    let fit: String
    /// The file whose statistics they are, if not its own.
    let statisticsSource: String
    /// The labels of frames that come first in the new file.
    let frameLabelNames: [String]
    /// What it says of other machines that computed its clips; nil: nothing.
    let mixed: String?
    /// The folder that it says its recordings are in, relative to its own; nil: none.
    let root: String?
    /// The file's `metadata_xxh3`, which identifies it.
    let checksum: String

    /// The clips that a pass over the manifest keeps.
    ///
    /// - Parameters:
    ///   - hasEqualSource: Whether the manifest is the one that the file was made from, and is read as it was then.
    ///   - frameLabelNames: The labels that the new file's frames start from.
    init(
        _ file: FeatureReader, keeping outcome: SyncPass.Outcome, hasEqualSource: Bool, frameLabelNames: [String]
    ) {
        (count, rows, seconds) = (outcome.kept, outcome.rows, outcome.seconds)
        isWhole = hasEqualSource && outcome.kept == file.clipCount
        self.frameLabelNames = frameLabelNames
        path = file.path
        statistics = file.statistics
        fit = file.fit
        statisticsSource = file.statisticsSource
        checksum = file.metadataChecksum
        root = file.root
        mixed = SoftwareVersions.mixture(in: file.software)
    }

    /// Whether new clips are normalised by the file's statistics, which do not change.
    func isFixed(_ plan: FeaturePlan) -> Bool { plan.configuration.normalize.scope == .dataset && statistics.count > 0 }

    /// What the new file names as the origin of its statistics; empty: they are those of its own clips.
    ///
    /// - Parameter grows: Whether it has other clips than those that are copied.
    func source(_ plan: FeaturePlan, grows: Bool) -> String {
        isFixed(plan) && statisticsSource.isEmpty && (grows || !isWhole) ? checksum : statisticsSource
    }
}
