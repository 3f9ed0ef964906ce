import FeatureModel
import FeaturePipeline
import FeatureStorage
import Foundation
import Presentation

/// A feature file as its page and its figures show it.
package struct DatasetReport: Sendable {
    let summary: DatasetSummary
    let census: ClipCensus
    let profiles: ClipProfiles
    let duplicates: Duplicates
    let leaks: SplitLeaks
    let near: NearDuplicates
    let clipping: ClippingSearch
    let sheet: ContactSheet
    /// The clips that any part shows, by their place.
    let clips: [Int: StoredClip]
    /// Small pictures of the nearest duplicates, by the clip's place.
    let pictures: [Int: [UInt8]]
    /// The configuration as YAML.
    let configurationText: String
    /// Checksum of everything that belongs to no clip.
    let metadataChecksum: String

    /// The most clips that a list of unusual ones has.
    static let listed = 10
    /// The most groups of equal clips that are listed.
    static let listedGroups = 50
    /// The most clips of such a group that are named.
    static let listedMembers = 6
    /// The most pairs of clips whose pictures are shown.
    static let shownPairs = 5
    /// The seed of every choice on the page.
    static let seed: UInt64 = 0

    /// Looks at a file: its columns, the values of a bounded number of clips, and as many recordings.
    ///
    /// - Parameters:
    ///   - configurationText: The file's configuration as a person reads it.
    ///   - root: Folder that the recordings' relative paths begin at.
    ///   - jobs: Number of threads for decoding; the report does not depend on it.
    ///   - blocks: How rows are read; the report does not depend on it.
    /// - Throws: `StorageError`; `PlotError`.
    package static func take(
        _ reader: FeatureReader, configurationText: (FeatureConfiguration) throws -> String, root: String, jobs: Int,
        blocks: RowBlocks = .standard
    ) throws -> DatasetReport {
        let summary = try DatasetSummary(of: reader)
        let census = try ClipCensus.take(reader)
        let profiles = try ClipProfiles.take(
            reader, scope: ProfileScope(perLabel: .max, seed: seed), blocks: blocks)
        let duplicates = try Duplicates.find(reader, census)
        let leaks = try SplitLeaks.find(in: reader, census, root: root)
        let near = NearDuplicates.find(listed, in: profiles, census, except: duplicates)
        let clipping = try ClippingSearch.run(reader, census, root: root, seed: seed, jobs: jobs)
        let sheet = try ContactSheet.make(reader, profiles, blocks: blocks)
        let pairs = near.pairs.flatMap { [$0.first, $0.second] }
        var shown = Set(pairs).union(sheet.places)
        shown.formUnion(silent(profiles).prefix(listed))
        shown.formUnion(atFloor(profiles).prefix(listed))
        shown.formUnion(invalid(profiles).prefix(listed))
        for longest in [true, false] { shown.formUnion(census.extreme(listed / 2, longest: longest)) }
        shown.formUnion(clipping.findings.prefix(listed).map(\.place))
        for group in duplicates.groups.prefix(listedGroups) { shown.formUnion(group.places.prefix(listedMembers)) }
        var clips: [Int: StoredClip] = [:]
        for place in shown.sorted() { clips[place] = try reader.clip(at: place) }
        var pictures: [Int: [UInt8]] = [:]
        for place in Set(pairs.prefix(2 * shownPairs)) {
            pictures[place] = try sheet.thumbnail.png(ofClip: place, in: reader, blocks)
        }
        return DatasetReport(
            summary: summary, census: census, profiles: profiles, duplicates: duplicates, leaks: leaks, near: near,
            clipping: clipping, sheet: sheet, clips: clips, pictures: pictures,
            configurationText: try configurationText(summary.configuration),
            metadataChecksum: reader.metadataChecksum)
    }

    /// Places of profiled clips that are silent, or constant.
    static func silent(_ profiles: ClipProfiles) -> [Int] {
        profiles.profiles.filter { $0.isSilent || $0.isConstant }.map(\.place)
    }

    /// Places of profiled clips with values at the floor but for the silent ones, those with the greatest share first.
    static func atFloor(_ profiles: ClipProfiles) -> [Int] {
        profiles.profiles.filter { !$0.isSilent && ($0.floorShare ?? 0) > 0 }
            .sorted { ($1.floorShare ?? 0, $0.place) < ($0.floorShare ?? 0, $1.place) }.map(\.place)
    }

    /// Places of profiled clips with values that are infinite or not numbers, those with the most first.
    static func invalid(_ profiles: ClipProfiles) -> [Int] {
        profiles.profiles.filter { $0.invalidValues > 0 }
            .sorted { ($1.invalidValues, $0.place) < ($0.invalidValues, $1.place) }.map(\.place)
    }

    /// The figures, in the order of the page.
    var figures: [Figure] {
        [
            LabelFigure.make(self), DurationFigure.make(self), BinFigure.before(self), BinFigure.stored(self),
            ValueFigure.make(self),
        ].compactMap(\.self)
    }

    /// The name of the file without its folder.
    var fileName: String { URL(filePath: summary.file).lastPathComponent }

    /// The unit of values before normalisation.
    var units: String { DisplayName.text(summary.configuration.units) }
    /// The unit of the stored values, whatever a damaged file says.
    var storedUnits: String { DisplayName.text(summary.units) }

    /// Of which clips values were looked at.
    var profiledClips: String {
        let (profiled, all) = (profiles.profiles.count, profiles.clipCount)
        guard profiled < all else { return all == 1 ? "the only clip" : "all \(Wording.count(all, "clip"))" }
        return
            "\(Wording.count(profiled)) of \(Wording.count(all, "clip")) (of labels with many a part, chosen by the seed "
            + "\(profiles.scope.seed))"
    }

    /// What the columns of a row are called.
    var binAxisName: String { summary.statistics.frequency == nil ? "Column" : "Bin, and its frequency" }
    /// What stands beside a column's number.
    var binColumnName: String { summary.statistics.frequency == nil ? "Coefficient" : "Frequency" }

    /// What a column of a row stands for.
    func name(ofBin bin: Int) -> String {
        if let frequencies = summary.statistics.frequency {
            return frequencies.indices.contains(bin) ? Wording.frequency(frequencies[bin]) : ""
        }
        let orders = summary.statistics.coefficient ?? []
        return orders.indices.contains(bin) ? "c\(orders[bin])" : ""
    }
}
