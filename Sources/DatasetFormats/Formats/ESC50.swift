import Manifests

/// ESC-50 (Piczak 2015, github.com/karolpiczak/ESC-50): `meta/esc50.csv` with filename, fold, target, category, esc10, src_file,
/// take; recordings in `audio`.
struct ESC50: DatasetReader {
    static let format = DatasetFormat.esc50
    private let table: ManifestInput
    private let folder: String

    init?(_ location: DatasetLocation) throws(ManifestError) {
        if location.hasColumns("filename", "fold", "target", "category") {
            (table, folder) = (location.input, DatasetLocation.parent(of: location.folder))
        } else if location.isFolder, location.hasFile("meta/esc50.csv") {
            (table, folder) = (location.input(of: "meta/esc50.csv"), location.folder)
        } else {
            return nil
        }
    }

    var files: [String] { [table.name.lastPathComponent] }
    var roots: [String] { [folder] }

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        try TableRows(table, Self.format, "filename", "category").add(to: clips) { values, row in
            row.path = "audio/" + values["filename"]
            row.label = values["category"]
            row.extra = values.others
        }
    }
}
