import FeatureModel
import Manifests

/// Reads ranges of a source's clips, each after the one before, in one pass.
final class ForwardClips {
    private let reader: any ClipReader
    private var next = 0

    /// - Throws: `ManifestError`.
    init(_ source: any ClipSource) throws(ManifestError) { reader = try source.reader() }

    /// A reader of some clips, which have not been read yet.
    ///
    /// - Throws: `ManifestError`.
    /// - Complexity: Reads the clips before.
    func clips(_ range: Range<Int>) throws(ManifestError) -> any ClipReader {
        while next < range.lowerBound, try reader.next() != nil { next += 1 }
        return ClipRange(self, end: range.upperBound)
    }

    /// Reads what has not been read, so that the source is checked to its end.
    ///
    /// - Throws: `ManifestError`.
    func finish() throws(ManifestError) { while try reader.next() != nil {} }

    private final class ClipRange: ClipReader {
        private let clips: ForwardClips
        private let end: Int

        init(_ clips: ForwardClips, end: Int) { (self.clips, self.end) = (clips, end) }

        func next() throws(ManifestError) -> Clip? {
            guard clips.next < end, let clip = try clips.reader.next() else { return nil }
            clips.next += 1
            return clip
        }
    }
}
