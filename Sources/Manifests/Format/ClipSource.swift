import FeatureModel

/// Where the clips of a dataset come from, such as a manifest: what is known of all of them, and the clips one after another.
///
/// Clips are read in one order, any number of times, without all of them in memory.
package protocol ClipSource: Sendable {
    /// What messages call the source, such as the path of a manifest.
    var path: String { get }
    /// Number of clips; at least 1.
    var clipCount: Int { get }
    /// Names of the columns that `Clip.extra` has values of.
    var extraColumns: [String] { get }
    /// Whether clips have splits.
    var hasSplitColumn: Bool { get }
    /// Whether clips name channels.
    var hasChannelColumn: Bool { get }
    /// The distinct labels except the empty one, in the order of their UTF-8 bytes, which is that of Python's `sorted`.
    var labels: [String] { get }
    /// The splits except the empty one, in the order in which they appear.
    var splits: [Split] { get }
    /// Maximum lengths of values.
    var widths: TextWidths { get }
    /// SHA-256 of the manifest, or of the one that `ManifestWriter` would write of the clips, in hexadecimal.
    var sha256: String { get }
    /// SHA-256 of the corrections that are applied to the manifest, in hexadecimal; nil: none are.
    var correctionsSHA256: String? { get }
    /// What quotation marks were taken to mean where the same bytes can be read in two ways; nil: they cannot.
    var ambiguousQuoting: ManifestFormat.Quoting? { get }
    /// Whether a path has an extension of recordings that ffmpeg may be needed for (`MediaFile`).
    var namesMediaFiles: Bool { get }
    /// What was read of the source and not used.
    var account: Account { get }
    /// The part of it that follows from the manifest alone, whose source is `Manifest.remarkSource`: the same bytes have the same.
    var rowsAccount: Account { get }

    /// Reads the clips from the first.
    func reader() throws(ManifestError) -> any ClipReader
}

/// The clips of a source, one after another. Used by one thread at a time.
package protocol ClipReader: AnyObject {
    /// The next clip; nil after the last.
    ///
    /// - Throws: `ManifestError`, also where the source is not what it was.
    func next() throws(ManifestError) -> Clip?
}

/// A name in the column `split`, with the number of its clips.
package struct Split: Hashable, Sendable {
    /// The name; never empty.
    package let name: String
    /// Clips that have it.
    package let clipCount: Int
}

extension ClipSource {
    package var correctionsSHA256: String? { nil }

    /// The index of a label in `labels`; nil for an unknown one. Labels are equal if their bytes are.
    ///
    /// A dictionary of strings would take `é` in one and in two code points as one key.
    package func labelIndex(of label: String) -> Int? {
        let index = labels.partitioningIndex { !$0.utf8.lexicographicallyPrecedes(label.utf8) }
        return index < labels.count && labels[index].utf8.elementsEqual(label.utf8) ? index : nil
    }

    /// The index of a further column: that of this very name, or else the only one of it in other capitals.
    package func extraColumn(named name: String) -> Int? {
        if let exact = extraColumns.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) { return exact }
        let similar = extraColumns.indices.filter { extraColumns[$0].lowercased() == name.lowercased() }
        return similar.count == 1 ? similar.first : nil
    }

    /// Whether a clip has this split. Names are equal if their bytes are.
    package func hasSplit(_ name: String) -> Bool { splits.contains { $0.name.utf8.elementsEqual(name.utf8) } }
}

extension ClipReader {
    /// The next `count` clips; fewer at the end, and none after it.
    package func next(_ count: Int) throws(ManifestError) -> [Clip] {
        var clips: [Clip] = []
        while clips.count < count, let clip = try next() { clips.append(clip) }
        return clips
    }
}
