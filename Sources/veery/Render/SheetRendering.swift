import ArgumentParser
import DatasetInspection
import Essentials
import FeatureModel
import FeatureStorage
import Plotting
import Presentation

/// `veery render --sheet`: the clips of a feature file that a contact sheet is to show.
struct SheetRendering {
    let command: RenderCommand

    private var options: SheetOptions { command.sheet }

    /// Maximum number of clips of a label for its mean, its spread and the distances from it.
    private static let maximumAveraged = 500
    /// Maximum number of values in memory: a gigabyte.
    private static let maximumValues = 1 << 28
    /// Minimum share of clips that fit into a tile.
    private static let fitting = 0.75

    static func validate(_ command: RenderCommand) throws {
        guard command.sheet.sheet else { return }
        guard command.clip.isEmpty, command.recording.isEmpty, command.settings.isEmpty, command.overlays.isEmpty,
            !command.panels.plain, command.panels.across == 1, command.appearance.height == nil,
            command.axes.band == nil, command.axes.begins == nil, command.axes.time == .automatic
        else {
            throw ValidationError(
                "--sheet draws many clips of a feature file, small: --clip, --across, --plain, --height, --band, --time, "
                    + "--begins, --waveform, --annotations, --annotations-as, --root and the options for recordings are not for it."
            )
        }
        guard command.inputs.count == 1 else {
            throw ValidationError("--sheet is for one feature file, found \(command.inputs.count) inputs.")
        }
    }

    func run(_ target: PictureOutput?) throws {
        let input = command.inputs[0]
        try GivenFile.requireFeatures(input, for: " for --sheet")
        guard GivenFile.areFeatures(input) || !FileManager.default.fileExists(atPath: input) else {
            throw FileRefusal(path: input, reason: "expected a feature file for --sheet: 'veery extract' makes one")
        }
        CrashGuard.start(input.printable)
        defer { CrashGuard.stop() }
        let file = try FeatureReader(path: input)
        let labels = try SheetLabels(file, options)
        let profiles = try ClipProfiles.take(
            file,
            scope: ProfileScope(
                split: options.split, labels: Set(labels.shown), perLabel: Self.maximumAveraged, seed: options.seed ?? 0
            ), jobs: Jobs.count(nil))
        if let damaged = profiles.profiles.first(where: { $0.invalidValues > 0 }) {
            throw try file.notFinite(clip: damaged.clipIndex)
        }
        let chosen = ClipSelection.choose(options.perLabel ?? 6, from: profiles, method: options.method)
        let groups = labels.shown.compactMap { index in chosen.first { $0.labelIndex == index } }
        guard let target else { return try list(groups, of: file) }
        let picture = try FileRefusal.naming(input) {
            try sheet(groups, profiles, labels, of: file).file(as: target.format)
        }
        try picture.write(to: target.path)
        if let warning = PictureFonts.warning { Console.warn(warning) }
        if options.list { try list(groups, of: file) }
    }

    private func list(_ groups: [ClipSelection], of file: FeatureReader) throws {
        for group in groups {
            for choice in group.choices {
                let clip = try file.clip(at: choice.clipIndex)
                let texts = [group.label, clip.id].map(Self.field)
                let distance = choice.distance.significant(6)
                let seconds = "\((clip.duration * 1e6).rounded() / 1e6)"
                try Console.output(data: (texts + [distance, seconds]).joined(separator: "\t") + "\n")
            }
        }
    }

