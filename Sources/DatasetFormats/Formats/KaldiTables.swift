import FeatureModel
import FileIO
import Manifests

/// The tables of a directory's utterances and speakers, whose values become columns.
struct KaldiTables {
    private struct Table {
        let name: String
        let column: String
        var values: [String: String] = [:]
        /// Of a table of speakers, those that have a clip.
        var used: Set<String> = []
    }

    private let folder: KaldiFolder
    /// Each value is taken out for its clip: what remains is of none.
    private var utterances: [Table] = []
    private var speakers: [Table] = []
    private var count = 0

    private static let (speakerTable, inverse) = ("utt2spk", "spk2utt")

    var columns: [String] { (utterances + speakers).map(\.column) }

    init(_ folder: KaldiFolder, _ clips: ManifestBuilder) throws(ManifestError) {
        self.folder = folder
        let names = try DatasetLocation.names(in: folder.path) {
            clips.account.add(.foldersUnreadable, source: folder.folder, "\(quoted(folder.prefix)) (\($0))")
        }
        for name in names.sorted() {
            if let column = Self.column(name) {
                var table = Table(name: name, column: column)
                try read(&table, clips)
                if name.hasPrefix("spk2") { speakers.append(table) } else { utterances.append(table) }
            } else if name != Self.inverse, Self.mayMatter(name),
                FileStatus(path: folder.path + name)?.isRegular == true
            {
                // Annotations may be read by others.
                let path = folder.folder == "." ? folder.file(name) : folder.path + name
                clips.unclaimed.append(.metadata(path, source: folder.folder))
            }
        }
        if names.contains(Self.inverse) { try readInverse(clips) }
    }

    /// The column that a table becomes; nil: it is not one of values.
    private static func column(_ file: String) -> String? {
        switch file {
        case "text": "text"
        case speakerTable: "speaker"
        case "utt2lang": "language"
        case "utt2label": "label"
        case inverse, "utt2uniq": nil
        case let file where file.hasPrefix("spk2") && !file.contains("."): String(file.dropFirst(4))
        case let file where file.hasPrefix("utt2") && !file.contains("."): file
        default: nil
        }
    }

    /// Files that no clip or column depends on: what Kaldi makes of the others, and features.
    private static let derived: Set = [
        "wav.scp", "segments", "utt2uniq", "utt2dur", "utt2num_frames", "reco2dur", "reco2num_spk", "frame_shift",
        "feats.scp", "cmvn.scp", "vad.scp", "num_frames", "reco2file_and_channel", "glm",
    ]

    /// Whether a file that is not read may say something of the utterances.
    private static func mayMatter(_ name: String) -> Bool {
        let lower = name.lowercased()
        let ending = name.contains(".") ? lower.split(separator: ".").last.map(String.init) ?? "" : ""
        return !derived.contains(name) && !["readme", "license", "."].contains(where: lower.hasPrefix)
            && ["", "txt", "csv", "tsv", "scp", "rttm", "stm", "ctm", "json"].contains(ending)
    }

    private func read(_ table: inout Table, _ clips: ManifestBuilder) throws(ManifestError) {
        var values: [String: String] = [:]
        try folder.lines(of: table.name, clips) { id, value, _ in
            // What follows the speaker would become a part of the name.
            if table.name == Self.speakerTable, case let words = KaldiFolder.words(value), words.count > 1 {
                return "expected UTTERANCE SPEAKER, found \(words.count + 1) fields"
            }
            return KaldiFolder.add(value, of: id, to: &values)
        }
        table.values = values
    }

    /// Reads the speakers of `spk2utt` where there is no `utt2spk`; otherwise, what the two say has to agree.
    private mutating func readInverse(_ clips: ManifestBuilder) throws(ManifestError) {
        let known = utterances.first { $0.name == Self.speakerTable }
        var table = Table(name: Self.inverse, column: "speaker")
        try folder.lines(of: Self.inverse, clips) { speaker, list, line in
            for id in KaldiFolder.words(list) {
                if let known {
                    guard let other = known.values[id], other != speaker else { continue }
                    clips.account.add(
                        .valuesDisagree, source: folder.file(Self.inverse), at: line,
                        "\(quoted(id)) (\(quoted(speaker)), and \(quoted(other)) in \(folder.file(Self.speakerTable)))")
                } else if let other = table.values.updateValue(speaker, forKey: id) {
                    return "\(quoted(id)) is an utterance of \(quoted(other)) already"
                }
            }
            return nil
        }
        if known == nil { utterances.append(table) }
    }

    /// The values of the next clip by their columns. Those that it lacks get a remark.
    mutating func take(of id: String, _ clips: ManifestBuilder) -> [String: String] {
        var values: [String: String] = [:]
        for index in utterances.indices {
            let value = utterances[index].values.removeValue(forKey: id) ?? ""
            values[utterances[index].column] = value
            if value.isEmpty { note(utterances[index], lacks: quoted(id), clips) }
        }
        let named = values["speaker"] ?? ""
        let speaker = named.isEmpty ? id : named
        for index in speakers.indices {
            let value = speakers[index].values[speaker] ?? ""
            speakers[index].used.insert(speaker)
            if values[speakers[index].column] == nil { values[speakers[index].column] = value }
            if value.isEmpty {
                note(speakers[index], lacks: quoted(id) + (named.isEmpty ? "" : " (of \(quoted(named)))"), clips)
            }
        }
        count += 1
        return values
    }

    private func note(_ table: Table, lacks name: @autoclosure () -> String, _ clips: ManifestBuilder) {
        clips.account.add(.valuesMissing, source: folder.file(table.name), at: count, name())
    }

    /// Takes note of lines of utterances and speakers that have no clip.
    func report(_ clips: ManifestBuilder) {
        guard count > 0 else { return }
        for table in utterances + speakers {
            for id in table.values.keys where !table.used.contains(id) {
                clips.account.add(.annotationsUnused, source: folder.file(table.name), quoted(id))
            }
        }
    }
}
