import FeatureModel
import FileIO
import Manifests

/// A folder with a table of its recordings: labels.csv, metadata.csv or annotations.csv (or .tsv, .jsonl) with a column `path`, or
/// one of another common name, and with the rest of a manifest's columns.
///
/// A table of such a name may be something else. It is read if one of its first rows names a recording that exists; otherwise the
/// folder is one of recordings, and the table is remarked.
struct FolderTable: DatasetReader {
    static let format = DatasetFormat.folderTable
    /// The first that fits is read.
    private static let names = ["labels", "metadata", "annotations"].flatMap { name in
        ["csv", "tsv", "jsonl"].map { "\(name).\($0)" }
    }
    /// How many rows are looked at.
    private static let triedRows = 20
    private let location: DatasetLocation
    private let table: String
    private let pathColumn: String
    /// The folder that the paths of the table start from, with a slash at the end; empty: the table's own.
    private let prefix: String

    init?(_ location: DatasetLocation) throws(ManifestError) {
        guard location.isFolder else { return nil }
        for name in Self.names where location.hasFile(name) {
            guard let column = try location.start(of: name)?.pathColumn else { continue }
            let paths = try Self.paths(in: location.input(of: name), column)
            for prefix in [""] + location.folders.map({ $0 + "/" })
            where paths.contains(where: {
                FileStatus(path: Clip.location(of: $0, root: location.path(of: prefix)))?.isFolder == false
            }) {
                (self.location, table, pathColumn, self.prefix) = (location, name, column, prefix)
                return
            }
        }
        return nil
    }

    var files: [String] { [table] }
    var roots: [String] { [location.folder] }
    var folders: DatasetFolders? {
        DatasetFolders(root: location.folder, places: [DatasetPlace("", isDeep: true)])
    }

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        clips.used?.insert(table)
        try TableRows(location.input(of: table), Self.format, pathColumn).add(to: clips) { values, row in
            let path = values[pathColumn]
            row.path = path.hasPrefix("/") ? path : prefix + path
            for (name, value) in values.others { row.add(ManifestColumn(name: name, among: values.names)?.name ?? name, value) }
        }
    }

    /// The paths in the first rows of a table; none where it cannot be read as one.
    private static func paths(in table: ManifestInput, _ column: String) throws(ManifestError) -> [String] {
        var paths: [String] = []
        do throws(ManifestError) {
            let rows = try TableReader(table)
            while paths.count < triedRows, try rows.next() {
                if rows.problem == nil, let path = rows[column], !path.isEmpty { paths.append(path) }
            }
        } catch {
            if error.isSystemFault { throw error }
        }
        return paths
    }
}