    /// A field between tabs: as it is or, where that would not read back, in quotation marks as in CSV.
    private static func field(_ text: String) -> String {
        guard text.hasPrefix("\"") || text.unicodeScalars.contains(where: "\t\n\r".unicodeScalars.contains) else {
            return text
        }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    private func sheet(
        _ groups: [ClipSelection], _ profiles: ClipProfiles, _ labels: SheetLabels, of file: FeatureReader
    ) throws -> ContactSheet {
        let lengths = groups.flatMap(\.choices).compactMap { profiles.profile(ofClip: $0.clipIndex)?.frames }
        let frames = tileFrames(lengths.isEmpty ? profiles.profiles.map(\.frames) : lengths, period: file.framePeriod)
        let longest = profiles.profiles.map(\.frames).max() ?? 1
        try checkSize(groups, frames: min(frames, longest), bins: file.bins)
        let configuration = try? file.decodedConfiguration()
        let cropped = lengths.count { $0 > frames }
        let axis = AxisOptions.axis(file.axis, configuration?.transform)
        // Waveforms are drawn with all of their samples.
        let usual = axis.isWaveform(bins: file.shape.channelBins) ? ValueSpan.percentiles(0, 100) : .usual
        return try ContactSheet(
            title: URL(filePath: file.path).lastPathComponent + (options.split.map { "  –  \($0)" } ?? ""),
            subtitle:
                "\(file.longName); of each label \(Wording.count(options.perLabel ?? 6, "clip")), \(options.methodInWords)",
            notes: notes(groups, labels, cropped: cropped, of: file)
                + (file.shape.channels.map { $0 > 1 ? ["Each tile is the mean of \($0) channels."] : [] } ?? []),
            groups: groups.map { try group($0, profiles, frames: frames, of: file) },
            axis: axis,
            frequencies: command.axes.display(musical: configuration?.transform.notes), framePeriod: file.framePeriod,
            frames: frames, valueLabel: file.units, span: command.appearance.span(units: file.units, usual: usual),
            style: command.appearance.style())
    }

    /// The frames of a tile: as `--seconds` states, or those of the longest clip, or, if that is much longer than most, twice those
    /// of the median.
    private func tileFrames(_ lengths: [Int], period: Double) -> Int {
        if let seconds = options.seconds { return max(Int(min((seconds / max(period, 1e-9)).rounded(), 0x1p31)), 1) }
        let sorted = lengths.sorted()
        let longest = max(sorted.last ?? 1, 1)
        guard !sorted.isEmpty else { return longest }
        let usual = max(2 * sorted[sorted.count / 2], sorted[Int(Self.fitting * Double(sorted.count - 1))], 1)
        return longest <= usual * 3 / 2 ? longest : usual
    }

    private func checkSize(_ groups: [ClipSelection], frames: Int, bins: Int) throws {
        let tiles = groups.reduce(0) { $0 + $1.choices.count + (options.noAverage ? 0 : 2) }
        let (values, isTooMany) = tiles.multipliedReportingOverflow(by: bins)
        guard !isTooMany, values <= Self.maximumValues / max(frames, 1) else {
            throw ValidationError(
                "The sheet would hold \(Wording.count(tiles, "tile")) of up to \(Wording.count(frames, "frame")) of "
                    + "\(Wording.count(bins, "bin")), which is too much for the memory: choose fewer with --labels and "
                    + "--per-label, or a shorter time with --seconds.")
        }
    }

    /// The frames to draw: the mean of several channels, with rising frequencies.
    private func drawn(_ matrix: FeatureMatrix, of file: FeatureReader) -> FeatureMatrix {
        matrix.mean(ofChannels: file.shape.channels ?? 1).rising(by: file.axis)
    }

    private func group(
        _ group: ClipSelection, _ profiles: ClipProfiles, frames: Int, of file: FeatureReader
    ) throws -> SheetGroup {
        var tiles: [SheetTile] = []
        if !options.noAverage, let sample = profiles.labels.first(where: { $0.labelIndex == group.labelIndex }) {
            let average = try LabelAverage.take(file, clipIndices: sample.clipIndices, frames: frames)
            let count = "of \(Wording.count(sample.clipIndices.count, "clip"))"
            for (kind, matrix, caption) in [
                (SheetTile.Kind.mean, average.mean, "mean"), (.spread, average.deviation, "spread"),
            ] {
                tiles.append(SheetTile(kind: kind, matrix: drawn(matrix, of: file), caption: caption, note: count))
            }
        }
        for choice in group.choices {
            let clip = try file.clip(at: choice.clipIndex)
            let rows = try file.rowRanges(ofClips: choice.clipIndex..<choice.clipIndex + 1).first ?? 0..<0
            let count = file.frameCount(ofRows: rows.count)
            let matrix = drawn(try file.frames(0..<min(count, frames), ofRows: rows), of: file)
            tiles.append(
                SheetTile(
                    kind: .clip, matrix: matrix, continues: count > frames, caption: clip.id,
                    note: "\(Wording.duration(clip.duration)), d \(choice.distance.fixed(2))"))
        }
        return SheetGroup(
            title: group.label.isEmpty ? "(no label)" : group.label,
            note: group.choices.count < group.clips
                ? "\(group.choices.count) of \(Wording.count(group.clips, "clip"))"
                : "all \(Wording.count(group.clips, "clip"))",
            tiles: tiles)
    }

    private func notes(
        _ groups: [ClipSelection], _ labels: SheetLabels, cropped: Int, of file: FeatureReader
    ) throws -> [String] {
        var notes: [String] = []
        if let leftOut = labels.leftOut { notes.append(leftOut) }
        if !options.noAverage {
            notes.append(
                "Mean and spread (standard deviation) of each frame and bin, over the label's clips that have the frame; "
                    + "the spread has a scale of its own.")
        }
        notes.append(
            "d: how far the mean over a clip's frames is from that of its label, bin by bin in standard deviations of the "
                + "label's clips, as the root of the mean square: 1 is usual.")
        if groups.contains(where: { $0.profiled < $0.clips }) {
            let limit = groups.map(\.profiled).max() ?? 0
            notes.append(
                "Of a label with more than \(limit) clips, \(limit) are considered"
                    + (options.seed.map { ", chosen by the seed \($0)." } ?? ", chosen at random.")
            )
        }
        if cropped > 0 {
            notes.append(
                "Clips that continue past the right edge of their tile, marked by an arrow: \(Wording.count(cropped)).")
        }
        if case .frequency(let values) = file.axis.rising, let low = values.first, let high = values.last, low < high {
            let ends = [low, high].map { Wording.number(Double($0).rounded()) }
            notes.append("From the bottom to the top of a tile: \(ends[0]) to \(ends[1]) Hz.")
        }
        return notes
    }
}

struct SheetLabels {
    /// Their indices in the file, in the order shown; −1: clips without a label.
    let shown: [Int]
    let leftOut: String?

