import FeatureModel
import Manifests

/// Hugging Face's audiofolder (huggingface.co/docs/datasets/audio_load): metadata.csv or metadata.jsonl with file_name in the
/// folder, or in folders of splits; without these, folders of splits with a folder for each label.
struct AudioFolder: DatasetReader {
    static let format = DatasetFormat.audioFolder
    private static let metadata = ["metadata.csv", "metadata.jsonl"]
    private let location: DatasetLocation
    /// Tables, by their path in the folder; empty: names of folders give the labels.
    private let tables: [String]

    init?(_ location: DatasetLocation) throws(ManifestError) {
        self.location = location
        guard location.isFolder else {
            guard let name = location.fileName, location.start?.has("file_name") == true,
                location.start?.has("path") == false
            else { return nil }
            tables = [name]
            return
        }
        if let name = Self.metadata.first(where: location.hasFile) {
            tables = [name]
            return
        }
        let folders = location.folders
        tables = folders.flatMap { folder in Self.metadata.map { "\(folder)/\($0)" }.filter(location.hasFile).prefix(1)
        }
        // Other folders beside those of splits would be labels.
        guard !tables.isEmpty || !folders.isEmpty && folders.allSatisfy({ SplitName.of($0) != nil }) else { return nil }
    }

    var files: [String] { tables }
    var roots: [String] { [location.folder] }

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        for table in tables {
            let above = table.contains("/") ? Substring(table.prefix { $0 != "/" }) : nil
            try TableRows(location.input(of: table), Self.format, "file_name").add(to: clips) { values, row in
                row.path = (above.map { $0 + "/" } ?? "") + values["file_name"]
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
            if clip.path.split(separator: "/").count > 2 { row.label = clip.label }
        }
    }

    private static func split(of path: String) -> String {
        guard let first = path.split(separator: "/").dropLast().first else { return "" }
        return SplitName.of(String(first)) ?? ""
    }
}
