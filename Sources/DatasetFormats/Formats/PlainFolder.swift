import FeatureModel
import Manifests

/// Any folder of recordings: the label is the name of the folder that holds a recording, as 'veery crawl' takes it.
struct PlainFolder: DatasetReader {
    static let format = DatasetFormat.folder
    private let folder: String

    init?(_ location: DatasetLocation) throws(ManifestError) {
        guard location.isFolder else { return nil }
        folder = location.folder
    }

    var roots: [String] { [folder] }

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        try FolderRecordings(folder).add(to: clips) { clip, row in
            row.id = clip.id
            row.label = clip.label
        }
    }
}

/// The recordings below a dataset's folder.
struct FolderRecordings {
    let found: CrawlResult
    private let folder: String

    /// Searches the folder.
    init(_ folder: String) throws(ManifestError) {
        self.folder = folder
        found = try DirectoryCrawler(root: folder).crawl()
    }

    /// Adds a clip for every recording.
    ///
    /// - Parameters:
    ///   - isWanted: Whether a recording is a clip.
    ///   - describe: Describes the clip but for its path.
    func add(
        to clips: ManifestBuilder, where isWanted: (Clip) -> Bool = { _ in true },
        describe: (Clip, inout DatasetRow) -> Void
    ) throws(ManifestError) {
        guard !found.clips.isEmpty else { throw .noRecordings(path: folder, others: found.skippedFiles) }
        for warning in found.warnings { clips.warn(warning) }
        for clip in found.clips where isWanted(clip) {
            var row = DatasetRow()
            row.path = clip.path
            describe(clip, &row)
            try clips.add(row, line: 0, of: clip.path)
        }
    }
}
