import Annotations
import ArgumentParser
import Concurrency
import DatasetExtraction
import FeatureModel
import Manifests
import Presentation

/// The annotations that frames get their labels from.
struct FrameLabelOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Store the label of each frame: that of the annotation at its middle. An annotation file, or a folder of them, \
            as 'veery clips' reads, or a manifest that it made of others. Repeatable.
            """, valueName: "file|folder"),
        completion: .file())
    var frameLabels: [String] = []

    @OptionGroup var rows: AnnotationRowOptions

    @OptionGroup var channels: AnnotationChannelOption

    /// The annotations of a dataset's recordings, all of them checked; nil: none are given.
    ///
    /// - Parameters:
    ///   - selection: The channels of clips that name none.
    ///   - account: Gets what was read and not used.
    /// - Throws: `ClipsProblems`: all problems at once.
    func annotations(
        of source: Manifest, root: String, channels selection: ChannelSelection, workers: WorkerRange, isQuiet: Bool,
        _ account: inout Account
    ) throws -> FrameAnnotations? {
        guard !frameLabels.isEmpty else { return nil }
        // One clip for each recording: rows are matched with recordings, of which clips may be short parts.
        var paths = NameTable()
        var recordings: [Clip] = []
        /// For each recording, whether a clip of it may be made of several channels.
        var areMixed: [Bool] = []
        /// For each recording, the single channels that its clips have.
        var channelsRead: [Set<Int>] = []
        let reader = try source.reader()
        while let clip = try reader.next() {
            let number = paths.insert(clip.path)
            if number == recordings.count {
                recordings.append(Clip(index: recordings.count, id: "", path: clip.path))
                areMixed.append(false)
                channelsRead.append([])
            }
            if let channel = clip.channel ?? selection.single {
                channelsRead[number].insert(channel)
            } else {
                areMixed[number] = true
            }
        }
        let dataset = ClipsSource(name: source.path, clips: recordings, extraColumns: [], root: root)
        var options = rows.options
        options.usesChannels = channels.channel != .mix
        let found = try ClipsTables.read(frameLabels, of: dataset, format: nil, options: options, isOptional: false)
        let locations = recordings.map(dataset.location)
        var (binding, problems) = found.bound(
            to: RecordingIndex(locations.map(ClipsTables.absolute)), of: dataset)
        let annotated = recordings.indices.filter { !binding.rows[$0].isEmpty }
        let lengths = try RecordingLengths.read(annotated.map { locations[$0] }, workers: workers)
        var marks = ClipsMarks(tables: found.tables, minimumConfidence: nil, truncated: .fail)
        var severalLabels = Account()
        var kept: [(path: String, marks: [FrameAnnotations.Mark])] = []
        for number in annotated {
            // The clips of a recording that cannot be opened become failures; nothing is known of its length.
            // Nor of one that is cut off: its clips are read, or fail, as --truncated says.
            let recording = (try? lengths.recordings[locations[number]]?.get()).flatMap { $0.isCut ? nil : $0 }
            let rows = marks.rows(
                binding.rows[number], of: recording, clip: recordings[number],
                read: areMixed[number] ? nil : channelsRead[number])
            if areMixed[number], let row = rows.first(where: { $0.channel != nil }) {
                problems.append(
                    ClipsProblem(
                        path: recordings[number].path,
                        text:
                            "its annotations are of single channels (first: \(row.channel ?? 0), counted from 0), and a clip is the "
                            + "mix of all: give the clips a column 'channel', --set audio.channels=NUMBER, or --channel mix to "
                            + "take the annotations of all"))
            }
            for row in rows where row.labels.count > 1 {
                severalLabels.add(
                    .annotationsUnused, source: recordings[number].path, at: row.line,
                    "the labels of line \(row.line) after the first: a frame has one")
            }
            kept.append(
                (
                    recordings[number].path,
                    rows.map { FrameAnnotations.Mark(times: $0.times, channel: $0.channel, label: $0.label) }
                ))
        }
        problems += marks.problems
        var told: Set<String> = []
        problems = problems.filter { told.insert($0.description).inserted }
        guard problems.isEmpty else { throw ClipsProblems(problems, hints: marks.hints, canSkip: false) }
        account = source.account { found.hasSeen($0) }
        var made = ClipsMade(
            account: found.account.merging(binding.account).merging(marks.account), notes: found.notes)
        marks.finish(&made, isOfClips: false)
        account.merge(made.account)
        account.merge(severalLabels)
        for recording in recordings where binding.rows[recording.index].isEmpty {
            account.add(
                .recordingsWithoutAnnotations, source: source.path, at: recording.index, recording.path)
        }
        if !isQuiet { for note in made.notes { Console.note("note: \(note.printable)") } }
        return FrameAnnotations(kept)
    }
}
