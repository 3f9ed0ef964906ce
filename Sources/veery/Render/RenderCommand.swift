import ArgumentParser
import FeatureModel
import FeatureStorage
import Manifests
import Plotting
import Presentation

struct RenderCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render", abstract: "Draw stored features, or recordings, as PNG, SVG or PDF.",
        usage: "veery render <features.h5 | recording ...> -o <picture> [options]",
        discussion: """
            Values of a feature file are drawn as they are stored. For a recording, the
            preset spectrogram is computed by default: power in dB relative to the peak, up
            to half of the sample rate. There is no normalisation over a dataset, nor by
            constants of stacked rows.

            Examples:
              veery render features.h5 --clip en/digits/7 -o seven.png
              veery render song.wav --waveform --axis log -o song.svg
              veery render features.h5 --sheet --choose extreme -o odd.png
              veery render features.h5 --clip a --clip b --across 2 -o pair.pdf
              veery render dawn.flac --begins 05:30 --annotations dawn.txt -o dawn.png
              veery render song.wav --preset scrolling-dct --colors false-color --plain \\
                --columns 768 -o song-768.png
              veery render --filter-bank whisper -o bank.png
            """)

    @Argument(help: "A feature file, the index of a set, or recordings.", completion: .file())
    var inputs: [String] = []

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "The picture to write: .png, .svg or .pdf. Not needed with --sheet --list and --filter-bank --json.",
            valueName: "picture"),
        completion: .file(extensions: PictureFormat.allCases.map(\.rawValue)))
    var output: String?

    @Option(
        help: ArgumentHelp("The id of a clip; 'veery list' lists them. Repeatable.", valueName: "id"),
        completion: .clips)
    var clip: [String] = []

    @OptionGroup var recording: RecordingOptions

    @OptionGroup var policy: RecordingPolicyOptions

    @OptionGroup var ffmpeg: FFmpegOption

    @OptionGroup var settings: ConfigurationOptions

    @OptionGroup var axes: AxisOptions

    @OptionGroup var overlays: OverlayOptions

    @OptionGroup var panels: PanelOptions

    @OptionGroup var sheet: SheetOptions

    @OptionGroup var bank: FilterBankOptions

    @OptionGroup var appearance: PictureOptions

    func validate() throws {
        guard bank.filterBank == nil else { return try FilterBankRendering.validate(self) }
        guard !inputs.isEmpty else { throw ValidationError("Missing expected argument '<inputs> ...'") }
        guard output != nil || (sheet.sheet && sheet.list) else {
            throw ValidationError(
                "Missing expected argument '-o <output>': the picture to write, such as -o picture.png.")
        }
        try SheetRendering.validate(self)
        guard panels.plain else { return }
        guard axes.isEmpty, overlays.isEmpty, panels.across == 1 else {
            throw ValidationError(
                "--plain draws only the values: --axis, --tuning, --time, --begins, --waveform, --annotations, "
                    + "--annotations-as, --root and --across are for pictures with axes.")
        }
        guard max(inputs.count, clip.count) == 1 else {
            throw ValidationError("--plain draws one clip or recording, found \(max(inputs.count, clip.count)).")
        }
    }

    func run() throws {
        if let output { try OutputName.refuseLinkToNothing(output) }
        let target = try output.map(PictureOutput.init(path:))
        if let name = bank.filterBank { return try FilterBankRendering(command: self, name: name).run(target) }
        guard !sheet.sheet, let target else { return try SheetRendering(command: self).run(target) }
        let table = try overlays.table()
        // If a table marks nothing, a warning says why, so its account is not reported.
        if let table, table.count > 0 || panels.plain { Console.report(table.account) }
        if clip.isEmpty { for input in inputs { try GivenFile.refuseManifest(input) } }
        let isStored = !clip.isEmpty || GivenFile.areFeatures(inputs.first ?? "")
        let content =
            isStored
            ? try StoredPanels(command: self, table: table).content()
            : try RecordingPanels(command: self, table: table).content()
        // Labels of frames have no frequencies.
        let style = table == nil ? AnnotationStyle.strip : overlays.annotationsAs
        let strip = AnnotationStrip(content.panels, style: style, appearance, across: panels.across)
        let file = try draw(content, strip, as: target.format)
        try file.write(to: target.path)
        if !panels.plain, let warning = PictureFonts.warning { Console.warn(warning) }
        warnOfRange(content)
        guard let table, !panels.plain else { return }
        Console.report(table.conversions(of: content.recordings))
        let outcome = AnnotationOutcome(
            table: table, content: content, isStrip: strip.style == .strip, counts: file.annotations,
            isWhole: !isStored && content.panels.count == 1 && recording.start == nil && recording.end == nil)
        if let warning = outcome.warning { Console.warn(warning) }
        for note in outcome.notes(canBeCut: !isStored) { Console.note("note: \(note)") }
    }

    /// Says that the picture has no more than the two colours at the ends.
    private func warnOfRange(_ content: PictureContent) {
        guard let range = appearance.range?.range,
            let values = ValueSpan.fixed(range).missed(
                by: content.panels.filter { !$0.isWaveform }.map(\.matrix.values))
        else { return }
        let ends = [values.lowerBound, values.upperBound].map { Wording.thousandths(Double($0)) }
        Console.warn(
            "--range has none of the values, which are \(ends[0]) to \(ends[1]) \(content.units)".printable)
    }

    private func draw(
        _ content: PictureContent, _ strip: AnnotationStrip, as format: PictureFormat
    ) throws -> PictureFile {
        // A waveform is drawn with all of its samples.
        let isWaveform = !panels.plain && content.panels.allSatisfy(\.isWaveform)
        let span = try appearance.span(
            units: content.units, usual: isWaveform ? .percentiles(0, 100) : content.usualSpan)
        let start = try axes.start(of: content.recordings)
        do {
            guard let first = content.panels.first, panels.plain else {
                return try SpectrogramPicture(
                    panels: content.panels, valueLabel: content.units, span: span,
                    frequencies: axes.display(musical: content.notes), band: axes.frequencies, time: axes.time,
                    startTime: start, annotationStyle: strip.style, across: panels.across,
                    style: appearance.style(
                        defaultHeight: panels.defaultHeight(
                            panels: content.panels.count, hasWaveform: overlays.waveform, lanes: strip.lanes))
                ).file(as: format)
            }
            return try PlainPicture(
                panel: first, band: axes.frequencies, columns: panels.columns, colors: appearance.colors, span: span
            ).file(as: format)
        } catch {
            // For example a band outside the values' frequencies, or a frame period of a damaged file.
            throw FileRefusal(path: content.path, error)
        }
    }
}

struct PictureContent {
    let path: String
    let panels: [SpectrogramPanel]
    /// The recordings of the panels, as annotations name them.
    let recordings: [String]
    let units: String
    /// The notes at which the values were computed; nil: none.
    let musical: MusicalConfiguration?

    var usualSpan = ValueSpan.usual
    /// Number of annotations of other channels than those that are drawn.
    var ofOtherChannels = 0

    var notes: MusicalConfiguration? { panels.allSatisfy(\.axis.hasFrequencies) ? musical : nil }
}

extension TransformConfiguration {
    /// The notes that values are computed at; nil: other frequencies.
    var notes: MusicalConfiguration? { if case .musical(let musical) = method { musical } else { nil } }
}
