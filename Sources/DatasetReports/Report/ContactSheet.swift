import FeatureModel
import FeaturePipeline
import FeatureStorage
import Plotting

/// Small pictures of each label's clips: what they look like on average, the most typical and the most extreme.
package struct ContactSheet: Sendable {
    /// What a picture shows.
    enum Kind: String, Sendable {
        /// The mean of frame t over the label's clips that have it.
        case mean
        /// A clip near its label's mean.
        case typical
        /// A clip far from it.
        case extreme
    }

    /// A picture.
    struct Tile: Sendable {
        let kind: Kind
        /// The clip's place among the stored ones; nil for `mean`.
        let place: Int?
        /// The clip's distance from its label's mean, or for `mean` 0.
        let distance: Double
        let png: [UInt8]
    }

    /// A label's pictures.
    struct Group: Sendable {
        let selection: ClipSelection
        let tiles: [Tile]
        /// Clips that the mean was taken over; 0: there is none.
        let averaged: Int
    }

    /// The labels that are shown, in the file's order.
    let groups: [Group]
    /// Number of labels that are not shown: those with the fewest clips.
    let leftOut: Int
    /// How pictures are drawn; all in the same way.
    let thumbnail: Thumbnail

    /// The most labels that are shown.
    static let maximumLabels = 200
    /// The most clips that a label's mean is taken over.
    static let maximumAveraged = 100
    /// The most frames of a mean.
    static let maximumFrames = 4096

    /// Clips of each kind, the pictures’ size in pixels, and how labels stand beside each other: fewer and smaller ones where there are many labels, so that the
    /// page stays small.
    static func plan(labels: Int) -> (each: Int, width: Int, height: Int, density: String) {
        switch labels {
        case ...16: (3, 144, 72, "wide")
        case ...60: (2, 92, 46, "two")
        default: (1, 96, 48, "three")
        }
    }

    /// The places of all clips shown.
    var places: [Int] { groups.flatMap { $0.tiles.compactMap(\.place) } }

    /// Chooses and draws; besides the pictures, memory holds some blocks of rows.
    ///
    /// - Throws: `StorageError`, `PlotError`.
    static func make(
        _ reader: FeatureReader, _ profiles: ClipProfiles, blocks: RowBlocks = .standard
    ) throws -> ContactSheet {
        let kept = Set(
            profiles.labels.indices.sorted {
                (profiles.labels[$1].clips, $0) < (profiles.labels[$0].clips, $1)
            }.prefix(maximumLabels))
        let plan = plan(labels: kept.count)
        let low = profiles.values.quantile(0.01).map { Float($0) } ?? 0
        let high = profiles.values.quantile(0.995).map { Float($0) } ?? 1
        let thumbnail = Thumbnail(width: plan.width, height: plan.height, range: low...max(low, high))
        let typical = ClipSelection.choose(plan.each, from: profiles, method: .typical)
        let extreme = ClipSelection.choose(2 * plan.each, from: profiles, method: .extreme)
        var groups: [Group] = []
        for index in kept.sorted() {
            var tiles: [Tile] = []
            func add(_ kind: Kind, _ choice: ClipSelection.Choice) throws {
                let png = try thumbnail.png(ofClip: choice.place, in: reader, blocks)
                tiles.append(Tile(kind: kind, place: choice.place, distance: choice.distance, png: png))
            }
            var averaged = 0
            if let average = average(profiles, profiles.labels[index]) {
                let png = try thumbnail.png(
                    ofMean: average.places, frames: average.frames, in: reader, blocks)
                tiles.append(Tile(kind: .mean, place: nil, distance: 0, png: png))
                averaged = average.places.count
            }
            for choice in typical[index].choices { try add(.typical, choice) }
            let seen = Set(typical[index].choices.map(\.place))
            for choice in extreme[index].choices.filter({ !seen.contains($0.place) }).prefix(plan.each) {
                try add(.extreme, choice)
            }
            groups.append(Group(selection: typical[index], tiles: tiles, averaged: averaged))
        }
        return ContactSheet(groups: groups, leftOut: profiles.labels.count - groups.count, thumbnail: thumbnail)
    }

    /// The clips that a label's mean is taken of, and its frames: as many as half of them have; nil where there is but one
    /// clip.
    private static func average(_ profiles: ClipProfiles, _ label: LabelSample) -> (places: [Int], frames: Int)? {
        guard label.places.count > 1 else { return nil }
        // Evenly over the label's clips, which are in the file's order.
        let step = (label.places.count + maximumAveraged - 1) / maximumAveraged
        let places = stride(from: 0, to: label.places.count, by: step).map { label.places[$0] }
        let lengths = places.compactMap(profiles.index).map { profiles.profiles[$0].frames }.sorted()
        return (places, min(lengths[lengths.count / 2], maximumFrames))
    }
}
