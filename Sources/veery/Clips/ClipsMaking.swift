import Annotations
import ArgumentParser
import Concurrency
import Essentials
import FeatureModel
import Manifests
import Presentation

/// From recordings and annotations to the rows of a manifest.
struct ClipsMaking {
    let source: ClipsSource
    let tables: ClipsTables
    let cutting: ClipsCuttingOptions
    let minimumConfidence: Double?
    /// By how much clips of the source may end after their recordings, in seconds; nil: as the source says.
    let overshoot: Double?
    /// What becomes of annotations and windows after the readable part of a recording.
    let truncated: RecordingPolicy.Truncated
    let format: ManifestFormat

    /// Makes the clips.
    ///
    /// - Parameter skipping: Whether annotations and recordings with problems are left out; otherwise, they are an error.
    /// - Throws: `ClipsProblems`.
    func run(skipping: Bool, workers: WorkerRange) throws -> ClipsMade {
        let windows = cutting.windows
        let root = ClipsTables.absolute(source.root)
        let locations = source.clips.map(source.location)
        let index = RecordingIndex(locations.map(ClipsTables.absolute))
        let binding = AnnotationBinding(
            tables.tables, to: index, clipCount: source.clips.count, root: root, dataset: source.name)
        var made = ClipsMade(
            account: source.account.merging(tables.account).merging(binding.account), notes: tables.notes)
        made.account.add(source.unclaimed.filter { !tables.hasSeen($0) })
        if tables.areGiven { reportUnannotated(locations, binding, index, &made.account) }
        var problems =
            tables.problems
            + binding.problems.map {
                ClipsProblem(path: tables.tables[$0.table].table.path, line: $0.line, text: "\($0.text)")
            }
        var seen: Set<String> = []
        let needed = source.clips.indices.filter { windows != nil || !binding.rows[$0].isEmpty }
        let lengths = try RecordingLengths.read(
            needed.map { locations[$0] }.filter { seen.insert($0).inserted }, workers: workers)
        var columns = ClipsColumns(source: source, tables: tables.tables, isWindowed: windows != nil, format: format)
        var marks = ClipsMarks(tables: tables.tables, minimumConfidence: minimumConfidence, truncated: truncated)
        var drafts: [ClipsDraft] = []
        var unreadable: Set<String> = []
        for number in needed {
            let location = locations[number]
            switch lengths.recordings[location] {
            case .success(let recording):
                let clip = source.clips[number]
                let found = marks.take(binding.rows[number], of: recording, clip: clip)
                let (part, remarks): (TimeSpan, RecordingRemarks)
                do throws(ClipFailure) { (part, remarks) = try self.part(clip, recording) } catch {
                    problems.append(ClipsProblem(path: source.name, text: "the clip '\(clip.id)': \(error.reason)"))
                    continue
                }
                made.account.add(remarks, ofClip: clip.id, at: number)
                marks.compare(found, with: part)
                if let windows {
                    let isCut = Self.reachesCut(clip, recording)
                    if isCut, truncated == .keep {
                        made.cutRecordings.insert(location)
                    } else if isCut {
                        problems.append(ClipsProblem(path: location, text: Self.cutOff(recording)))
                    }
                    for channel in marks.channels(found, of: recording, clip: clip) {
                        let own = found.filter { channel == nil || $0.channel == nil || $0.channel == channel }
                        drafts += cut(part, own, windows, clip, channel, &made)
                    }
                } else {
                    drafts += marks.clips(found, in: part, of: clip, rules: cutting.clips, &made)
                }
            case .failure(let failure):
                guard unreadable.insert(location).inserted else { continue }
                problems.append(ClipsProblem(path: location, text: failure.reason))
            case nil: continue
            }
        }
        problems += marks.problems + marks.confidenceProblems
        columns.choose(for: drafts)
        if columns.hasLabels { problems += columns.separatorProblems(marks.labels) }
        // A recording in several rows of the source has its annotations' problems once.
        var told: Set<String> = []
        problems = problems.filter { told.insert($0.description).inserted }
        guard problems.isEmpty || skipping else { throw ClipsProblems(problems, hints: marks.hints) }
        made.account.merge(marks.account)
        if !problems.isEmpty { made.leaveOut(problems, hints: marks.hints, of: source.name) }
        marks.finish(&made, isOfClips: windows == nil)
        made.finish(columns, drafts)
        return made
    }

