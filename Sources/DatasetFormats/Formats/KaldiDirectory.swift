import FeatureModel
import FileIO
import Manifests

/// Kaldi's data directory (kaldi-asr.org/doc/data_prep.html): wav.scp, and optionally segments, text, utt2spk, spk2gender and
/// others; or a folder of such directories named train, dev, test ….
struct KaldiDirectory: DatasetReader {
    static let format = DatasetFormat.kaldi
    private static let scp = "wav.scp"
    private let folder: String
    /// The directories: the path in the folder, with a slash at the end, and the split.
    private let parts: [(prefix: String, split: String)]
    /// Directories beside them that are not named like splits, or have no wav.scp.
    private let others: [String]
    /// Other folders of the directory that may not be read.
    private let closed: [String]

    init?(_ location: DatasetLocation) throws(ManifestError) {
        folder = location.folder
        if location.isFolder ? location.hasFile(Self.scp) : location.fileName == Self.scp {
            (parts, others, closed) = ([("", "")], [], [])
            return
        }
        guard location.isFolder else { return nil }
        let folders = location.folders
        parts = folders.compactMap { name in
            guard let split = SplitName.of(name), location.hasFile("\(name)/\(Self.scp)") else { return nil }
            return (name + "/", split)
        }
        if parts.isEmpty { return nil }
        let taken = parts.map(\.prefix)
        closed = folders.filter { FileStatus(path: location.path(of: $0) + "/.") == nil }
        others = folders.filter { name in
            !taken.contains(name + "/")
                && [Self.scp, "segments", "utt2spk"].contains { location.hasFile("\(name)/\($0)") }
        }
    }

    /// Refuses a folder without recordings that a Kaldi directory is near: what it lacks, or which directories are in it.
    static func refuse(_ folder: String) throws(ManifestError) {
        guard FileStatus(path: folder)?.isFolder == true else { return }
        let location = try DatasetLocation(ManifestInput(path: folder))
        if ["segments", "utt2spk"].contains(where: location.hasFile) {
            throw .notInFormat(
                path: folder, format: format.title,
                expected: "\(scp), with the recordings of its utterances, found none")
        }
        let directories = location.folders.filter { location.hasFile("\($0)/\(scp)") }
        guard let first = directories.first else { return }
        throw .notInFormat(
            path: folder, format: "a folder of recordings",
            expected:
                "recordings, found Kaldi data directories that are not named like splits: give one of them, such as "
                + ShellText.word(location.path(of: first)))
    }

    var files: [String] { parts.map { $0.prefix + Self.scp } }

    /// Kaldi's paths start from the folder that a recipe runs in, which is often one above `data`.
    var roots: [String] { ["."] + DatasetLocation.above(folder, levels: 2) }

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        var parts = try parts.map { part throws(ManifestError) in
            try KaldiPart(KaldiFolder(folder: folder, prefix: part.prefix), split: part.split, clips)
        }
        // Clips of all parts have the same columns.
        var columns: [String] = []
        for name in parts.flatMap(\.columns) where !columns.contains(name) { columns.append(name) }
        for index in parts.indices { try parts[index].read(columns: columns, into: clips) }
        for name in closed { clips.account.add(.foldersUnreadable, source: folder, quoted(name)) }
        for name in others {
            clips.account.add(
                .splitsLeftOut, source: folder,
                note: "\(quoted(name)) (\(setting: .format, "kaldi") reads it by itself)")
        }
    }
}

/// One directory with its tables.
private struct KaldiPart {
    private let folder: KaldiFolder
    private let split: String
    /// The recordings' ids in the order of wav.scp, and their paths and lines.
    private var order: [String] = []
    private var recordings: [String: (path: String, line: Int)] = [:]
    private var refused: Set<String> = []
    /// The channels of recordings by `reco2file_and_channel`, and their lines.
    private var channels: [String: (channel: Int, line: Int)] = [:]
    /// The names of their files, by the same table.
    private var files: [String: String] = [:]
    /// The recordings that share their file with another one.
    private var sharing: Set<String> = []
    private var tables: KaldiTables
    /// The lengths of recordings in seconds, as a manifest has them.
    private var lengths: [String: String] = [:]
    private let hasSegments: Bool
    private let hasChannels: Bool

