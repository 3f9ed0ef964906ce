import Concurrency
import DatasetInspection
import FeatureModel
import FeatureStorage
import Plotting

/// Small pictures for each label: the mean of its clips, typical clips and extreme ones.
package struct LabelThumbnails: Sendable {
    enum Kind: String, Sendable {
        /// The mean of frame t over the label's clips that have it.
        case mean
        /// A clip near its label's mean.
        case typical
        /// A clip far from it.
        case extreme
    }

    struct Tile: Sendable {
        let kind: Kind
        /// The index of the clip in the file; nil for `mean`.
        let clipIndex: Int?
        /// The clip's distance from its label's mean, or for `mean` 0.
        let distance: Double
        let png: [UInt8]
    }

    struct Group: Sendable {
        let selection: ClipSelection
        let tiles: [Tile]
        /// Number of clips that the mean was taken over; 0: there is no mean.
        let averaged: Int
    }

    let groups: [Group]
    /// Number of labels that are left out: those with the fewest clips.
    let leftOut: Int
    let style: Thumbnail

    static let maximumLabels = 200
    /// Maximum number of clips that the mean of a label is taken over.
    static let maximumAveraged = 100
    static let maximumFrames = 4096

    /// Clips of each kind, the size of a picture in pixels, and the class of the page's grid. Many labels have fewer and smaller
    /// pictures, so that the page stays small.
    static func plan(labels: Int) -> (each: Int, width: Int, height: Int, density: String) {
        switch labels {
        case ...16: (3, 144, 72, "wide")
        case ...60: (2, 92, 46, "two")
        default: (1, 96, 48, "three")
        }
    }

    /// Maximum number of clips of a mean; nil: every mean is that of all clips of its label.
    var averagedLimit: Int? {
        groups.contains { $0.averaged > 0 && $0.averaged < $0.selection.clips } ? Self.maximumAveraged : nil
    }

    var clipIndices: [Int] { groups.flatMap { $0.tiles.compactMap(\.clipIndex) } }

    /// Chooses clips and draws them, a label on each thread. Takes memory for the pictures and a few blocks of rows.
    ///
    /// - Parameter jobs: Number of threads; the pictures do not depend on it.
    static func make(
        _ reader: FeatureReader, _ profiles: ClipProfiles, blocks: RowBlocks = .standard, jobs: Int = 1
    ) throws -> LabelThumbnails {
        let kept = profiles.labels.indices.sorted {
            (profiles.labels[$1].clips, $0) < (profiles.labels[$0].clips, $1)
        }.prefix(maximumLabels).sorted()
        let plan = plan(labels: kept.count)
        let isRaw = (try? reader.decodedConfiguration())?.transform == .raw
        let isOfWaveforms = isRaw && BinAxis.samples.isWaveform(bins: reader.shape.channelBins)
        // Waveforms are drawn with all of their samples.
        let low = profiles.values.quantile(isOfWaveforms ? 0 : 0.01).map { Float($0) } ?? 0
        let high = profiles.values.quantile(isOfWaveforms ? 1 : 0.995).map { Float($0) } ?? 1
        let style = Thumbnail(
            width: plan.width, height: plan.height, range: low...max(low, high), isOfWaveforms: isOfWaveforms)
        let typical = ClipSelection.choose(plan.each, from: profiles, method: .typical)
        let extreme = ClipSelection.choose(2 * plan.each, from: profiles, method: .extreme)
        let (each, axis) = (plan.each, reader.axis)
        @Sendable func group(_ label: Int, _ source: some RowSource & SendableMetatype) throws -> Group {
            let drawing = ThumbnailDrawing(style: style, axis: axis, blocks: blocks, source: source)
            return try self.group(
                profiles, profiles.labels[label], each, typical: typical[label], extreme: extreme[label], drawing)
        }
        let stored = try? reader.storedRows()
        let groups =
            if let stored {
                try WorkerPool.map(kept.count, jobs: jobs) {
                    TensorReader(stored)
                } _: {
                    try group(kept[$1], $0)
                }
            } else {
                try kept.map { try group($0, reader) }
            }
        return LabelThumbnails(groups: groups, leftOut: profiles.labels.count - groups.count, style: style)
    }

    private static func group(
        _ profiles: ClipProfiles, _ label: LabelSample, _ each: Int, typical: ClipSelection, extreme: ClipSelection,
        _ drawing: ThumbnailDrawing<some RowSource>
    ) throws -> Group {
        var tiles: [Tile] = []
        func add(_ kind: Kind, _ choice: ClipSelection.Choice) throws {
            guard let rows = profiles.profile(ofClip: choice.clipIndex)?.rows else { return }
            tiles.append(
                Tile(
                    kind: kind, clipIndex: choice.clipIndex, distance: choice.distance,
                    png: try drawing.png(ofRows: rows)))
        }
        var averaged = 0
        if let average = average(profiles, label) {
            let png = try drawing.png(ofMean: average.rows, frames: average.frames)
            tiles.append(Tile(kind: .mean, clipIndex: nil, distance: 0, png: png))
            averaged = average.rows.count
        }
        for choice in typical.choices { try add(.typical, choice) }
        let seen = Set(typical.choices.map(\.clipIndex))
        for choice in extreme.choices.filter({ !seen.contains($0.clipIndex) }).prefix(each) {
            try add(.extreme, choice)
        }
        return Group(selection: typical, tiles: tiles, averaged: averaged)
    }

    /// The rows of the clips that the mean of a label is taken over, and its number of frames, which half of them reach; nil where
    /// there is only one clip.
    private static func average(
        _ profiles: ClipProfiles, _ label: LabelSample
    ) -> (rows: [Range<Int>], frames: Int)? {
        guard label.clipIndices.count > 1 else { return nil }
        // Evenly over the label's clips, which are in the file's order.
        let step = (label.clipIndices.count + maximumAveraged - 1) / maximumAveraged
        let clips = stride(from: 0, to: label.clipIndices.count, by: step).compactMap {
            profiles.profile(ofClip: label.clipIndices[$0])
        }
        let lengths = clips.map(\.frames).sorted()
        guard !lengths.isEmpty else { return nil }
        return (clips.map(\.rows), min(lengths[lengths.count / 2], maximumFrames))
    }
}

