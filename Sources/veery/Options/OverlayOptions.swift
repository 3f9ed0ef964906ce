import Annotations
import Archives
import ArgumentParser
import Essentials
import FeatureModel
import FeatureStorage
import Manifests
import Plotting

extension AnnotationStyle: ExpressibleByArgument {}

struct OverlayOptions: ParsableArguments {
    @Flag(
        help: "Draw the waveform above the spectrogram. It is the minimum and maximum sample of each column of pixels.")
    var waveform = false

    @Option(
        help: ArgumentHelp(
            """
            The file of annotations to draw. Any file that 'veery clips' reads, such as a Raven selection table, Audacity labels, a \
            TextGrid, or a manifest whose rows name this recording, with start, end, label, and optionally low and high in Hz.
            """, valueName: "table"),
        completion: .file())
    var annotations: String?

    @OptionGroup var quoting: QuotingOption

    @OptionGroup var rows: AnnotationRowOptions

    @Option(
        help: ArgumentHelp(
            """
            How annotations are drawn: boxes, strip or auto. boxes: over the spectrogram, with their labels where they fit; \
            strip: below the time axis, a lane for each label; auto: strip for many annotations without frequencies, otherwise \
            boxes.
            """, valueName: "style"))
    var annotationsAs: AnnotationStyle = .automatic

    @Option(
        help: ArgumentHelp(
            "For --waveform of stored clips: the folder that the recordings' paths start from. Default: the one that the file names.",
            valueName: "folder"),
        completion: .directory)
    var root: String?

    var isEmpty: Bool {
        !waveform && annotations == nil && annotationsAs == .automatic && root == nil && quoting.quoting == nil
            && rows.given.isEmpty
    }

    /// Nil: no table was given.
    func table() throws -> AnnotationTable? {
        try annotations.map { path in
            var options = rows.options
            options.quoting = quoting.quoting
            return try AnnotationTable(path: path, options: options)
        }
    }

    func validate() throws {
        guard annotations == nil else { return }
        if annotationsAs != .automatic { throw ValidationError("--annotations-as is for --annotations.") }
        try rows.check(isUsed: false, by: "annotations")
    }

    func recording(_ path: String, of file: FeatureReader) throws -> String {
        let location = Clip.location(of: path, root: try root ?? file.recordingsFolder())
        guard RecordingPath.exists(location) else {
            throw FileRefusal(
                path: file.path,
                reason:
                    path.hasPrefix("/")
                    ? "the recording '\(path)' does not exist, and its path is absolute, so --root cannot find it: put it back there, "
                        + "or extract from a manifest with relative paths"
                    : "the recording '\(path)' is not at \(location): give the folder that its path starts from with --root"
            )
        }
        return location
    }

    /// Number of annotations of recordings that are of other channels than the one that is drawn; nil: all are drawn.
    func ofOtherChannels(_ recordings: [String], _ table: AnnotationTable?, single: Int?) -> Int {
        guard let single, let table else { return 0 }
        return recordings.reduce(0) { count, recording in
            let all = (try? table.annotations(of: recording, sampleRate: 1).count) ?? 0
            return count + all - ((try? table.annotations(of: recording, sampleRate: 1, channel: single).count) ?? 0)
        }
    }

    /// The annotations of a recording at the times of its panel; empty if the table is about other recordings.
    ///
    /// - Parameter channel: The channel to draw, from 0; nil: the mix of all, with the annotations of all.
    /// - Throws: `AnnotationError.noSuchChannel`.
    func annotations(
        of recording: String, table: AnnotationTable?, offset: Double, sampleRate: Int, channels: Int, channel: Int?
    ) throws -> [FeatureModel.Annotation] {
        let annotations: [FeatureModel.Annotation]
        do throws(AnnotationError) {
            annotations =
                try table?.annotations(of: recording, sampleRate: sampleRate, channels: channels, channel: channel)
                ?? []
        } catch {
            if case .noSuchChannel = error { throw error }
            return []
        }
        return annotations.map { $0.shifted(by: -offset) }
    }
}