    /// Takes note of the recordings that no given file says anything of, if some have annotations.
    private func reportUnannotated(
        _ locations: [String], _ binding: AnnotationBinding, _ index: RecordingIndex, _ account: inout Account
    ) {
        var annotated = Set(locations.indices.lazy.filter { !binding.rows[$0].isEmpty }.map { locations[$0] })
        guard !annotated.isEmpty else { return }
        // A file without rows says that there is nothing to mark.
        for placed in tables.tables where placed.table.count == 0 {
            let name = URL(filePath: placed.table.path).lastPathComponent
            if case .found(let clips, _) = index.find(besides: name, folder: placed.folder).match {
                annotated.formUnion(clips.map { locations[$0] })
            }
        }
        for (position, location) in locations.enumerated() where annotated.insert(location).inserted {
            account.add(.recordingsWithoutAnnotations, source: source.name, at: position, location)
        }
    }

    /// The part of a recording that a row of the source names, and what there is to say of it.
    ///
    /// - Throws: `ClipFailure` where the recording is not what the row says of it.
    private func part(
        _ clip: Clip, _ recording: RecordingLengths.Recording
    ) throws(ClipFailure) -> (TimeSpan, RecordingRemarks) {
        let (seconds, length) = (Nanoseconds.seconds(recording.length), recording.length)
        let rate = recording.sampleRate
        var remarks = recording.remarks
        if !recording.isCut {
            let frames = Int((seconds * Double(rate)).rounded())
            remarks = remarks.union(try clip.checkDeclared(rate: rate, frames: frames))
        }
        if let channel = clip.channel(ofChannels: recording.channels), channel >= recording.channels {
            throw .noSuchChannel(channel: channel, channels: recording.channels)
        }
        guard let segment = clip.segment?.part(ofLength: seconds) else {
            return (TimeSpan(start: 0, end: length), remarks)
        }
        if !recording.isCut || segment.start >= seconds {
            try segment.check(length: seconds, rate: rate, configured: overshoot)
        }
        let start = min(Nanoseconds.of(segment.start), length)
        let end = segment.end.map { min(Nanoseconds.of($0), length) } ?? length
        let part = TimeSpan(start: start, end: max(start, end))
        if recording.isCut, part.end >= length { return (part, remarks) }
        return (part, remarks.union(clip.remarks(lasting: Nanoseconds.seconds(part.length))))
    }

    /// Whether a row of the source ends after the readable part of its recording.
    private static func reachesCut(_ clip: Clip, _ recording: RecordingLengths.Recording) -> Bool {
        guard recording.isCut else { return false }
        guard let end = clip.segment?.part(ofLength: Nanoseconds.seconds(recording.length))?.end else { return true }
        return Nanoseconds.of(end) > recording.length
    }

    private static func cutOff(_ recording: RecordingLengths.Recording) -> String {
        "\(recording.cut ?? "") (--truncated keep: the windows of what can be read)"
    }

    private func cut(
        _ part: TimeSpan, _ found: [ClipsMarks.Found], _ rules: WindowRules, _ clip: Clip, _ channel: Int?,
        _ made: inout ClipsMade
    ) -> [ClipsDraft] {
        let windows = rules.windows(in: part)
        let covered = min(max((windows.last?.end ?? part.start) - part.start, 0), part.length)
        if covered < part.length {
            made.partCount += 1
            made.partLength += part.length - covered
        }
        guard !tables.tables.isEmpty else {
            return windows.map { ClipsDraft(clip: clip, span: $0, channel: channel, label: clip.label) }
        }
        var used: [Bool] = []
        let labels = rules.labels(of: windows, found.map(\.mark) + found.flatMap(\.otherMarks), used: &used)
        made.marksOutside += zip(found, used).count { found, used in
            !used && part.overlap(with: found.mark.span) > 0
        }
        return zip(windows, labels).compactMap { window, labels in
            guard labels.isEmpty else {
                return ClipsDraft(clip: clip, span: window, channel: channel, label: labels[0], labels: labels)
            }
            guard cutting.noLabel != "drop" else {
                made.droppedWindows += 1
                return nil
            }
            made.unlabelled += 1
            made.noLabel = cutting.noLabel
            return ClipsDraft(clip: clip, span: window, channel: channel, label: cutting.noLabel ?? "")
        }
    }
}

/// A clip before it has an id and columns.
struct ClipsDraft {
    /// The row of the source.
    let clip: Clip
    let span: TimeSpan
    /// The channel that its annotations name; nil: that of the row.
    let channel: Int?
    let label: String
    var labels: [String] = []
    /// The annotation; nil: a window.
    var row: (table: Int, row: AnnotationRow)?
}

/// The clips that were made, and what there is to say of them.
struct ClipsMade {
    private(set) var clips: [Clip] = []
    private(set) var columns: [String] = []
    private(set) var jsonColumn: String?
    var account: Account
    /// What there is to say of options.
    var warnings: [String] = []
    var notes: [String]

