import Annotations
import ArgumentParser
import Concurrency
import DatasetExtraction
import FeatureModel
import Manifests
import Messages
import Presentation

/// The annotations that frames get their labels from.
struct FrameLabelOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Store a label for each frame: that of the annotation at its middle. FILE is an annotation file as 'veery clips' \
            reads, a folder of them, or a manifest that it made of others. Repeatable.
            """, valueName: "file|folder"),
        completion: .file())
    var frameLabels: [String] = []

    @OptionGroup var rows: AnnotationRowOptions

    @OptionGroup var channels: AnnotationChannelOption

    /// The annotations of a dataset's recordings, all of them checked; nil: none are given.
    ///
    /// - Parameters:
    ///   - selection: The channels of clips that name none.
    ///   - account: What was read but not used is added to it.
    /// - Throws: `SourceProblems`: all problems at once.
    func annotations(
        of source: Manifest, root: String, channels selection: ChannelSelection, workers: WorkerRange, isQuiet: Bool,
        _ account: inout Account
    ) throws -> FrameAnnotations? {
        guard !frameLabels.isEmpty else { return nil }
        var options = rows.options
        options.usesChannels = channels.channel != .mix
        let found = try FrameLabelSource(
            source, root: root, channel: selection.single, given: frameLabels, options: options)
        let labels = try found.labels(RecordingLengths.read(found.annotated, workers: workers))
        account = labels.account
        if !isQuiet { for note in labels.notes { Console.note("note: \(note.description.printable)") } }
        return FrameAnnotations(
            labels.recordings.map { recording in
                let marks = recording.rows.map {
                    FrameAnnotations.Mark(times: $0.times, channel: $0.channel, label: $0.label)
                }
                return (recording.path, marks)
            })
    }
}
