import FeatureModel
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
    let folders: DatasetFolders?

    init?(_ location: DatasetLocation) throws(ManifestError) {
        self.location = location
        if let name = location.fileName {
            guard let start = location.start, Self.isTable(start, in: location.folder) else { return nil }
            (tables, folders) = ([name], nil)
        } else {
            guard location.hasFolder(Self.clipFolder) else { return nil }
            let found = Self.splits.filter(location.hasFile)
            tables = found.isEmpty ? [Self.validated].filter(location.hasFile) : found
            // One of them with another header is refused when it is read.
            var isOne = false
            for name in tables where !isOne { isOne = try Self.isTable(name, of: location) }
            guard isOne else { return nil }
            folders = DatasetFolders(
                root: location.folder,
                searched: [SearchedFolder("", isDeep: false), SearchedFolder(Self.clipFolder, isDeep: true)])
        }
    }

    /// Whether a file is one of its tables. These have a column `path`, as manifests have, but it does not say that recordings are
    /// in `clips`.
    static func isTable(_ start: ManifestStart, in folder: String) -> Bool {
        start.firstObject == nil && ["client_id", "path", "sentence"].allSatisfy(start.has)
            && FileStatus(path: "\(folder)/\(clipFolder)")?.isFolder ?? false
    }

    private static func isTable(_ name: String, of location: DatasetLocation) throws(ManifestError) -> Bool {
        try isTable(ManifestStart(ManifestInput(path: location.path(of: name))), in: location.folder)
    }

    var files: [String] { tables }
    var roots: [String] { [location.folder] }

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        let lengths = try lengths(clips)
        for table in tables {
            clips.used?.insert(table)
            try TableRows(location.input(of: table), Self.format, "client_id", "path", "sentence").add(to: clips) {
                values, row in
                let name = values["path"]
                row.path = path(of: name)
                row.id = name.hasSuffix(".mp3") ? name.stem : name
                row.recordingDuration = lengths[row.id].map { DeclaredRecording.text($0, isRequired: false) } ?? ""
                row.split = SplitName.of(table.stem) ?? ""
                row.add("speaker", values["client_id"])
                row.add("text", values["sentence"])
                row.extra += values.others
            }
        }
        if folders != nil { try reportOthers(clips) }
    }

    private static let lengthTable = "clip_durations.tsv"

    /// The lengths of recordings in seconds, by their names without extension. Not every release has them.
    private func lengths(_ clips: ManifestBuilder) throws(ManifestError) -> [String: Double] {
        guard folders != nil, location.hasFile(Self.lengthTable) else { return [:] }
        var lengths: [String: Double] = [:]
        let table = try TableReader(location.input(of: Self.lengthTable))
        guard let column = ["duration[ms]", "duration"].first(where: table.columns.contains),
            table.columns.contains("clip")
        else {
            clips.account.add(.metadataUnread, source: path, quoted(Self.lengthTable))
            return [:]
        }
        while try table.next() {
            func report(_ found: Note) {
                clips.account.add(
                    .valuesUnread, source: Self.lengthTable, at: table.line, note: "\(found) in line \(table.line)")
            }
            if let problem = table.problem { report("(\(problem))") }
            guard let name = table["clip"], let text = table[column], !text.isEmpty else { continue }
            guard let length = Double(text), length.isFinite, length > 0 else {
                report(Note(quoted(text)))
                continue
            }
            lengths[name.hasSuffix(".mp3") ? name.stem : name] = length / 1000
        }
        return lengths
    }

    /// The path of a clip's recording. Early releases leave the extension out.
    private func path(of name: String) -> String {
        let path = Self.clipFolder + "/" + name
        let isComplete = name.hasSuffix(".mp3") || FileStatus(path: location.path(of: path)) != nil
        return path + (isComplete ? "" : ".mp3")
    }

    /// Takes note of the other tables that have clips of their own, such as `other.tsv`: `validated.tsv` often has more than the
    /// splits.
    private func reportOthers(_ clips: ManifestBuilder) throws(ManifestError) {
        for name in location.names where name.hasSuffix(".tsv") && !tables.contains(name) {
            // Tables of sentences and of lengths are in every copy.
            clips.used?.insert(name)
            guard try Self.isTable(name, of: location) else {
                if !Self.companions.contains(name) { clips.account.add(.tablesUnclaimed, source: path, quoted(name)) }
                continue
            }
            var count = 0
            let table = try TableReader(location.input(of: name))
            while try table.next() {
                guard let clip = table["path"], !clip.isEmpty else { continue }
                let recording = path(of: clip)
                guard clips.used?.contains(recording) == false else { continue }
                clips.used?.insert(recording)
                count += 1
            }
            guard count > 0 else { continue }
            let isUsual = Self.unsplit.contains(name) || name == Self.validated && tables == Self.splits
            clips.account.add(
                isUsual ? .splitsChosen : .splitsLeftOut, source: path,
                "\(quoted(name)) (\(count) \(count == 1 ? "clip" : "clips") of its own)")
        }
    }

    private var path: String { location.folder }
    /// Has more clips than the three splits, in every release.
    private static let validated = "validated.tsv"
    /// Tables of clips that are in no split, in every release.
    private static let unsplit = ["other.tsv", "invalidated.tsv"]
    private static let companions = [
        lengthTable, "reported.tsv", "validated_sentences.tsv", "unvalidated_sentences.tsv",
    ]
}