    var columns: [String] { tables.columns }

    init(_ folder: KaldiFolder, split: String, _ clips: ManifestBuilder) throws(ManifestError) {
        (self.folder, self.split) = (folder, split)
        hasSegments = folder.has("segments")
        hasChannels = folder.has(Self.channelTable)
        tables = try KaldiTables(folder, clips)
        try readRecordings(clips)
        try readChannels(clips)
        try readLengths(clips)
        name(clips)
    }

    private static func repeated(_ recording: String, line: Int) -> String {
        "the recording \(quoted(recording)) is that of line \(line) already"
    }

    private mutating func readRecordings(_ clips: ManifestBuilder) throws(ManifestError) {
        var (order, recordings, refused) = ([String](), [String: (path: String, line: Int)](), Set<String>())
        try folder.lines(of: "wav.scp", clips) { id, path, line in
            if let first = recordings[id] { return Self.repeated(id, line: first.line) }
            if let problem = Self.problem(of: path) {
                refused.insert(id)
                return problem
            }
            order.append(id)
            recordings[id] = (path, line)
            return nil
        }
        (self.order, self.recordings, self.refused) = (order, recordings, refused)
    }

    /// By how much a segment may end after its recording, in seconds, as for extract-segments without `--max-overshoot`.
    private static let overshoot = "0.5"
    private static let channelTable = "reco2file_and_channel"

    private mutating func readChannels(_ clips: ManifestBuilder) throws(ManifestError) {
        var owners: [String: String] = [:]
        for (id, recording) in recordings {
            if let other = owners.updateValue(id, forKey: recording.path) { sharing.formUnion([id, other]) }
        }
        guard hasChannels else { return }
        var (found, files) = ([String: (channel: Int, line: Int)](), [String: String]())
        try folder.lines(of: Self.channelTable, clips) { id, rest, line in
            let fields = KaldiFolder.words(rest)
            guard fields.count == 2 else {
                return "expected RECORDING FILE CHANNEL, found \(fields.count + 1) fields"
            }
            guard let channel = ChannelName.channel(fields[1]) else { return Self.unknownChannel(fields[1]) }
            files[id] = fields[0]
            return found.updateValue((channel, line), forKey: id).map { Self.repeated(id, line: $0.line) }
        }
        (channels, self.files) = (found, files)
        for (id, entry) in found where recordings[id] == nil && !refused.contains(id) {
            clips.account.add(
                .entriesWithoutRecording, source: folder.file(Self.channelTable), at: entry.line, quoted(id))
        }
    }

    /// Says what the recordings are called.
    private func name(_ clips: ManifestBuilder) {
        for id in order {
            guard let path = recordings[id]?.path else { continue }
            let channel = channels[id]?.channel
            let recording = NamedRecordings.Recording(
                path: path, channel: channel.map { sharing.contains(id) ? .one($0) : .all } ?? .given)
            clips.names.add(recording, named: id)
            if let file = files[id], file != id { clips.names.add(recording, named: file, side: channel) }
        }
    }

    /// Reads `reco2dur`, and `utt2dur` where utterances are recordings. Both are made by programs, which may count frames, so no
    /// recording has to have them exactly.
    private mutating func readLengths(_ clips: ManifestBuilder) throws(ManifestError) {
        for name in hasSegments ? ["reco2dur"] : ["utt2dur", "reco2dur"] where folder.has(name) {
            var found: [String: String] = [:]
            try folder.lines(of: name, clips) { id, value, line in
                guard let seconds = Double(value), seconds.isFinite, seconds > 0 else {
                    return "the length of \(quoted(id)) is \(quoted(value)); expected a number of seconds"
                }
                // The other table is also one of values, which says so.
                if name == "reco2dur", recordings[id] == nil, !refused.contains(id) {
                    clips.account.add(.entriesWithoutRecording, source: folder.file(name), at: line, quoted(id))
                }
                return KaldiFolder.add(DeclaredRecording.text(seconds, isRequired: false), of: id, to: &found)
            }
            lengths.merge(found) { $1 }
        }
    }

