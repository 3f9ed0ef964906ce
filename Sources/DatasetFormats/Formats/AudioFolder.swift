import FeatureModel
import Manifests

/// Hugging Face's audiofolder (huggingface.co/docs/datasets/audio_load): metadata.csv or metadata.jsonl with file_name in the
/// folder, or in folders of splits; without these, folders of splits with a folder for each label.
struct AudioFolder: DatasetReader {
    static let format = DatasetFormat.audioFolder
    /// The first that is there is read.
    private static let metadata = ["metadata.csv", "metadata.jsonl"]
    private let location: DatasetLocation
    /// Tables, by their path in the folder, and their columns of recordings; none: names of folders give the labels.
    private let tables: [Table]
    private typealias Table = (path: String, column: String)

    init?(_ location: DatasetLocation) throws(ManifestError) {
        self.location = location
        guard location.isFolder else {
            guard let name = location.fileName, let start = location.start, let column = Self.column(of: start),
                !start.has("path")
            else { return nil }
            tables = [(name, column)]
            return
        }
        if let table = try Self.table(in: "", of: location) {
            tables = [table]
            return
        }
        let folders = location.folders
        var found: [Table] = []
        for folder in folders {
            if let table = try Self.table(in: folder + "/", of: location) { found.append(table) }
        }
        tables = found
        guard tables.isEmpty else { return }
        // A folder of a split among others may be one of labels, such as `train` beside `bus`; two are none.
        let splits = folders.compactMap(SplitName.ofFolder)
        guard !splits.isEmpty, splits.count == folders.count || Set(splits).count > 1, try FolderTable(location) == nil
        else { return nil }
    }

    /// The table of a folder: other programs have files of the same names, without `file_name`.
    private static func table(in folder: String, of location: DatasetLocation) throws(ManifestError) -> Table? {
        for name in metadata.map({ folder + $0 }) where location.hasFile(name) {
            if let column = try location.start(of: name).flatMap(Self.column(of:)) { return (name, column) }
        }
        return nil
    }

    /// The column `file_name`; capitals do not count.
    private static func column(of start: ManifestStart) -> String? {
        start.columns.first { $0.lowercased() == "file_name" }
    }

    var files: [String] { tables.map(\.path) }
    var isTable: Bool { !tables.isEmpty }
    var roots: [String] { [location.folder] }

    var folders: DatasetFolders? {
        guard location.isFolder, !tables.isEmpty else { return nil }
        return DatasetFolders(root: location.folder, searched: [SearchedFolder("", isDeep: true)])
    }

    /// Takes note of other metadata in the folder of a table: the table is read in place of them.
    private func reportOthers(_ table: String, _ clips: ManifestBuilder) {
        clips.used?.insert(table)
        let above = table.prefix(table.utf8.count - table.lastName.utf8.count)
        for name in Self.metadata + ["metadata.parquet"] where above + name != table && location.hasFile(above + name) {
            clips.used?.insert(above + name)
            clips.account.add(
                .metadataUnread, source: location.folder, "\(quoted(above + name)) (\(quoted(table)) is read)")
        }
    }

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        // So that the other columns are read by names in which capitals do not count, as those of any table in a folder.
        if isTable { clips.locatePaths { $0 } }
        for (table, column) in tables {
            if folders != nil { reportOthers(table, clips) }
            let above = table.contains("/") ? Substring(table.prefix { $0 != "/" }) : nil
            try TableRows(location.input(of: table), Self.format, column).add(to: clips) { values, row in
                row.isOfHeader = table.lowercased().hasSuffix(".csv")
                row.path = (above.map { $0 + "/" } ?? "") + values[column]
                row.split = Self.split(of: row.path)
                let given = values["split"]
                if !given.isEmpty { row.split = given }
                (row.start, row.duration) = (values["start"], values["duration"])
                row.extra += values.others
            }
        }
        guard tables.isEmpty else { return }
        try FolderRecordings(location.folder).add(to: clips) { clip, row in
            row.id = clip.id
            row.split = Self.split(of: clip.path)
            // A recording that no folder but that of the split holds has no label.
            if row.split.isEmpty || clip.path.split(separator: "/").count > 2 { row.label = clip.label }
        }
    }

    private static func split(of path: String) -> String {
        guard let first = path.split(separator: "/").dropLast().first else { return "" }
        return SplitName.ofFolder(String(first)) ?? ""
    }
}
