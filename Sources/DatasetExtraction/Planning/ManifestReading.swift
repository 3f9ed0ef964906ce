import FeatureStorage
import Manifests

/// A TSV can be read in two ways: the same bytes, with the same checksum, as different labels.
enum ManifestReading {
    /// Whether a feature file has what its manifest says as it is read now.
    ///
    /// Only a TSV is read again and compared with the file's columns.
    ///
    /// - Precondition: the manifest has the checksum that the file names.
    static func isSame(_ file: FeatureReader, _ source: any ClipSource) throws -> Bool {
        guard source.ambiguousQuoting != nil else { return true }
        let clips = try source.reader()
        var cursor = FeatureFileCursor(file, findsFailures: false)
        while !cursor.hasFoundAll, let clip = try clips.next() {
            guard case .stored(let known)? = try cursor.find(clip) else { continue }
            guard known.label.utf8.elementsEqual(clip.label.utf8), known.split.utf8.elementsEqual(clip.split.utf8),
                bytes(known.extra) == bytes(clip.extra)
            else { return false }
        }
        return cursor.hasFoundAll
    }

    /// The values in one order: a file has its columns in that of their names.
    private static func bytes(_ values: [String]) -> [[UInt8]] {
        values.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
