import AudioDecoding
import Concurrency
import DatasetExtraction
import DatasetInspection
import FeatureModel
import Manifests

/// Everything that is wrong with a dataset, found before a run.
package struct DatasetCheck: Sendable {
    package struct Options: Sendable {
        /// Folder that relative paths start from.
        package var root: String
        package var policy = RecordingPolicy()
        /// Number of threads; the result does not depend on it.
        package var workers = WorkerRange(usual: 1)
        /// Whether the recordings are decoded.
        package var isDeep = false
        /// What must not be divided among splits; nil: the column `speaker`, where there is one.
        package var group: GroupKey?
        /// Whether the reason of every clip that cannot be used is kept, not only those of the first.
        package var keepsReasons = false
        /// Labels that may be wrong, by a feature file; nil: none was given.
        package var suspicious: SuspiciousLabels?
        let audio: AudioConfiguration

        /// - Parameter overshoot: `audio.overshoot`.
        package init(root: String, overshoot: Double? = nil) throws {
            self.root = root
            audio = try AudioConfiguration(sampleRate: nil, overshoot: overshoot)
        }
    }

    /// Why a clip cannot be used.
    package struct Rejection: Hashable, Sendable {
        package let kind: ProblemKind
        package let reason: String
    }

    /// Clips, rates, channels and failures.
    package let survey: ClipSurvey
    package let leaks: SplitLeaks
    /// Recordings of the readable clips, each counted once whatever its paths.
    package let recordings: Int
    /// The problems, the worst first.
    package let groups: [ProblemGroup]
    /// Clips that cannot be used, with the reason; only where these are kept.
    package let rejections: [Int: Rejection]
    /// Whether the recordings were decoded.
    package let isDeep: Bool
    /// Suspicious clips of the feature file that are not among the problems; nil: none was given.
    package let suspects: SuspiciousLabels.Account?

    /// Whether there are errors, not only warnings and notes.
    package var hasErrors: Bool { groups.contains { $0.kind.severity == .error } }

    package func group(_ kind: ProblemKind) -> ProblemGroup? { groups.first { $0.kind == kind } }

    /// Reads all rows and recordings.
    ///
    /// - Throws: `ManifestError`; `InputFault` if the system is at fault.
    /// - Complexity: Opens every recording once; at most 68 bytes of memory a clip.
    package static func run(
        _ source: any ClipSource, _ options: Options, progress: ExtractionProgress = ExtractionProgress()
    ) throws -> DatasetCheck {
        var analysis = CheckAnalysis(try CheckPass.run(source, options, progress: progress))
        return try analysis.result()
    }
}
