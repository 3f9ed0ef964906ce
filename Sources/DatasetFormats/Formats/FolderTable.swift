import FeatureModel
import FileIO
import Manifests

/// A folder with a table of its recordings, with the columns of a manifest: labels.csv, metadata.csv or annotations.csv (or .tsv,
/// .jsonl).
///
/// A table of such a name may be something else. It is read if one of its first rows names a recording that exists; otherwise the
/// folder is one of recordings, and the table is remarked, with the reason. So it is where a row is not a clip: annotations, of which a
/// recording has several, are for `clips`. Nor is a table read that says only what the folders say.
struct FolderTable: DatasetReader {
    static let format = DatasetFormat.folderTable

    let table: String
    let location: DatasetLocation
    let tableFormat: ManifestFormat
    let pathColumn: String
    /// What the paths of the table stand for.
    let recordings: [String: RecordingsBelow.Match]
    /// The paths of the table, in its order.
    let paths: [String]
    /// The columns of a manifest, and `labels`, that it has.
    let columns: Set<ManifestColumn>
    let hasLabels: Bool
    /// Splits and labels by the names of folders.
    let splits: SplitFolders
    /// Whether the names of folders are labels.
    let areFoldersLabels: Bool

    init?(_ location: DatasetLocation) throws(ManifestError) {
        guard location.isFolder else { return nil }
        for candidate in FolderTableSearch.candidates(in: location) {
            if case .read(let found) = try FolderTableSearch.examine(candidate, in: location) {
                self = found
                return
            }
        }
        return nil
    }

    /// - Parameters:
    ///   - paths: Those of the table, in its order.
    ///   - below: The recordings of the folder.
    init(
        _ candidate: FolderTableSearch.Candidate, in location: DatasetLocation, pathColumn: String, names: [String],
        paths: [String], _ below: inout RecordingsBelow
    ) {
        (table, tableFormat) = (candidate.name, candidate.format)
        (self.location, self.pathColumn, self.paths) = (location, pathColumn, paths)
        columns = location.columns.columns(among: names)
        hasLabels = columns.contains(.label) || names.contains { $0.lowercased() == LabelList.column }
        var recordings: [String: RecordingsBelow.Match] = [:]
        for path in paths where recordings[path] == nil { recordings[path] = below.find(path) }
        self.recordings = recordings
        // All recordings of a table may be outside the dataset's folder.
        let found = paths.filter { path in if case .found = recordings[path] { true } else { false } }
        let isElsewhere = !found.isEmpty && found.allSatisfy { $0.hasPrefix("/") || $0.hasPrefix("../") }
        let recordingPaths = isElsewhere ? found : below.paths
        let splits = SplitFolders(recordingPaths)
        self.splits = splits
        areFoldersLabels = Set(recordingPaths.lazy.map { splits.match($0).label }.filter { !$0.isEmpty }).count > 1
    }

    var isTable: Bool { true }
    var files: [String] { [table] }
    var roots: [String] { [location.folder] }
    var folders: DatasetFolders? {
        DatasetFolders(root: location.folder, searched: [SearchedFolder("", isDeep: true)])
    }

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        clips.used?.insert(table)
        clips.tables.append(location.path(of: table))
        clips.locatePaths { [recordings] path throws(ColumnMap.Refusal) in
            try Self.recording(path, in: recordings)
        }
        for (position, path) in paths.enumerated() where recordings[path] == .missing {
            clips.account.add(.entriesWithoutRecording, source: table, at: position, quoted(path))
        }
        let addsLabels = areFoldersLabels && !hasLabels && !clips.isNamed(.label)
        let addsSplits = !columns.contains(.split)
        clips.takesFolderLabels = addsLabels
        try clips.add(tableOf: location.input(of: table), format: tableFormat, file: table) { row in
            guard addsLabels || addsSplits, let value = row.extra.first(where: { $0.name == pathColumn })?.value
            else { return }
            let path = WindowsPaths.slashed(location.columns.path(of: value))
            let found = splits.match((try? Self.recording(path, in: recordings)) ?? path)
            if addsLabels { row.label = found.label }
            if addsSplits, !row.extra.contains(where: { ManifestColumn(spelled: $0.name) == .split }) {
                row.split = found.split
            }
        }
    }

    /// The path of the recording that a path of the table stands for.
    private static func recording(
        _ path: String, in recordings: [String: RecordingsBelow.Match]
    ) throws(ColumnMap.Refusal) -> String {
        switch recordings[path] {
        case .found(let recording): return recording
        case .several(let paths): throw ColumnMap.Refusal(text: Note(FolderTableSearch.ambiguity(path, paths)))
        case .missing, nil: return path
        }
    }
}
