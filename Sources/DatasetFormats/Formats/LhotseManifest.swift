import FeatureModel
import Manifests

/// lhotse's manifests (lhotse.readthedocs.io): cuts, or recordings with or without supervisions, in JSON Lines; or a folder of
/// them.
struct LhotseManifest: DatasetReader {
    static let format = DatasetFormat.lhotse

    private struct Part {
        /// Names in the folder. Recordings or cuts are there.
        var recordings: String?
        var supervisions: String?
        var cuts: String?
        var split = ""
    }

    private let location: DatasetLocation
    private let parts: [Part]

    init?(_ location: DatasetLocation) throws(ManifestError) {
        self.location = location
        guard let name = location.fileName else {
            guard location.isFolder else { return nil }
            parts = try Self.parts(in: location)
            if parts.isEmpty { return nil }
            return
        }
        guard let start = location.start, start.firstObject != nil, !start.has("path") else { return nil }
        if start.has("storage_type"), start.has("storage_path") {
            throw .notInFormat(
                path: location.path, format: Self.format.title, expected: "\(Self.format.expectation), found features")
        }
        if Self.isCut(start) {
            parts = [Part(cuts: name)]
        } else if Self.isRecording(start) {
            parts = [Part(recordings: name)]
        } else if start.has("recording_id") {
            let partner = name.replacing("supervisions", with: "recordings")
            guard partner != name, location.hasFile(partner) else {
                throw .notInFormat(
                    path: location.path, format: Self.format.title,
                    expected:
                        "the recordings beside the supervisions, as \(quoted(partner == name ? "recordings.jsonl" : partner))"
                )
            }
            parts = [Part(recordings: partner, supervisions: name)]
        } else {
            return nil
        }
    }

    private static func isCut(_ start: ManifestStart) -> Bool {
        start.firstObject?["type"]?.string?.hasSuffix("Cut") == true
            || start.has("recording") && start.has("supervisions")
    }

    /// What lacks one of the keys is refused when it is read.
    private static func isRecording(_ start: ManifestStart) -> Bool {
        start.firstObject != nil && start.has("id")
            && (start.has("sources") && start.has("sampling_rate")
                || start.has("num_samples") && (start.has("sources") || start.has("sampling_rate")))
    }

    /// The parts in a folder: recordings, each with supervisions of the same name; cuts, where there are no recordings.
    private static func parts(in location: DatasetLocation) throws(ManifestError) -> [Part] {
        let files = location.names.filter { $0.hasSuffix(".jsonl") || $0.hasSuffix(".jsonl.gz") }
        func starts(_ word: String, where isOne: (ManifestStart) -> Bool) throws(ManifestError) -> [String] {
            var found: [String] = []
            for name in files where name.contains(word) {
                if isOne(try ManifestStart(ManifestInput(path: location.path(of: name)))) { found.append(name) }
            }
            return found
        }
        let recordings = try starts("recordings", where: isRecording)
        guard recordings.isEmpty else {
            return recordings.map { name in
                let stem = name.stem.replacing("recordings", with: "supervisions")
                let partner = files.first { $0.stem == stem }
                return Part(recordings: name, supervisions: partner, split: split(of: name, "recordings"))
            }
        }
        return try starts("cuts", where: isCut).map { Part(cuts: $0, split: split(of: $0, "cuts")) }
    }

    /// The split by the words after, or before, that of the kind: `librispeech_recordings_train-clean-100`.
    private static func split(of name: String, _ kind: String) -> String {
        let words = name.stem.split(separator: kind, maxSplits: 1).map {
            $0.trimmingPrefix(while: { $0 == "_" || $0 == "-" })
        }
        return words.reversed().lazy.compactMap { SplitName.of(String($0)) }.first ?? ""
    }

    var folders: DatasetFolders? {
        guard location.isFolder else { return nil }
        return DatasetFolders(
            root: location.folder, searched: [SearchedFolder("", isDeep: false)], hasRecordings: false)
    }

    /// Marks the files that are read, and features, of which no clip depends.
    private func markUsed(_ clips: ManifestBuilder) throws(ManifestError) {
        for name in files { clips.used?.insert(name) }
        for name in location.names where name.hasSuffix(".jsonl") || name.hasSuffix(".jsonl.gz") {
            if try ManifestStart(ManifestInput(path: location.path(of: name))).has("storage_type") {
                clips.used?.insert(name)
            }
        }
    }

