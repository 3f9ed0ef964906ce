import FeatureModel
import FileIO
import Manifests

/// Any folder of recordings, or an archive of them: the label is the name of the folder that holds a recording, and archives are
/// looked into, as 'veery crawl' does.
struct PlainFolder: DatasetReader {
    static let format = DatasetFormat.folder
    /// A folder or an archive.
    private let path: String
    let roots: [String]

    init?(_ location: DatasetLocation) throws(ManifestError) {
        guard location.isFolder else { return nil }
        path = location.folder
        roots = [location.folder]
    }

    init(archive path: String) {
        self.path = path
        roots = [Folder.containing(path)]
    }

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        let recordings = try FolderRecordings(path, looksIntoArchives: true)
        if recordings.found.clips.isEmpty { try KaldiDirectory.refuse(path) }
        try recordings.add(to: clips) { clip, row in
            row.id = clip.id
            row.label = clip.label
            row.split = clip.split
            for (name, value) in zip(recordings.found.extraColumns, clip.extra) { row.add(name, value) }
        }
    }
}

/// The recordings below a dataset's folder.
struct FolderRecordings {
    let found: CrawlResult
    private let folder: String

    /// Searches the folder.
    ///
    /// - Parameters:
    ///   - looksIntoArchives: Not for a dataset of a known form: the archive that it was unpacked from may still be there.
    ///   - used: Names of other files that are read.
    init(_ folder: String, looksIntoArchives: Bool = false, used: [String] = []) throws(ManifestError) {
        self.folder = folder
        var files = UsedFiles(root: folder)
        for name in used { files.insert(name) }
        found = try DirectoryCrawler(root: folder, looksIntoArchives: looksIntoArchives, used: files).crawl()
    }

    /// Adds a clip for every recording.
    ///
    /// - Parameters:
    ///   - isWanted: Whether a recording is a clip.
    ///   - describe: Describes the clip except for its path.
    func add(
        to clips: ManifestBuilder, where isWanted: (Clip) -> Bool = { _ in true },
        describe: (Clip, inout DatasetRow) -> Void
    ) throws(ManifestError) {
        guard !found.clips.isEmpty else { throw .noRecordings(path: folder, found.account) }
        clips.account.merge(found.passedOver)
        clips.unclaimed += found.unclaimed
        for clip in found.clips where isWanted(clip) {
            var row = DatasetRow()
            row.path = clip.path
            describe(clip, &row)
            try clips.add(row, line: 0, of: "")
        }
    }
}
