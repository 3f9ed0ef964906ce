import FeatureModel

/// The clips of a manifest, one after another. Used by one thread at a time.
package protocol ClipReader: AnyObject {
    /// The next clip; nil after the last.
    ///
    /// - Throws: `ManifestError`, also where the manifest is not what it was.
    func next() throws(ManifestError) -> Clip?
}

extension ClipReader {
    /// The next `count` clips; fewer at the end, and none after it.
    package func next(_ count: Int) throws(ManifestError) -> [Clip] {
        var clips: [Clip] = []
        while clips.count < count, let clip = try next() { clips.append(clip) }
        return clips
    }
}
