import FeatureModel
import FileIO

/// Clips in memory that no manifest names, such as the inputs of a live recording.
package struct ClipList: ClipSource {
    package let path: String
    package let sha256: String
    package var clipCount: Int { clips.count }
    package var extraColumns: [String] { [] }
    package var hasSplitColumn: Bool { clips.contains { !$0.split.isEmpty } }
    package var hasChannelColumn: Bool { clips.contains { $0.channel != nil } }
    package let labels: [String]
    package let splits: [Split]
    package let widths: TextWidths
    package var ambiguousQuoting: ManifestFormat.Quoting? { nil }
    package var namesMediaFiles: Bool { clips.contains { MediaFile.mayBeRead($0.path) } }
    package let account = Account()
    package let rowsAccount = Account()

    private let clips: [Clip]

    /// - Parameters:
    ///   - name: What messages call them.
    ///   - clips: At least one, without `extra` values.
    /// - Throws: `ManifestError.unwritableClip` where no manifest can hold a value.
    package init(_ name: String, _ clips: [Clip]) throws(ManifestError) {
        path = name
        self.clips = clips
        var hash = SHA256Hash()
        try Self.manifest(of: clips).withUnsafeBytes { hash.update($0) }
        sha256 = hash.finish()
        func width(_ text: (Clip) -> String) -> Int { clips.map { text($0).utf8.count }.max() ?? 0 }
        widths = TextWidths(
            id: width(\.id), path: width(\.path), label: width(\.label), split: width(\.split), extra: [])
        func names(_ text: (Clip) -> String) -> [String] {
            // By bytes: strings are equal where Unicode calls them equivalent.
            var seen: Set<[UInt8]> = []
            return clips.map(text).filter { !$0.isEmpty && seen.insert(Array($0.utf8)).inserted }
        }
        labels = names(\.label).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        splits = names(\.split).map { name in
            Split(name: name, clipCount: clips.count { $0.split.utf8.elementsEqual(name.utf8) })
        }
    }

    /// The manifest that would hold the clips: CSV, or JSON Lines where a name has line ends that CSV cannot tell from rows.
    private static func manifest(of clips: [Clip]) throws(ManifestError) -> [UInt8] {
        do throws(ManifestError) { return try ManifestWriter(format: .csv).bytes(of: clips) } catch {
            guard case .unwritableClip = error else { throw error }
            return try ManifestWriter(format: .jsonLines).bytes(of: clips)
        }
    }

    package func reader() -> any ClipReader { Reader(clips) }

    private final class Reader: ClipReader {
        private var clips: IndexingIterator<[Clip]>

        init(_ clips: [Clip]) { self.clips = clips.makeIterator() }

        func next() -> Clip? { clips.next() }
    }
}
