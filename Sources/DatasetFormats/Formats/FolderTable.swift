import FeatureModel
import FileIO
import Manifests

/// A folder with a table of its recordings, with the columns of a manifest: labels.csv, metadata.csv or annotations.csv (or .tsv,
/// .jsonl).
///
/// A table of such a name may be something else. It is read if one of its first rows names a recording that exists; otherwise the
/// folder is one of recordings, and the table is remarked. So it is where a row is not a clip: annotations, of which a recording has
/// several, are for `clips`. Nor is a table read that says only what the folders say.
struct FolderTable: DatasetReader {
    static let format = DatasetFormat.folderTable
    /// The first that fits is read.
    private static let names = ["labels", "metadata", "annotations"]
    private static let formats: [ManifestFormat] = [.csv, .tsv, .jsonLines]
    /// How many rows are looked at for a recording.
    private static let triedRows = 20

    let table: String
    private let location: DatasetLocation
    private let tableFormat: ManifestFormat
    private let pathColumn: String
    /// The folder in the dataset's that the paths of the table start from, with a slash at the end; empty: the dataset's.
    private let prefix: String
    /// What the folders say of recordings that the table does not say.
    private let splits: SplitFolders?
    private let hasLabels: Bool

    init?(_ location: DatasetLocation) throws(ManifestError) {
        guard location.isFolder else { return nil }
        for name in Self.names {
            for format in Self.formats {
                let file = "\(name).\(format == .jsonLines ? "jsonl" : format.rawValue)"
                guard let table = location.names.first(where: { $0.lowercased() == file }), location.hasFile(table),
                    let start = try location.start(of: table), !Self.isOfAnnotations(table, start.columns),
                    let pathColumn = start.columns.first(where: { ManifestColumn(spelled: $0) == .path })
                        ?? ColumnNames.path(among: start.columns),
                    let paths = try Self.paths(in: location.input(of: table), format, pathColumn, start.columns)
                else { continue }
                let tried = paths.prefix(Self.triedRows)
                guard
                    let prefix = ([""] + location.folders.map { $0 + "/" }).first(where: { prefix in
                        tried.contains { path in
                            let recording = Clip.location(of: path, root: location.path(of: prefix))
                            return FileStatus(path: recording)?.isRegular == true
                        }
                    }), !OwnManifest.isOne(location.path(of: table))
                else { continue }
                (self.location, self.table, tableFormat) = (location, table, format)
                (self.pathColumn, self.prefix) = (pathColumn, prefix)
                let columns = start.columns
                let splits = SplitFolders(paths)
                let areLabels = Set(paths.lazy.map { splits.match($0).label }.filter { !$0.isEmpty }).count > 1
                hasLabels = !areLabels || columns.contains { Self.isLabel($0) }
                let hasSplits = columns.contains { ManifestColumn(spelled: $0) == .split }
                self.splits = hasLabels && hasSplits ? nil : splits
                return
            }
        }
        return nil
    }

    var isTable: Bool { true }
    var files: [String] { [table] }
    var roots: [String] { [location.folder] }
    var folders: DatasetFolders? {
        DatasetFolders(root: location.folder, places: [DatasetPlace("", isDeep: true)])
    }

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        clips.used?.insert(table)
        clips.tables.append(location.path(of: table))
        clips.placePaths(in: prefix)
        let addsLabels = !hasLabels && !clips.isNamed(.label)
        let addsSplits = !clips.isNamed(.split)
        try clips.add(tableOf: location.input(of: table), format: tableFormat, file: table) { row in
            guard let splits, let value = row.extra.first(where: { $0.name == pathColumn })?.value else { return }
            let found = splits.match(WindowsPaths.slashed(ColumnMap.path(in: value)))
            if addsLabels { row.label = found.label }
            if addsSplits, !row.extra.contains(where: { ManifestColumn(spelled: $0.name) == .split }) {
                row.split = found.split
            }
        }
    }

    /// Whether a table marks parts of recordings: annotations by its name, or by columns of times that manifests do not have.
    private static func isOfAnnotations(_ table: String, _ columns: [String]) -> Bool {
        let names = columns.map(UnitName.init)
        guard names.contains(where: { $0.isOne(of: TimeNames.starts) }),
            names.contains(where: { $0.isOne(of: TimeNames.ends + TimeNames.durations) })
        else { return false }
        let known = columns.compactMap(ManifestColumn.init(spelled:))
        return table.lowercased().hasPrefix("annotation") || !known.contains(.start)
            || !known.contains(.end) && !known.contains(.duration)
    }

    private static func isLabel(_ name: String) -> Bool {
        ManifestColumn(spelled: name) == .label || name.lowercased() == LabelList.column
    }

    /// The paths of a table; nil where it cannot be read as one, or where several rows are of one recording, and not of its parts.
    private static func paths(
        in table: ManifestInput, _ format: ManifestFormat, _ column: String, _ columns: [String]
    ) throws(ManifestError) -> [String]? {
        let areParts = columns.contains { ManifestColumn(spelled: $0) == .start }
        var paths: [String] = []
        var seen: Set<String> = []
        do throws(ManifestError) {
            let rows = try TableReader(table, quoting: format.quoting)
            while try rows.next() {
                guard rows.problem == nil, let value = rows[column], !value.isEmpty else { continue }
                let path = WindowsPaths.slashed(ColumnMap.path(in: value))
                guard areParts || seen.insert(path).inserted else { return nil }
                paths.append(path)
            }
        } catch {
            if error.isSystemFault { throw error }
            return nil
        }
        return paths
    }
}
