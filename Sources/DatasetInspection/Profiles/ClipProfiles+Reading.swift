import ClipSpool
import FeatureModel
import FeatureStorage
import Foundation

extension ClipProfiles {
    private static let blockSize = 4096

    /// Takes profiles in one pass over the stored values.
    ///
    /// On one thread, since libhdf5 reads on one at a time. Besides the result, memory holds a block of rows. Clips of more than
    /// a block are read twice if the floor of the scale follows the clip's peak.
    ///
    /// - Parameter blocks: How rows are read; the result does not depend on it.
    /// - Throws: `StorageError`, also `.damaged` where the file's configuration cannot be read.
    package static func take(
        _ reader: FeatureReader, scope: ProfileScope = ProfileScope(), blocks: RowBlocks = .standard
    ) throws -> ClipProfiles {
        let configuration: FeatureConfiguration
        do {
            configuration = try JSONDecoder().decode(FeatureConfiguration.self, from: Data(reader.configuration.utf8))
        } catch {
            throw StorageError.damaged(
                path: reader.path, found: "/provenance/configuration cannot be read: \(error)")
        }
        let labels = try LabelSample.take(reader, scope)
        var chosen = labels.flatMap { label in label.clipIndices.map { (clipIndex: $0, label: label.labelIndex) } }
        chosen.sort { $0.clipIndex < $1.clipIndex }
        var builder = ProfileBuilder(configuration, shape: reader.shape)
        let shared =
            reader.normalize.scope == .dataset
            ? NormalizationFigures(
                reader.normalize.method, axis: reader.normalize.axis, statistics: reader.statistics) : nil
        var next = 0
        while next < chosen.count {
            // Columns are read in blocks that start and end at a chosen clip.
            let start = chosen[next].clipIndex
            var end = next
            while end < chosen.count, chosen[end].clipIndex < start + blockSize { end += 1 }
            let last = chosen[end - 1].clipIndex
            let rows = try reader.rowRanges(ofClips: start..<last + 1)
            for clip in chosen[next..<end] {
                let own = try reader.statistics(ofClips: clip.clipIndex..<clip.clipIndex + 1)?.first.map {
                    NormalizationFigures(reader.normalize.method, axis: reader.normalize.axis, statistics: $0)
                }
                builder.start(clipIndex: clip.clipIndex, labelIndex: clip.label, own ?? shared)
                try blocks.each(
                    rows[clip.clipIndex - start], of: reader, before: builder.needsPeaks ? { builder.look($0) } : nil
                ) { builder.add($0) }
                builder.end()
            }
            next = end
        }
        return builder.finished(scope, labels)
    }
}
