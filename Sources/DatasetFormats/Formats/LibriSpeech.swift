import FileIO
import Manifests

/// LibriSpeech (openslr.org/12): SUBSET/SPEAKER/CHAPTER/SPEAKER-CHAPTER-N.flac, the words in SPEAKER-CHAPTER.trans.txt, and
/// SPEAKERS.TXT.
struct LibriSpeech: DatasetReader {
    static let format = DatasetFormat.libriSpeech
    private static let speakers = "SPEAKERS.TXT"
    /// How many folders are looked into for a transcript.
    private static let triedFolders = 3
    private let folder: String
    /// The subsets: the path in the folder, with a slash at the end, and the name.
    private let subsets: [(prefix: String, name: String)]
    private static let tables = [speakers, "CHAPTERS.TXT", "BOOKS.TXT"]

    init?(_ location: DatasetLocation) throws(ManifestError) {
        guard location.isFolder else { return nil }
        folder = location.folder
        if try Self.isSubset(folder) {
            subsets = [("", location.folderName)]
        } else {
            var found: [(prefix: String, name: String)] = []
            for name in location.folders where try Self.isSubset("\(folder)/\(name)") {
                found.append((name + "/", name))
            }
            subsets = found
        }
        if subsets.isEmpty { return nil }
    }

    var files: [String] { subsets.map { $0.prefix.isEmpty ? $0.name : $0.prefix.droppingSlashes } }
    var roots: [String] { [folder] }

    var folders: DatasetFolders? { DatasetFolders(root: folder, searched: [SearchedFolder("", isDeep: true)]) }

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        for name in Self.tables { clips.used?.insert(name) }
        let genders = try genders(clips)
        for subset in subsets {
            for speaker in try Self.numbers(in: folder + "/" + subset.prefix) {
                for chapter in try Self.numbers(in: "\(folder)/\(subset.prefix)\(speaker)") {
                    try read("\(subset.prefix)\(speaker)/\(chapter)", (speaker, chapter), into: clips) { row in
                        row.split = SplitName.of(subset.name) ?? ""
                        row.add("subset", subset.name)
                        row.add("speaker", speaker)
                        row.add("chapter", chapter)
                        row.add("gender", genders[speaker] ?? "")
                    }
                }
            }
        }
    }

    private func read(
        _ path: String, _ numbers: (speaker: String, chapter: String), into clips: ManifestBuilder,
        describe: (inout DatasetRow) -> Void
    ) throws(ManifestError) {
        var recordings: [String: String] = [:]
        for name in try DatasetLocation.names(in: "\(folder)/\(path)") where name.isRecording {
            recordings[name.stem] = name
        }
        // What a recording that is missing is named like.
        let other = recordings.values.min().flatMap { name in
            name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[$0...] }
        }
        let prefix = "\(numbers.speaker)-\(numbers.chapter)"
        let file = "\(path)/\(prefix).trans.txt"
        // Recordings without a line are those of no transcript: the walk remarks them.
        guard FileStatus(path: "\(folder)/\(file)") != nil else { return }
        clips.used?.insert(file)
        let input = ManifestInput(path: "\(folder)/\(file)")
        try clips.forEachLine(of: input, named: file) { lines throws(ManifestError) in
            let words = lines.text.split(maxSplits: 1) { $0 == " " || $0 == "\t" }
            let id = words.first.map(String.init) ?? ""
            guard id.hasPrefix(prefix + "-") else {
                return "expected a line of \(prefix)-0000 and words, found \(quoted(id))"
            }
            var row = DatasetRow()
            let name = recordings[id] ?? id + (other ?? ".flac")
            (row.path, row.id) = ("\(path)/\(name)", id)
            if recordings[id] == nil {
                clips.account.add(.entriesWithoutRecording, source: folder, at: clips.rowCount, quoted(row.path))
            }
            describe(&row)
            row.add("text", words.count > 1 ? String(words[1]) : "")
            try clips.add(row, line: lines.number, of: file)
            return nil
        }
    }

    /// The speakers' F or M, where there is a table of them.
    private func genders(_ clips: ManifestBuilder) throws(ManifestError) -> [String: String] {
        let candidates = [folder, DatasetLocation.parent(of: folder)].map { "\($0)/\(Self.speakers)" }
        guard let path = candidates.first(where: { FileStatus(path: $0)?.isRegular ?? false }) else { return [:] }
        var genders: [String: String] = [:]
        let lines = try LineReader(path: path)
        while try lines.next() {
            guard !lines.text.hasPrefix(";"), !lines.isBlank else { continue }
            let fields = lines.text.split(separator: "|").map { $0.filter { $0 != " " } }
            guard fields.count > 2 else {
                clips.account.add(
                    .metadataUnread, source: Self.speakers, at: lines.number,
                    "line \(lines.number) (expected ID | SEX | SUBSET …)")
                continue
            }
            genders[fields[0]] = fields[1]
        }
        return genders
    }

    private static func isSubset(_ folder: String) throws(ManifestError) -> Bool {
        for speaker in try numbers(in: folder).prefix(triedFolders) {
            for chapter in try numbers(in: "\(folder)/\(speaker)").prefix(triedFolders)
            where FileStatus(path: "\(folder)/\(speaker)/\(chapter)/\(speaker)-\(chapter).trans.txt") != nil {
                return true
            }
        }
        return false
    }

    /// Names of digits, sorted.
    private static func numbers(in folder: String) throws(ManifestError) -> [String] {
        try DatasetLocation.names(in: folder).filter { name in
            !name.isEmpty && name.utf8.allSatisfy { (48...57).contains($0) }
        }.sorted()
    }
}