/// Draws clips of one style, from their rows.
struct ThumbnailDrawing<Source: RowSource> {
    let style: Thumbnail
    let axis: FeatureAxis
    let blocks: RowBlocks
    let source: Source

    /// The picture of a clip, whose rows are read in blocks: of several channels, their mean.
    func png(ofRows rows: Range<Int>) throws -> [UInt8] {
        try png(frames: source.frameCount(ofRows: rows.count)) { add in
            try blocks.each(rows, of: source) { add($0) }
        }
    }

    /// The picture of the mean of some clips' first `frames` frames.
    func png(ofMean clips: [Range<Int>], frames: Int) throws -> [UInt8] {
        try png(frames: frames) { add in
            try LabelAverage.each(source, rows: clips, frames: frames, blocks: blocks) { add($0.mean) }
        }
    }

    /// The picture of so many frames, which `each` hands over block by block.
    private func png(frames: Int, each: ((FeatureMatrix) -> Void) throws -> Void) throws -> [UInt8] {
        if style.isOfWaveforms {
            var cells = WaveformCells(frames: frames, width: style.width)
            try each { cells.add(shown($0)) }
            return try style.png(waveform: cells.extremes)
        }
        var cells = PictureCells(
            frames: frames, bins: source.shape.channelBins, width: style.width, height: style.height)
        try each { cells.add(shown($0)) }
        return try style.png(cells.matrix)
    }

    private func shown(_ block: FeatureMatrix) -> FeatureMatrix {
        block.mean(ofChannels: source.shape.channels ?? 1).rising(by: axis)
    }
}
