import AudioDecoding
import Concurrency
import FeatureModel
import FeatureStorage
import FileIO

/// What an extraction is given in addition to the configuration and the clips.
package struct ExtractionOptions: Sendable {
    /// Path of the feature file; if it was given as a symbolic link, that of the link's destination.
    package var output: String
    /// Number of the feature files that the clips become; nil: one, without an index.
    package var files: Int?
    /// Folder that relative paths start from.
    package var root: String
    /// Whether the file says where that folder is; it does not where recordings are in no folder, as those of a stream.
    package var storesRoot = true
    /// Number of threads that read recordings.
    package var workers: WorkerRange
    /// Number of threads of everything else, at least 1.
    package var jobs: Int { workers.usual }
    /// Folder for finished clips until the file is assembled; nil: next to the output.
    package var scratch: String?
    /// Whether an existing output may be replaced.
    package var overwrite: Bool
    /// Whether an interrupted run's clips are deleted instead of used.
    package var fresh: Bool
    /// Whether the recordings of an interrupted run's clips are compared sample by sample.
    package var verifyInputs: Bool
    /// Whether clips are kept if their recordings are missing.
    package var keepMissing: Bool
    /// What becomes of the clips of an existing output.
    package var update: Update
    /// Whether a file that follows its manifest gets the statistics of its clips, instead of keeping those that it has.
    package var renewsStatistics: Bool
    /// What becomes of recordings that are cut off, and of samples that are not numbers.
    package var policy: RecordingPolicy
    /// The statistics to normalise by; nil: those of the clips themselves.
    package var statistics: ImportedStatistics?
    /// The annotations that frames get their labels from; nil: frames have none.
    package var frameAnnotations: FrameAnnotations?
    /// The maximum time that a small finished clip stays in memory, to be written with others. A single call of the system or of a
    /// decoder may make it longer.
    package var longestStay = Duration.milliseconds(200)
    /// Whether clips of shards count that machines of another kind computed, with other last digits perhaps.
    package var allowsMixed = false
    /// Whether it is an error that recordings are not what their metadata say.
    package var isStrict = false
    /// How remarks in the file mention settings. Default: they leave them out.
    package var naming: @Sendable (Note) -> String = { $0.text { _, _ in "" } }
    /// The model whose input the features are, which warnings heed.
    package var model: ModelInput?
    /// The files that values of the configuration were read from, which the file names.
    package var inputs: [ConfigurationInput] = []
    /// The version of ffmpeg, set where it may have to read recordings: part of the run's identity.
    var ffmpegVersion: String?

    /// Keeps the values. Without `maximumJobs`, the number of threads is always `jobs`.
    package init(
        output: String, files: Int? = nil, root: String, jobs: Int, maximumJobs: Int? = nil, scratch: String? = nil,
        overwrite: Bool = false, fresh: Bool = false, verifyInputs: Bool = false, keepMissing: Bool = false,
        update: Update = .none, retriesFailed: Bool = false, renewsStatistics: Bool = false,
        policy: RecordingPolicy = RecordingPolicy(), statistics: ImportedStatistics? = nil,
        frameAnnotations: FrameAnnotations? = nil
    ) {
        self.output = OutputFolder.destination(output)
        self.files = files
        self.root = root
        workers = WorkerRange(usual: jobs, maximum: maximumJobs)
        self.scratch = scratch
        self.overwrite = overwrite
        self.fresh = fresh
        self.verifyInputs = verifyInputs
        self.keepMissing = keepMissing
        self.update = update
        self.update.retriesFailed = update.retriesFailed || retriesFailed
        self.renewsStatistics = renewsStatistics
        self.policy = policy
        self.statistics = statistics
        self.frameAnnotations = frameAnnotations
    }

    /// The path of a run's result: of the feature file, or of the index of several.
    package var result: String { files == nil ? output : FeatureSetPaths(output: output).index }

    /// `root`, relative to the folder of the output; nil: recordings are in no folder.
    var storedRoot: String? {
        storesRoot ? RelativeFolder.path(to: root, from: Folder.containing(output)) : nil
    }

    /// The run's folder next to the output.
    var outputFolder: String { OutputFolder.spool(of: output) }

    /// The folder of the spool. In a shared scratch folder, outputs of equal names have different folders.
    var spoolFolder: String {
        guard let scratch else { return outputFolder }
        let name = output.split(separator: "/").last.map(String.init) ?? "features"
        let hash = OutputFolder.absolute(output).utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3  // FNV-1a
        }
        return "\(scratch)/\(name)-\(String(hash, radix: 16)).spool"
    }
}
