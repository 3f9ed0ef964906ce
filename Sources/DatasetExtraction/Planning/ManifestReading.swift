import FeatureStorage
import Manifests

/// A TSV can be read in two ways: the same bytes, and the same checksum, with other labels.
enum ManifestReading {
    /// What a feature file holds that its manifest, as it is read now, does not say, in words; nil: it says the same.
    ///
    /// Only a TSV is read again, beside the file's columns.
    ///
    /// - Precondition: the manifest has the checksum that the file names.
    static func difference(_ file: FeatureReader, _ source: any ClipSource) throws -> String? {
        guard source.ambiguousQuoting != nil else { return nil }
        let clips = try source.reader()
        var (stored, row): (ArraySlice<StoredClip>, Int) = ([], 0)
        while let clip = try clips.next() {
            if stored.isEmpty {
                stored = try file.clips(row..<min(row + 1024, file.clipCount))[...]
                guard !stored.isEmpty else { return nil }
            }
            // The others are failures.
            guard let known = stored.first, known.id.utf8.elementsEqual(clip.id.utf8) else { continue }
            stored.removeFirst()
            row += 1
            guard known.label.utf8.elementsEqual(clip.label.utf8), known.split.utf8.elementsEqual(clip.split.utf8),
                bytes(known.extra) == bytes(clip.extra)
            else { return found }
        }
        return row == file.clipCount ? nil : found
    }

    private static let found =
        "was made from this manifest with its quotation marks understood otherwise (see --quoting)"

    /// The values in one order: a file has its columns in that of their names.
    private static func bytes(_ values: [String]) -> [[UInt8]] {
        values.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    }
}
