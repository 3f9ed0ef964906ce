import FeatureModel
import FeatureStorage
import Manifests

/// The clips of a source that a feature file made of it has as failures, one after another.
package struct FailedClips {
    private let clips: any ClipReader
    private var cursor: FeatureFileCursor

    /// - Throws: `StorageError`, `ManifestError`.
    package init(of source: any ClipSource, in path: String) throws {
        clips = try source.reader()
        cursor = FeatureFileCursor(try FeatureReader(path: path))
    }

    /// The next failed clip, and why it failed; nil after the last.
    ///
    /// - Throws: `StorageError`, `ManifestError`.
    package mutating func next() throws -> (clip: Clip, failure: FailureRecord)? {
        while let clip = try clips.next() {
            if case .failed(let failure)? = try cursor.find(clip) { return (clip, failure) }
        }
        return nil
    }
}
