import FeatureStorage

/// What a run would find of earlier ones, and what that leaves to be done: `veery extract --dry-run`.
package struct RunPlan: Sendable {
    /// The clips of a run that was interrupted.
    package struct Interrupted: Hashable, Sendable {
        /// The folder that keeps them.
        package let folder: String
        /// Clips that are done, failed ones included, and whose recordings have the size and time that they had.
        package internal(set) var done = 0
        /// Clips that are done, but whose recordings have changed: they are read again.
        package internal(set) var changed = 0
        /// Clips that are done, but whose rows are gone: they are read again, unless the output has them.
        package internal(set) var rowless = 0
        /// Whether they are thrown away: `--fresh`.
        package let isDiscarded: Bool
    }

    /// The output as it is.
    package enum Output: String, Sendable {
        /// There is none.
        case absent
        /// It has all clips, and nothing is to be done.
        case upToDate = "up_to_date"
        /// It is of the same configuration and manifest: whether it is up to date, its recordings' samples will say.
        case comparable
        /// Clips are appended to it.
        case grows
        /// It is replaced.
        case replaced
    }

    /// What stands where the output is to come.
    package internal(set) var output = Output.absent
    /// What an interrupted run has left; nil: nothing.
    package internal(set) var interrupted: Interrupted?
    /// Clips that stay as they are in the file that others are appended to.
    package internal(set) var keptClips = 0
    /// Rows of those.
    package internal(set) var keptRows = 0
    /// Seconds of audio in those.
    package internal(set) var keptSeconds = 0.0
    /// Those of the kept clips whose recordings are not there to compare with.
    package internal(set) var missing = MissingRecordings()
    /// Clips whose recordings would be read.
    package internal(set) var clipsLeft: Int
    /// Why the run would not begin, in words for a person; nil: it would.
    package internal(set) var obstacle: String?

    private let index: SpoolIndex

    /// Nothing is there yet.
    init(clips: Int, index: SpoolIndex) {
        clipsLeft = clips
        self.index = index
    }

    /// Whether a clip of the manifest, counted from 0, stays as it is.
    package func keeps(_ clip: Int) -> Bool { index.entry(clip).position.keptPlace != nil }
}