    var files: [String] { parts.flatMap { [$0.recordings, $0.supervisions, $0.cuts].compactMap(\.self) } }

    /// lhotse's paths start from the folder that a program runs in.
    var roots: [String] { ["."] + DatasetLocation.above(location.folder, levels: 1) }

    func read(into clips: ManifestBuilder) throws(ManifestError) {
        if folders != nil { try markUsed(clips) }
        for part in parts {
            if let cuts = part.cuts { try readCuts(cuts, part, clips) }
            guard let recordings = part.recordings else { continue }
            let table = try readRecordings(recordings, clips)
            if let supervisions = part.supervisions {
                try readSupervisions(supervisions, table, part, clips)
            } else {
                for id in table.order {
                    guard let (recording, line) = table.byID[id] else { continue }
                    var row = DatasetRow()
                    (row.id, row.split) = (id, part.split)
                    do throws(LhotseRecording.Refusal) { try Self.setSource(recording, channel: nil, &row) } catch {
                        clips.addProblem(error.text, line: line, of: recordings)
                        continue
                    }
                    try clips.add(row, line: line, of: recordings)
                }
            }
        }
    }

    // MARK: - Parts

    private struct Recordings {
        var order: [String] = []
        var byID: [String: (recording: LhotseRecording, line: Int)] = [:]
        var refused: Set<String> = []
    }

    /// Calls `take` with the object of every line. What it returns is a problem of the line.
    private func objects(
        of name: String, _ clips: ManifestBuilder, take: (JSONValue, Int) throws(ManifestError) -> String?
    ) throws(ManifestError) {
        try clips.forEachLine(of: location.input(of: name), named: name) { lines throws(ManifestError) in
            let object: JSONValue
            do throws(JSONValue.Failure) { object = try JSONValue(line: lines.bytes) } catch { return error.text }
            return try take(object, lines.number)
        }
    }

    private func readRecordings(_ name: String, _ clips: ManifestBuilder) throws(ManifestError) -> Recordings {
        var table = Recordings()
        try objects(of: name, clips) { object, line in
            do throws(LhotseRecording.Refusal) {
                let recording = try LhotseRecording(object)
                if let first = table.byID[recording.id] {
                    return "the recording \(quoted(recording.id)) is that of line \(first.line) already"
                }
                table.order.append(recording.id)
                table.byID[recording.id] = (recording, line)
                return nil
            } catch {
                if let id = object["id"]?.string { table.refused.insert(id) }
                return error.text
            }
        }
        return table
    }

    private func readSupervisions(
        _ name: String, _ table: Recordings, _ part: Part, _ clips: ManifestBuilder
    ) throws(ManifestError) {
        var annotated: Set<String> = []
        var unread = UnreadMembers()
        try objects(of: name, clips) { object, line throws(ManifestError) in
            unread.note(object, besides: Self.supervisionKeys, line)
            let id = object["recording_id"]?.text ?? ""
            annotated.insert(id)
            guard let (recording, _) = table.byID[id] else {
                return table.refused.contains(id)
                    ? nil : "\(part.recordings ?? "") has no recording \(quoted(id))"
            }
            var row = DatasetRow()
            (row.id, row.split) = (object["id"]?.text ?? "", part.split)
            let start = object["start"]?.number ?? 0
            Self.describe([object], custom: object["custom"], timesFrom: start, &row)
            do throws(LhotseRecording.Refusal) {
                try Self.setTimes(object, of: recording, &row)
                try Self.setSource(recording, channel: recording.channel(ofSupervision: object), &row)
            } catch {
                return error.text
            }
            try add(row, line, name, clips)
            return nil
        }
        unread.report(name, clips)
        for (position, id) in table.order.enumerated() where !annotated.contains(id) {
            clips.account.add(.recordingsWithoutAnnotations, source: name, at: position, quoted(id))
        }
    }

    private static let supervisionKeys: Set = [
        "id", "recording_id", "start", "duration", "channel", "text", "language", "speaker", "gender", "custom",
        "alignment",
    ]
    private static let cutKeys: Set = [
        "id", "start", "duration", "channel", "supervisions", "features", "recording", "custom", "type",
    ]

