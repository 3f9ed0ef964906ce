import Manifests

/// UrbanSound8K (Salamon et al. 2014): `metadata/UrbanSound8K.csv` with slice_file_name, fsID, start, end, salience, fold, classID,
/// class; recordings in `audio/foldN`. Its start and end are times in the recording of Freesound that a slice was cut from.
struct UrbanSound8K: DatasetReader {
    static let format = DatasetFormat.urbanSound8K
    private static let name = "UrbanSound8K.csv"
    private let table: ManifestInput
    private let folder: String
    let folders: DatasetFolders?

    init?(_ location: DatasetLocation) throws(ManifestError) {
        if location.hasColumns("slice_file_name", "fsID", "fold", "class") {
            (table, folder, folders) = (location.input, DatasetLocation.parent(of: location.folder), nil)
        } else if location.isFolder, location.hasFile("metadata/" + Self.name) {
            (table, folder) = (location.input(of: "metadata/" + Self.name), location.folder)
            folders = DatasetFolders(
                root: folder,
                searched: [
                    SearchedFolder("", isDeep: false), SearchedFolder("metadata", isDeep: false),
                    SearchedFolder("audio", isDeep: true),
                ])
        } else {
            return nil
        }
    }

    var files: [String] { [table.name.lastName] }
    var roots: [String] { [folder] }

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        clips.used?.insert("metadata/" + Self.name)
        try TableRows(table, Self.format, "slice_file_name", "fold", "class").add(to: clips) { values, row in
            row.path = "audio/fold\(values.kept("fold"))/" + values["slice_file_name"]
            row.label = values["class"]
            let (start, end) = (values["start"], values["end"])
            row.extra = values.others
            if !start.isEmpty { row.add("source_start", start) }
            if !end.isEmpty { row.add("source_end", end) }
        }
    }
}