    static let maximum = 24

    /// Chooses the labels of `--labels`, or the largest, in the file's order.
    init(_ file: FeatureReader, _ options: SheetOptions) throws {
        var counts: [Int: Int] = [:]
        try file.eachLabels(split: options.split) { _, labels in
            for label in labels { counts[label, default: 0] += 1 }
        }
        let asked = try options.labelIndices(in: file.labels, of: file.path)
        guard !counts.isEmpty else {
            let split = options.split.map { "no clips of the split '\($0)'" } ?? "no clips"
            throw FileRefusal(path: file.path, reason: "the file has \(split), so there is nothing to draw")
        }
        if let asked {
            shown = asked.filter { counts[$0] != nil }
            guard !shown.isEmpty else {
                throw FileRefusal(path: file.path, reason: "--labels: no clip has one of these labels")
            }
            let empty = asked.count - shown.count
            leftOut = empty == 0 ? nil : "\(Wording.count(empty, "label")) asked for without a clip."
            return
        }
        // Clips without a label are last.
        func order(_ label: Int) -> Int { label < 0 ? .max : label }
        let bySize = counts.sorted { ($1.value, order($0.key)) < ($0.value, order($1.key)) }
        shown = bySize.prefix(Self.maximum).map(\.key).sorted { order($0) < order($1) }
        let rest = bySize.dropFirst(Self.maximum).map(\.value)
        guard let largest = rest.first, let smallest = rest.last else {
            leftOut = nil
            return
        }
        let sizes =
            smallest == largest
            ? "\(Wording.count(largest, "clip")) each" : "\(smallest) to \(Wording.count(largest, "clip"))"
        leftOut = "Left out: \(Wording.count(rest.count, "smaller label")) of \(sizes); --labels chooses others."
    }
}