    private func readCuts(_ name: String, _ part: Part, _ clips: ManifestBuilder) throws(ManifestError) {
        var unread = UnreadMembers()
        try objects(of: name, clips) { object, line throws(ManifestError) in
            if let type = object["type"]?.string, type != "MonoCut", type != "MultiCut" {
                return
                    "is a \(type), which is put together when it is read; expected a MonoCut: save the audio of the cuts"
                    + " (cuts.save_audios), and name that"
            }
            guard let description = object["recording"] else {
                return "the cut has no recording; cuts of features alone cannot be read"
            }
            unread.note(object, besides: Self.cutKeys, line)
            for supervision in object["supervisions"]?.elements ?? [] {
                unread.note(supervision, besides: Self.supervisionKeys, line)
            }
            if LhotseRecording.isInShar(description) {
                throw .unreadTable(path: location.path(of: name), .shar(archive: try sharArchive(of: name)))
            }
            var row = DatasetRow()
            (row.id, row.split) = (object["id"]?.text ?? "", part.split)
            let supervisions = object["supervisions"]?.elements ?? []
            var heard: [JSONValue] = []
            do throws(LhotseRecording.Refusal) {
                let recording = try LhotseRecording(description)
                for supervision in supervisions where try Self.isOf(supervision["channel"], object["channel"]) {
                    heard.append(supervision)
                }
                try Self.setTimes(object, of: recording, &row)
                try Self.setSource(recording, channel: object["channel"], &row)
            } catch {
                return error.text
            }
            clips.account.add(
                .supervisionsLeftOut, source: name, at: line, "line \(line) (of other channels than its cut)",
                count: supervisions.count - heard.count)
            Self.describe(heard, custom: object["custom"], &row)
            try add(row, line, name, clips)
            return nil
        }
        unread.report(name, clips)
    }

    /// The archive of recordings beside the cuts of a Shar folder, `recording.0.tar` beside `cuts.0.jsonl.gz`; nil: it is not there.
    private func sharArchive(of cuts: String) throws(ManifestError) -> String? {
        let name = cuts.stem.replacing("cuts", with: "recording")
        let names = location.isFolder ? location.names : try DatasetLocation.names(in: location.folder)
        let archives = names.filter { $0 == name + ".tar" || $0 == name + ".tar.gz" }
        return archives.first.map { location.path(of: $0) }
    }

    // MARK: - Values

    /// Whether a supervision is of a channel of its cut; those without a channel are.
    private static func isOf(_ supervision: JSONValue?, _ cut: JSONValue?) throws(LhotseRecording.Refusal) -> Bool {
        let (own, wanted) = (try LhotseRecording.channels(supervision), try LhotseRecording.channels(cut))
        return own.isEmpty || wanted.isEmpty || !Set(own).isDisjoint(with: wanted)
    }

    /// The part of a recording; none where it is all of it.
    private static func setTimes(
        _ object: JSONValue, of recording: LhotseRecording, _ row: inout DatasetRow
    ) throws(LhotseRecording.Refusal) {
        let start = try LhotseRecording.number("start", of: object)
        let duration = try LhotseRecording.number("duration", of: object)
        if start ?? 0 == 0, let length = recording.duration, duration.map({ abs($0 - length) < 1e-6 }) ?? true {
            return
        }
        (row.start, row.duration) = (object["start"]?.text ?? "", object["duration"]?.text ?? "")
    }

    /// Sets the file, the channel in it, and what is declared of the recording.
    private static func setSource(
        _ recording: LhotseRecording, channel: JSONValue?, _ row: inout DatasetRow
    ) throws(LhotseRecording.Refusal) {
        let source = try recording.source(of: channel)
        row.path = source.path
        row.channel = source.channel.map { "\($0)" } ?? ""
        (row.recordingDuration, row.recordingSamples, row.recordingRate) = recording.declared
        // As late as the recording may be shorter than declared.
        if !row.start.isEmpty || !row.duration.isEmpty { row.overshoot = "\(DeclaredRecording.tolerance)" }
    }

    /// - Parameter start: What the times of alignments count from, before the clip's start, in seconds.
    private static func describe(
        _ supervisions: [JSONValue], custom: JSONValue?, timesFrom start: Double = 0, _ row: inout DatasetRow
    ) {
        for name in ["text", "speaker", "language", "gender"] {
            let values = supervisions.map { $0[name] }
            row.add(name, name == "text" ? values.compactMap { $0?.text }.joined(separator: " ") : together(values))
        }
        if supervisions.contains(where: { $0["alignment"] != nil }) {
            row.add("alignment", together(supervisions.map { $0["alignment"].map { aligned($0, from: start) } }))
        }
        for (name, value) in customFields(supervisions, of: custom) {
            let isTaken =
                row.extra.contains { $0.name == name }
                || ["path", "id", "start", "end", "duration", "channel"].contains(name)
            row.add(isTaken ? "custom_" + name : name, value)
        }
    }

