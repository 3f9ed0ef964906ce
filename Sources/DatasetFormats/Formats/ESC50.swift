import Manifests

/// ESC-50 (Piczak 2015, github.com/karolpiczak/ESC-50): `meta/esc50.csv` with filename, fold, target, category, esc10, src_file,
/// take; recordings in `audio`.
struct ESC50: DatasetReader {
    static let format = DatasetFormat.esc50
    private let table: ManifestInput
    private let folder: String
    let folders: DatasetFolders?
    /// In every copy: what people recognised.
    private static let listening = "meta/esc50-human.xlsx"

    init?(_ location: DatasetLocation) throws(ManifestError) {
        if location.hasColumns("filename", "fold", "target", "category") {
            (table, folder, folders) = (location.input, DatasetLocation.parent(of: location.folder), nil)
        } else if location.isFolder, location.hasFile("meta/esc50.csv") {
            (table, folder) = (location.input(of: "meta/esc50.csv"), location.folder)
            folders = DatasetFolders(
                root: folder,
                searched: [
                    SearchedFolder("", isDeep: false), SearchedFolder("meta", isDeep: false),
                    SearchedFolder("audio", isDeep: true),
                ])
        } else {
            return nil
        }
    }

    var files: [String] { [table.name.lastName] }
    var roots: [String] { [folder] }

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        for name in ["meta/esc50.csv", Self.listening] { clips.used?.insert(name) }
        try TableRows(table, Self.format, "filename", "category").add(to: clips) { values, row in
            row.path = "audio/" + values["filename"]
            row.label = values["category"]
            row.extra = values.others
        }
    }
}
