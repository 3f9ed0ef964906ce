import DatasetInspection
import Essentials
import FeatureModel
import FeatureStorage
import Presentation

/// A feature file as its page and its figures show it.
package struct DatasetReport: Sendable {
    let summary: DatasetSummary
    let census: ClipCensus
    let profiles: ClipProfiles
    let duplicates: Duplicates
    let leaks: SplitLeaks
    let near: NearDuplicates
    /// Nil: not searched for, since values are not finite.
    let suspicion: Suspicion?
    let clipping: ClippingSearch
    let thumbnails: LabelThumbnails
    /// The clips that the page mentions, by their index.
    let clips: [Int: StoredClip]
    /// Small pictures of the nearest duplicates and of the most suspicious clips, by the index of the clip.
    let pictures: [Int: [UInt8]]
    let sounds: ReportSounds
    let configurationText: String
    /// Checksum of the data that belongs to no clip.
    let metadataChecksum: String

    static let listed = 10
    static let listedGroups = 50
    /// Maximum number of clips of a group of duplicates that are named.
    static let listedMembers = 6
    /// Maximum number of pairs of clips whose pictures are shown.
    static let shownPairs = 5
    /// Maximum number of suspicious clips whose pictures are shown.
    static let shownSuspects = 10
    /// The seed of every choice on the page.
    static let seed: UInt64 = 0

    /// - Parameters:
    ///   - root: Folder that the relative paths of recordings start from.
    ///   - jobs: Number of threads; the report does not depend on it.
    ///   - hasSounds: Whether clips are heard on its page.
    ///   - blocks: How rows are read; the report does not depend on it.
    package static func take(
        _ reader: FeatureReader, configurationText: (FeatureConfiguration) throws -> String, root: String, jobs: Int,
        hasSounds: Bool = true, blocks: RowBlocks = .standard
    ) throws -> DatasetReport {
        let summary = try DatasetSummary(of: reader)
        let census = try ClipCensus.take(reader)
        let profiles = try ClipProfiles.take(
            reader, scope: ProfileScope(perLabel: .max, seed: seed), blocks: blocks, jobs: jobs)
        let duplicates = try Duplicates.find(reader, census)
        let leaks = try SplitLeaks.find(in: reader, census, root: root)
        let near = NearDuplicates.find(listed, in: profiles, census, except: duplicates)
        let clipping = try ClippingSearch.run(reader, census, root: root, seed: seed, jobs: jobs)
        let suspicion =
            profiles.invalidValues > 0
            ? nil : try Suspicion.take(reader, duplicates: duplicates, clipping: clipping, jobs: jobs)
        let suspects = suspicion?.suspects.prefix(listed) ?? []
        let thumbnails = try LabelThumbnails.make(reader, profiles, blocks: blocks, jobs: jobs)
        let pairs = near.pairs.flatMap { [$0.first, $0.second] }
        let groups = duplicates.groups.prefix(listedGroups)
        // Those with a player, each as often as the page has it; unusual ones first.
        var heard = suspects.map(\.clipIndex) + groups.compactMap(\.clipIndices.first) + pairs
        heard += silent(profiles).prefix(listed) + atFloor(profiles).prefix(listed) + invalid(profiles).prefix(listed)
        heard += clipping.findings.prefix(listed).map(\.clipIndex)
        for longest in [true, false] { heard += census.extreme(listed / 2, longest: longest) }
        heard += thumbnails.clipIndices
        var shown = Set(heard).union(groups.flatMap { $0.clipIndices.prefix(listedMembers) })
        for case .equal(let clipIndex, _) in suspects.flatMap(\.reasons) { shown.insert(clipIndex) }
        var clips: [Int: StoredClip] = [:]
        for clipIndex in shown.sorted() { clips[clipIndex] = try reader.clip(at: clipIndex) }
        var pictures: [Int: [UInt8]] = [:]
        let drawing = ThumbnailDrawing(style: thumbnails.style, axis: reader.axis, blocks: blocks, source: reader)
        for clipIndex in Set(pairs.prefix(2 * shownPairs)).union(suspects.prefix(shownSuspects).map(\.clipIndex)) {
            guard let rows = try reader.rowRanges(ofClips: clipIndex..<clipIndex + 1).first else { continue }
            pictures[clipIndex] = try drawing.png(ofRows: rows)
        }
        let sounds =
            hasSounds ? try ReportSounds.make(heard, of: clips, reader, root: root, jobs: jobs) : ReportSounds()
        return DatasetReport(
            summary: summary, census: census, profiles: profiles, duplicates: duplicates, leaks: leaks, near: near,
            suspicion: suspicion, clipping: clipping, thumbnails: thumbnails, clips: clips, pictures: pictures,
            sounds: sounds,
            configurationText: try configurationText(summary.configuration), metadataChecksum: reader.metadataChecksum)
    }

    /// Indices of the profiled clips that are silent or constant.
    static func silent(_ profiles: ClipProfiles) -> [Int] {
        profiles.profiles.filter { $0.isSilent || $0.isConstant }.map(\.clipIndex)
    }

    /// Indices of the profiled clips with values at the floor, without the silent ones, the greatest share first.
    static func atFloor(_ profiles: ClipProfiles) -> [Int] {
        profiles.profiles.filter { !$0.isSilent && ($0.floorShare ?? 0) > 0 }
            .sorted { ($1.floorShare ?? 0, $0.clipIndex) < ($0.floorShare ?? 0, $1.clipIndex) }.map(\.clipIndex)
    }

    /// Indices of the profiled clips with values that are infinite or not numbers, the most first.
    static func invalid(_ profiles: ClipProfiles) -> [Int] {
        profiles.profiles.filter { $0.invalidValues > 0 }
            .sorted { ($1.invalidValues, $0.clipIndex) < ($0.invalidValues, $1.clipIndex) }.map(\.clipIndex)
    }

    var fileName: String { URL(filePath: summary.file).lastPathComponent }

    var units: String { DisplayName.text(summary.configuration.units) }
    /// The unit of the stored values; in a damaged file it may be any text.
    var storedUnits: String { DisplayName.text(summary.units) }

    /// The clips whose values were read, in words.
    var profiledClips: String {
        let (profiled, all) = (profiles.profiles.count, profiles.clipCount)
        guard profiled < all else { return all == 1 ? "the only clip" : "all \(Wording.count(all, "clip"))" }
        return
            "\(Wording.count(profiled)) of \(Wording.count(all, "clip")) (of labels with many a part, chosen by the seed "
            + "\(profiles.scope.seed))"
    }

    /// Whether columns are the samples of a frame.
    private var isRaw: Bool { summary.configuration.transform == .raw }

    /// Whether frequencies fall from column to column, so that figures show columns in reverse.
    var isFalling: Bool { summary.statistics.isFalling(bins: summary.bins) }

    /// The channels with figures of their own; nil: the file has no axis of channels, or one with a single channel.
    var channels: Range<Int>? { summary.featureChannels.flatMap { $0 > 1 ? 0..<$0 : nil } }

    var binAxisName: String {
        isRaw ? "Sample of a frame" : summary.statistics.frequency == nil ? "Column" : "Bin, and its frequency"
    }
    var binColumnName: String {
        isRaw ? "Time in the frame" : summary.statistics.frequency == nil ? "Coefficient" : "Frequency"
    }

    /// The frequency, the coefficient or the time of a column.
    func name(ofBin bin: Int) -> String {
        if isRaw {
            let rate = summary.configuration.audio.sampleRate
            return rate.map { "\((Double(bin) / Double($0) * 1000).significant(4)) ms" } ?? ""
        }
        if let frequencies = summary.statistics.frequency {
            return frequencies.indices.contains(bin) ? Wording.frequency(frequencies[bin]) : ""
        }
        let orders = summary.statistics.coefficient ?? []
        return orders.indices.contains(bin) ? "c\(orders[bin])" : ""
    }
}
