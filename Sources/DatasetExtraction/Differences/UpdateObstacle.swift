import FeatureStorage

/// Why the clips of an existing file cannot be kept for the file of a manifest.
package enum UpdateObstacle: Hashable, Sendable {
    /// Clips would be otherwise; never empty.
    case differences([Difference])
    /// The manifest has another part of the recording under the id of this clip.
    case otherPart(StoredClip)
    /// The manifest names another channel for the clip of this id; nil: none.
    case otherChannel(id: String, before: Int?, now: Int?)
    /// The annotations of the clip of this id have changed, or are not given.
    case otherAnnotations(id: String)
    /// The manifest lacks clips, or has them in another order.
    case missingClips(MissingClips)
    /// The manifest has changed, and the run is for failed clips alone.
    case otherManifest
    /// The corrections have changed, and the run is for failed clips alone.
    case otherCorrections
    /// All clips are to be computed again, and recordings are missing: of how many clips, and the path of the first.
    case missingRecordings(count: Int, first: String)
}

/// Why a manifest lacks some of a file's clips, or has them in another order, for the error of `--append`.
package struct MissingClips: Hashable, Sendable {
    /// Why a clip is missing.
    package enum Cause: Hashable, Sendable {
        /// The manifest has its recording, and these times, under another id.
        case renamed(id: String)
        /// The manifest has its recording with other times, such as of this id.
        case changedSegment(id: String)
        /// The manifest has a recording of the same name at another path.
        case moved(path: String)
        /// No row names its recording.
        case removed
    }

    /// The number of clips in the file, and how many of them are missing from the manifest.
    package let total: Int, count: Int
    /// A missing clip.
    package struct Example: Hashable, Sendable {
        package let clip: StoredClip
        package let cause: Cause
    }
    /// The first of them.
    package let examples: [Example]
    /// The first clip that the manifest does not have in the file's order.
    package let firstOutOfOrder: StoredClip
}