    /// An alignment whose times, which count from the start of a recording, count from that of a part.
    private static func aligned(_ kinds: JSONValue, from start: Double) -> JSONValue {
        guard start != 0, case .object(let members) = kinds else { return kinds }
        return .object(
            members.map { kind in
                JSONValue.Member(
                    name: kind.name,
                    value: kind.value.elements.map { .array($0.map { moved($0, by: start) }) } ?? kind.value)
            })
    }

    /// An item `[symbol, start, duration, score]`, of which lhotse stores times with 8 decimals.
    static func moved(_ item: JSONValue, by start: Double) -> JSONValue {
        guard var fields = item.elements, fields.count > 1, let time = fields[1].number,
            case let moved = ((time - start) * 1e8).rounded() / 1e8, moved.isFinite
        else { return item }
        fields[1] = .number("\(moved)")
        return .array(fields)
    }

    /// One value for all supervisions: that of those which have one where they agree, otherwise a list of all in JSON.
    private static func together(_ values: [JSONValue?]) -> String {
        let given = values.compactMap(\.self)
        guard let first = given.first, given.contains(where: { $0.text != first.text }) else {
            return given.first?.text ?? ""
        }
        return JSONValue.array(values.map { $0 ?? .null }).text
    }

    /// The fields of a cut, and those of its supervisions. One of a supervision whose name the cut has, with another value, is
    /// `supervision_NAME`. Several labels of supervisions are `labels`.
    private static func customFields(_ supervisions: [JSONValue], of cut: JSONValue?) -> [(name: String, value: String)]
    {
        var fields = (cut ?? .null).members.map { field($0.name, [$0.value]) }
        let customs = supervisions.map { $0["custom"] ?? .null }
        var names: [String] = []
        for name in customs.flatMap(\.members).map(\.name) where !names.contains(name) { names.append(name) }
        for name in names {
            let values = customs.map { $0[name] }
            if let other = fields.first(where: { $0.name == name }) {
                let value = together(values)
                if other.value != value { fields.append(("supervision_" + name, value)) }
                continue
            }
            let found = field(name, values)
            let isTaken = fields.contains { $0.name == found.name }
            fields.append(isTaken ? ("supervision_" + name, found.value) : found)
        }
        return fields
    }

    /// A field with its values as one. Several labels, of several supervisions or in a list, are `labels`.
    private static func field(_ name: String, _ values: [JSONValue?]) -> (name: String, value: String) {
        let given = values.compactMap(\.self)
        let isLabel = name == ManifestColumn.label.name
        guard isLabel && given.contains(where: { $0.elements != nil }) || values.count > 1,
            isLabel || name == LabelList.column
        else { return (name, together(values)) }
        var labels: [String] = []
        for value in given {
            let found =
                isLabel
                ? value.elements?.map(\.text) ?? [value.text] : (try? LabelList.names(value.text.utf8)) ?? [value.text]
            for label in found where !label.isEmpty && !labels.contains(label) { labels.append(label) }
        }
        guard labels.count > 1 else { return (name, isLabel ? labels.first ?? "" : together(values)) }
        return (LabelList.column, JSONValue.array(labels.map(JSONValue.string)).text)
    }

    private func add(
        _ row: DatasetRow, _ line: Int, _ name: String, _ clips: ManifestBuilder
    ) throws(ManifestError) {
        if row.label.isEmpty, row.extra.contains(where: { $0.name == LabelList.column }) { clips.listsLabels = true }
        try clips.add(row, line: line, of: name)
    }
}

/// Members of the objects of a file that are not read.
private struct UnreadMembers {
    /// The lines that have each, and the first of them.
    private var members: [String: (count: Int, first: Int)] = [:]

    mutating func note(_ object: JSONValue, besides known: Set<String>, _ line: Int) {
        for member in object.members where !known.contains(member.name) && !member.value.text.isEmpty {
            members[member.name, default: (0, line)].count += 1
        }
    }

    func report(_ file: String, _ clips: ManifestBuilder) {
        for (name, (count, first)) in members {
            let others = count > 1 ? " and \(count - 1) more" : ""
            clips.account.add(.columnsUnused, source: file, at: first, "\(quoted(name)) in line \(first)\(others)")
        }
    }
}
