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

    var clipIndices: [Int] { groups.flatMap { $0.tiles.compactMap(\.clipIndex) } }

    /// Chooses clips and draws them; besides the pictures, memory holds a few blocks of rows.
    static func make(
        _ reader: FeatureReader, _ profiles: ClipProfiles, blocks: RowBlocks = .standard
    ) throws -> LabelThumbnails {
        let kept = Set(
            profiles.labels.indices.sorted {
                (profiles.labels[$1].clips, $0) < (profiles.labels[$0].clips, $1)
            }.prefix(maximumLabels))
        let plan = plan(labels: kept.count)
        let low = profiles.values.quantile(0.01).map { Float($0) } ?? 0
        let high = profiles.values.quantile(0.995).map { Float($0) } ?? 1
        let style = Thumbnail(width: plan.width, height: plan.height, range: low...max(low, high))
        let typical = ClipSelection.choose(plan.each, from: profiles, method: .typical)
        let extreme = ClipSelection.choose(2 * plan.each, from: profiles, method: .extreme)
        var groups: [Group] = []
        for index in kept.sorted() {
            var tiles: [Tile] = []
            func add(_ kind: Kind, _ choice: ClipSelection.Choice) throws {
                let png = try style.png(ofClip: choice.clipIndex, in: reader, blocks)
                tiles.append(Tile(kind: kind, clipIndex: choice.clipIndex, distance: choice.distance, png: png))
            }
            var averaged = 0
            if let average = average(profiles, profiles.labels[index]) {
                let png = try style.png(ofMean: average.clipIndices, frames: average.frames, in: reader, blocks)
                tiles.append(Tile(kind: .mean, clipIndex: nil, distance: 0, png: png))
                averaged = average.clipIndices.count
            }
            for choice in typical[index].choices { try add(.typical, choice) }
            let seen = Set(typical[index].choices.map(\.clipIndex))
            for choice in extreme[index].choices.filter({ !seen.contains($0.clipIndex) }).prefix(plan.each) {
                try add(.extreme, choice)
            }
            groups.append(Group(selection: typical[index], tiles: tiles, averaged: averaged))
        }
        return LabelThumbnails(groups: groups, leftOut: profiles.labels.count - groups.count, style: style)
    }

    /// The clips that the mean of a label is taken over, and its number of frames, which half of them reach; nil where there is
    /// only one clip.
    private static func average(_ profiles: ClipProfiles, _ label: LabelSample) -> (clipIndices: [Int], frames: Int)? {
        guard label.clipIndices.count > 1 else { return nil }
        // Evenly over the label's clips, which are in the file's order.
        let step = (label.clipIndices.count + maximumAveraged - 1) / maximumAveraged
        let clipIndices = stride(from: 0, to: label.clipIndices.count, by: step).map { label.clipIndices[$0] }
        let lengths = clipIndices.compactMap { profiles.profile(ofClip: $0)?.frames }.sorted()
        return (clipIndices, min(lengths[lengths.count / 2], maximumFrames))
    }
}

extension Thumbnail {
    /// The picture of a stored clip, whose rows are read in blocks: of several channels, their mean.
    func png(ofClip clipIndex: Int, in reader: FeatureReader, _ blocks: RowBlocks) throws -> [UInt8] {
        let rows = try reader.rowRanges(ofClips: clipIndex..<clipIndex + 1).first ?? 0..<0
        let (axis, channels) = (reader.axis, reader.shape.channels ?? 1)
        var cells = PictureCells(
            frames: reader.frameCount(ofRows: rows.count), bins: reader.shape.channelBins, width: width, height: height)
        try blocks.each(rows, of: reader) { cells.add($0.mean(ofChannels: channels).rising(by: axis)) }
        return try png(cells.matrix)
    }

    /// The picture of the mean of some clips' first `frames` frames.
    func png(ofMean clipIndices: [Int], frames: Int, in reader: FeatureReader, _ blocks: RowBlocks) throws -> [UInt8] {
        let (axis, channels) = (reader.axis, reader.shape.channels ?? 1)
        var cells = PictureCells(frames: frames, bins: reader.shape.channelBins, width: width, height: height)
        try LabelAverage.each(reader, clipIndices: clipIndices, frames: frames, blocks: blocks) { block in
            cells.add(block.mean.mean(ofChannels: channels).rising(by: axis))
        }
        return try png(cells.matrix)
    }
}
