import Annotations
import ArgumentParser
import DatasetInspection
import FeatureModel
import FeatureStorage
import FileIO
import Manifests
import Messages
import Plotting
import Presentation

struct StoredPanels {
    let command: RenderCommand
    let table: AnnotationTable?

    /// Maximum number of ids to compare with a missing one.
    private static let maximumCompared = 20_000
    private static let blockValues = 1 << 22

    func content() throws -> PictureContent {
        guard let input = command.inputs.first, command.inputs.count == 1 else {
            guard !command.clip.isEmpty else {
                throw ValidationError(
                    "\(command.inputs.first ?? "") is a feature file: give it alone, and name its clips with --clip; recordings are drawn"
                        + " by themselves.")
            }
            throw ValidationError(
                "--clip is for one feature file, found \(command.inputs.count) inputs: draw recordings without it.")
        }
        guard command.recording.isEmpty, command.settings.isEmpty else {
            throw ValidationError(
                "\(input) is a feature file: --preset, --config, --set, --start, --end and --channel are for recordings."
            )
        }
        try GivenFile.requireFeatures(input, for: " for --clip")
        CrashGuard.start(input.printable)
        defer { CrashGuard.stop() }
        let file = try FeatureReader(path: input)
        guard !command.clip.isEmpty else {
            let ids = try file.clips(0..<min(3, file.clipCount)).map { "'\($0.id.printable)'" }
            throw ValidationError(
                "\(input) is a feature file: name a clip with --clip, such as \(ids.joined(separator: ", ")).")
        }
        let configuration = try? file.decodedConfiguration()
        var panels: [SpectrogramPanel] = []
        var recordings: [String] = []
        for id in command.clip {
            let (index, clip) = try clip(id, of: file)
            let channels: [Int?] = file.shape.channels.map { Array(0..<$0) } ?? [nil]
            for channel in channels {
                panels.append(try panel(clip, index, channel: channel, of: file, configuration: configuration))
            }
            recordings.append(clip.path)
        }
        return PictureContent(
            path: input, panels: panels, recordings: recordings, units: file.units,
            musical: configuration?.transform.notes)
    }

    /// The clip with an id; the error suggests the nearest.
    private func clip(_ id: String, of file: FeatureReader) throws -> (index: Int, clip: StoredClip) {
        if let index = try file.index(ofClip: id) { return (index, try file.clip(at: index)) }
        let known = try file.clips(0..<min(file.clipCount, Self.maximumCompared)).map(\.id)
        // The id may be the path of the recording.
        let stem = id.lastIndex(of: ".").map { String(id[..<$0]) } ?? id
        // Or lack a part, such as the extension: that is nearer than an id with another word.
        let longer = nearestName(to: id, in: Self.ids(known, withWordsOf: id))
        let nearest = known.contains(stem) ? stem : longer ?? nearestName(to: id, in: known)
        let question = nearest.map { ". Did you mean '\($0.printable)'?" }
        let advice =
            "; 'veery list \(ShellText.word(file.path).printable)' shows the ids, and with --failures those of failed clips"
        throw FileRefusal(
            path: file.path, reason: "no clip with the id '\(id.printable)'\(question ?? advice)")
    }

    /// The ids that have all words of another one, in their order.
    private static func ids(_ ids: [String], withWordsOf id: String) -> [String] {
        func words(_ text: String) -> [Substring] { text.split { !$0.isLetter && !$0.isNumber } }
        let asked = words(id)
        return ids.filter { known in
            var rest = asked[...]
            for word in words(known) where word == rest.first { rest = rest.dropFirst() }
            return rest.isEmpty
        }
    }

