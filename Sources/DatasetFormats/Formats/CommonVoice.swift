import FileIO
import Manifests

/// Common Voice (commonvoice.mozilla.org): train.tsv, dev.tsv, test.tsv, validated.tsv … with client_id, path, sentence; recordings
/// in clips.
struct CommonVoice: DatasetReader {
    static let format = DatasetFormat.commonVoice
    private static let splits = ["train.tsv", "dev.tsv", "test.tsv"]
    private static let clipFolder = "clips"
    private let location: DatasetLocation
    private let tables: [String]

    init?(_ location: DatasetLocation) throws(ManifestError) {
        self.location = location
        if let name = location.fileName {
            guard let start = location.start, Self.isTable(start, in: location.folder) else { return nil }
            tables = [name]
        } else {
            guard location.hasFolder(Self.clipFolder) else { return nil }
            let found = Self.splits.filter(location.hasFile)
            tables = found.isEmpty ? ["validated.tsv"].filter(location.hasFile) : found
            guard let first = tables.first,
                try Self.isTable(ManifestStart(ManifestInput(path: location.path(of: first))), in: location.folder)
            else { return nil }
        }
    }

    /// Whether a file is one of its tables. These have a column `path`, as manifests have, but it does not say that recordings are
    /// in `clips`.
    static func isTable(_ start: ManifestStart, in folder: String) -> Bool {
        start.firstObject == nil && ["client_id", "path", "sentence"].allSatisfy(start.has)
            && FileStatus(path: "\(folder)/\(clipFolder)")?.isFolder ?? false
    }

    var files: [String] { tables }
    var roots: [String] { [location.folder] }

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        for table in tables {
            try TableRows(location.input(of: table), Self.format, "client_id", "path", "sentence").add(to: clips) {
                values, row in
                let name = values["path"]
                let path = Self.clipFolder + "/" + name
                // Early releases leave the extension out.
                let isComplete = name.hasSuffix(".mp3") || FileStatus(path: location.path(of: path)) != nil
                row.path = path + (isComplete ? "" : ".mp3")
                row.id = name.hasSuffix(".mp3") ? name.stem : name
                row.split = SplitName.of(table.stem) ?? ""
                row.add("speaker", values["client_id"])
                row.add("text", values["sentence"])
                row.extra += values.others
            }
        }
    }
}
