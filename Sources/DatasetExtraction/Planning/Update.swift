import FeatureModel
import FeatureStorage

/// What a run does with the clips of an existing output: a row of values for each kind of run, so that no other code asks for the kind.
///
/// | | clips that are kept | their recordings | the manifest | failed clips |
/// |---|---|---|---|---|
/// | `none` | none | | | |
/// | `append` | all, in the file's order | compared | has those of the file | computed again |
/// | `sync` | those in the manifest that have not changed | compared | any | computed again, unless reading fails as it did before |
/// | `retryFailed` | the same | not read | that of the file | computed again |
package struct Update: Hashable, Sendable {
    /// Which clips are kept as they are.
    enum Kept: Hashable, Sendable {
        case none, all, matching
    }

    let kept: Kept
    /// Whether the recordings of these clips are decoded, to see that their samples have not changed.
    let comparesRecordings: Bool
    /// Whether the file must have been made from the same manifest.
    let needsEqualManifest: Bool
    /// Whether failed clips are tried again, whether or not their recordings have changed.
    var retriesFailed: Bool

    /// The output is replaced as a whole, or left as it is.
    package static let none = Update(
        kept: .none, comparesRecordings: true, needsEqualManifest: true, retriesFailed: false)
    /// All clips are kept, and only new ones are extracted: `--append`.
    package static let append = Update(
        kept: .all, comparesRecordings: true, needsEqualManifest: false, retriesFailed: true)
    /// Clips that the manifest has, unchanged, are kept: `--sync`.
    package static let sync = Update(
        kept: .matching, comparesRecordings: true, needsEqualManifest: false, retriesFailed: false)
    /// All stored clips are kept, and failed ones are tried again: `--retry-failed`.
    package static let retryFailed = Update(
        kept: .matching, comparesRecordings: false, needsEqualManifest: true, retriesFailed: true)
}

extension Update {
    /// Which differences of the file from the run are forgiven.
    ///
    /// - Parameter statistics: Whether the file may be normalised with other statistics than this run's.
    func tolerance(statistics: Bool) -> Tolerance {
        kept == .all ? .append(statistics: statistics) : .sync(statistics: statistics)
    }

    /// The error if an obstacle prevents keeping a file's clips.
    func refusal(of file: FeatureReader, _ obstacle: UpdateObstacle) -> ExtractionError {
        kept == .all
            ? .cannotAppend(path: file.path, obstacle) : .cannotSync(path: file.path, obstacle)
    }
}