    // What was counted on the way.
    var widened = 0
    var tooShort = 0
    var tooLong = 0
    var partCount = 0
    var partLength = 0
    var marksOutside = 0
    var unlabelled = 0
    /// The label that windows without one have; nil: none.
    var noLabel: String?
    var droppedWindows = 0
    /// Recordings of which only the readable part has windows.
    var cutRecordings: Set<String> = []
    private var recordings = 0
    /// Labels of windows, of which a clip has several.
    private var labelNames: Set<String> = []

    init(account: Account, notes: [String]) { (self.account, self.notes) = (account, notes) }

    /// Notes that what has problems is left out.
    mutating func leaveOut(_ problems: [ClipsProblem], hints: [String], of source: String) {
        for (position, problem) in problems.enumerated() {
            account.add(.problemsSkipped, source: source, at: position, problem.description)
        }
        notes += hints
    }

    mutating func finish(_ columns: ClipsColumns, _ drafts: [ClipsDraft]) {
        self.columns = columns.names
        jsonColumn = columns.jsonColumn
        var ids: Set<String> = []
        clips.reserveCapacity(drafts.count)
        for draft in drafts {
            labelNames.formUnion(draft.labels)
            let segment = Segment(
                start: Nanoseconds.seconds(draft.span.start), end: Nanoseconds.seconds(draft.span.end))
            guard let segment else { continue }
            let channel = draft.channel.map(DefaultIdentifier.suffix(channel:)) ?? ""
            let base = Self.base(draft.clip) + channel + DefaultIdentifier.suffix(segment)
            var (id, number) = (base, 1)
            while !ids.insert(id).inserted {
                number += 1
                id = "\(base)~\(number)"
            }
            if draft.channel != nil {
                account.add(.channelsChosen, source: "annotations", at: clips.count, id)
            }
            clips.append(
                Clip(
                    index: clips.count, id: id, path: draft.clip.path, label: draft.label, split: draft.clip.split,
                    segment: segment, channel: draft.channel ?? draft.clip.channel,
                    acceptsMono: draft.channel == nil && draft.clip.acceptsMono, declared: draft.clip.declared,
                    extra: columns.values(of: draft)))
        }
        recordings = Set(clips.map(\.path)).count
        addNotes()
    }

    /// The source's id, without the times that a default id has.
    private static func base(_ clip: Clip) -> String {
        guard let segment = clip.segment, !segment.isLengthAlone else { return clip.id }
        let suffix = DefaultIdentifier.suffix(segment)
        return clip.id.hasSuffix(suffix) ? String(clip.id.dropLast(suffix.count)) : clip.id
    }

    private mutating func addNotes() {
        func note(_ count: Int, _ text: (String) -> String) {
            if count > 0 { notes.append(text(Wording.count(count, "clip"))) }
        }
        note(widened) { "\($0) widened to the minimum length (--short drop leaves them out)" }
        note(tooShort) { "\($0) left out: shorter than --min-duration" }
        note(tooLong) { "\($0) left out: longer than --max-duration" }
        if !cutRecordings.isEmpty {
            notes.append(
                "\(Wording.count(cutRecordings.count, "recording")) cut off: windows of what can be read (--truncated keep)"
            )
        }
        if partCount > 0 {
            notes.append(
                "the last part of \(Wording.count(partCount, "recording")) is shorter than a window and left out, "
                    + "\(Wording.duration(Double(partLength) / 1e9)) in all (--partial keep or shift)")
        }
        if marksOutside > 0 {
            notes.append(
                "\(Wording.count(marksOutside, "annotation")) \(marksOutside == 1 ? "labels" : "label") no window "
                    + "(--min-overlap, --partial, --best-window)")
        }
        if unlabelled > 0 {
            let named = noLabel.map { " \(unlabelled == 1 ? "is" : "are") '\($0)'" } ?? " (--no-label gives them one)"
            notes.append("\(Wording.count(unlabelled, "window")) without a label\(named)")
        }
        if droppedWindows > 0 { notes.append("\(Wording.count(droppedWindows, "window")) left out: no label") }
    }

    var labelCount: Int { labelNames.union(clips.map(\.label)).subtracting([""]).count }

    var summary: String {
        "\(Wording.count(clips.count, "clip")), \(Wording.count(labelCount, "label")), "
            + Wording.count(recordings, "recording")
    }

    /// Why there are no clips.
    var whyNone: String {
        if tooShort + tooLong > 0 { return "no annotation has the length of a clip (--min-duration, --max-duration)" }
        if droppedWindows > 0 { return "no window has a label" }
        return partCount > 0 ? "no recording is as long as a window (--partial keep)" : "there are no annotations"
    }
}