    /// The channel of a recording, as a manifest has it; empty: there is no table of channels, and the file is of this recording
    /// alone. Nil: nothing says which channel of a file of several recordings it is, or the table lacks it.
    ///
    /// A file with one recording may hold only one side of a call: then that is the file's only channel.
    private func channel(of recording: String) -> String? {
        guard hasChannels else { return sharing.contains(recording) ? nil : "" }
        return channels[recording].map { ChannelName.text($0.channel, acceptsMono: !sharing.contains(recording)) }
    }

    private func missingChannel(of recording: String) -> String {
        guard hasChannels else {
            return
                "other recordings are of the same file as \(quoted(recording)), and nothing says which channel each of them is: add "
                + "\(Self.channelTable), with lines RECORDING FILE CHANNEL"
        }
        return
            "\(Self.channelTable) has no line for the recording \(quoted(recording)): add one, or remove the file if all channels are meant"
    }

    private static func problem(of path: String) -> String? {
        if path.isEmpty { return "there is no path after the recording's id" }
        if path.hasSuffix("|") {
            return
                "\(quoted(path)) is a command, which is not run, since a dataset could do anything with it; write its output to"
                + " a file (Kaldi: wav-copy, or extract-segments), and name that"
        }
        if path == "-" || path.hasPrefix("|") { return "\(quoted(path)) is a pipe; expected the path of a file" }
        if let colon = path.lastIndex(of: ":"), path[..<colon].hasSuffix(".ark"),
            Int(path[path.index(after: colon)...]) != nil
        {
            return
                "\(quoted(path)) is a part of a Kaldi archive; write it to a file of its own (wav-copy), and name that"
        }
        return nil
    }

    private static func unknownChannel(_ name: String) -> String {
        "the channel is \(quoted(name)); expected \(ChannelName.expectation())"
    }

    mutating func read(columns: [String], into clips: ManifestBuilder) throws(ManifestError) {
        func add(_ id: String, _ path: String, _ row: inout DatasetRow, line: Int, of name: String)
            throws(ManifestError)
        {
            (row.id, row.path, row.split) = (id, path, split)
            let values = tables.take(of: id, clips)
            for column in columns { row.add(column, values[column] ?? "") }
            try clips.add(row, line: line, of: folder.file(name))
        }
        var segmented: Set<String> = []
        if hasSegments {
            try folder.lines(of: "segments", clips) { id, rest, line throws(ManifestError) in
                let fields = KaldiFolder.words(rest)
                guard fields.count == 3 || fields.count == 4 else {
                    return "expected UTTERANCE RECORDING START END, found \(fields.count + 1) fields"
                }
                guard let recording = recordings[fields[0]] else {
                    // A refused recording is reported once, with its reason.
                    return refused.contains(fields[0]) ? nil : "wav.scp has no recording \(quoted(fields[0]))"
                }
                segmented.insert(fields[0])
                var row = DatasetRow()
                row.start = fields[1]
                // -1 is the end of the recording.
                if Double(fields[2]) != -1 { row.end = fields[2] }
                row.overshoot = Self.overshoot
                row.recordingDuration = lengths[fields[0]] ?? ""
                if fields.count == 4 {
                    guard let own = ChannelName.channel(fields[3]) else { return Self.unknownChannel(fields[3]) }
                    if let known = channels[fields[0]], own != known.channel {
                        return
                            "the channel is \(own), and line \(known.line) of \(Self.channelTable) says \(known.channel) of the"
                            + " recording"
                    }
                    row.channel = fields[3]
                } else if let channel = channel(of: fields[0]) {
                    row.channel = channel
                } else {
                    return missingChannel(of: fields[0])
                }
                try add(id, recording.path, &row, line: line, of: "segments")
                return nil
            }
            for (position, id) in order.enumerated() where !segmented.contains(id) {
                clips.account.add(
                    .recordingsWithoutAnnotations, source: folder.file("segments"), at: position, quoted(id))
            }
        } else {
            for id in order {
                guard let recording = recordings[id] else { continue }
                guard let channel = channel(of: id) else {
                    clips.addProblem(missingChannel(of: id), line: recording.line, of: folder.file("wav.scp"))
                    continue
                }
                var row = DatasetRow()
                row.channel = channel
                row.recordingDuration = lengths[id] ?? ""
                try add(id, recording.path, &row, line: recording.line, of: "wav.scp")
            }
        }
        tables.report(clips)
    }
}