    /// - Parameter channel: The channel that is drawn; nil: the file has no axis of channels.
    private func panel(
        _ clip: StoredClip, _ index: Int, channel: Int?, of file: FeatureReader, configuration: FeatureConfiguration?
    ) throws -> SpectrogramPanel {
        let axis = AxisOptions.axis(file.axis, configuration?.transform)
        let (rows, framesPerRow) = try features(of: clip, index, in: file, axis)
        let matrix = channel.map { rows.channel($0, of: file.shape.channels ?? 1) } ?? rows
        var envelope: SampleEnvelope?
        if command.overlays.waveform {
            let recording = try command.overlays.recording(clip.path, of: file)
            var checksum = XXH3Hash128()
            envelope = try FileRefusal.naming(recording, RecordingAdvice(nil, takesParts: false)) {
                try SampleEnvelope.read(
                    path: recording, segment: Segment(start: clip.start, end: clip.start + clip.duration),
                    channel: channel ?? clip.channel, channels: configuration?.audio.channels ?? .mix,
                    policy: file.policy, decoded: { checksum.update(UnsafeRawBufferPointer($0)) })
            }.shifted(by: -clip.start)
            if checksum.finish().hex != clip.audioChecksum {
                Console.warn(
                    "\(recording): its samples are not those that the features of '\(clip.id)' were computed of: it was changed or "
                        + "replaced, or decoded by another version of a library")
            }
        }
        do {
            return try SpectrogramPanel(
                matrix: matrix.rising(by: file.axis), axis: axis, framePeriod: file.framePeriod * Double(framesPerRow),
                firstFrameTime: file.firstFrameTime + file.framePeriod * Double(framesPerRow - 1) / 2, signalStart: 0,
                recordingOffset: clip.start
                    + (configuration?.cropOffset(duration: clip.duration, sampleRate: clip.sampleRate) ?? 0),
                title: Self.title(clip, file.labels) + (channel.map { "  –  channel \($0)" } ?? ""),
                subtitle: "\(file.longName), \(Wording.duration(clip.duration)) recorded at \(clip.sampleRate) Hz"
                    + PictureEnd(
                        configuration, highest: file.axis.highest, sampleRate: clip.sampleRate,
                        band: command.axes.frequencies
                    ).words,
                envelope: envelope,
                annotations: table == nil
                    ? (command.panels.plain ? [] : try file.frameAnnotations(of: clip))
                    : try command.overlays.annotations(
                        of: clip.path, table: table, offset: clip.start, sampleRate: clip.sampleRate,
                        channels: clip.channels,
                        channel: channel ?? clip.channel ?? configuration?.audio.channels.single))
        } catch let error as AnnotationError {
            throw error
        } catch {
            // For example the frame period of a damaged file.
            throw FileRefusal(path: file.path, error)
        }
    }

    /// The id with the clip's labels: all of them if the file has them.
    private static func title(_ clip: StoredClip, _ labels: [String]) -> String {
        let names = (clip.labelIndices ?? []).filter(labels.indices.contains).map { labels[$0] }
        let text = names.isEmpty ? clip.label : names.joined(separator: ", ")
        return text.isEmpty ? clip.id : "\(clip.id)  –  \(text)"
    }

    /// A clip's rows, read in blocks: of a very long one, means of neighbours; for a plain picture, the newest, unchanged.
    private func features(
        of clip: StoredClip, _ index: Int, in file: FeatureReader, _ axis: BinAxis
    ) throws -> (FeatureMatrix, framesPerRow: Int) {
        let all = clip.rows
        let maximumValues = command.panels.maximumValues(panels: command.clip.count)
        let frames = file.frameCount(ofRows: all.count)
        if let newest = command.panels.newest {
            let shown = (0..<frames).suffix(max(min(newest, maximumValues / file.bins), 1))
            try command.panels.checkComplete(
                path: file.path, kept: shown.count, frames: frames, bins: file.bins,
                drawn: command.axes.drawn(axis, bins: file.shape.channelBins),
                hasFrequencies: axis.hasFrequencies, remedy: "draw the newest frames with --columns")
            return (try file.finiteFrames(shown, ofRows: all, clip: index), 1)
        }
        var reduction = FrameReduction(bins: file.bins, maximumValues: maximumValues)
        let step = max(Self.blockValues / file.bins, 1)
        for range in (0..<frames).blocks(of: step) {
            let block = try file.finiteFrames(range, ofRows: all, clip: index)
            block.values.withUnsafeBufferPointer { reduction.add($0) }
        }
        return (reduction.finish(), reduction.framesPerRow)
    }
}
