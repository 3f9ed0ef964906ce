import Concurrency
import FeatureModel
import FeatureStorage
import FileIO
import Synchronization

/// Profiles of a file's clips: the mean of every bin over a clip's frames, and a few other statistics.
///
/// Memory: 4 bytes for each profiled clip and bin, and about 60 bytes for each clip; `ProfileScope` limits both.
package struct ClipProfiles: Sendable {
    package let scope: ProfileScope
    /// The labels that have clips within the scope, in the file's order, clips without one last.
    package let labels: [LabelSample]
    /// Number of clips within the scope, profiled or not.
    package let clipCount: Int
    package let profiles: [ClipProfile]
    /// The mean over its frames of each profile's bins, as stored: a row for each profile.
    package let means: FeatureMatrix
    /// The mean of each bin over all frames of these clips, as stored; NaN if no frame has a value.
    package let binMeans: [Double]
    /// The standard deviation (of the population) of each bin over all frames of these clips, as stored.
    package let binDeviations: [Double]
    package let values: ValueHistogram
    /// The share, 0 … 1, of all these values that lie at the floor; nil: the scale has none.
    package let floorShare: Double?
    /// Infinite and NaN values, which all other statistics leave out.
    package let invalidValues: Int

    /// The index of a clip's profile in `profiles`; nil: it has none.
    package func index(ofClip clipIndex: Int) -> Int? {
        let index = profiles.partitioningIndex { $0.clipIndex >= clipIndex }
        return index < profiles.count && profiles[index].clipIndex == clipIndex ? index : nil
    }

    /// A clip's profile; nil: it has none.
    package func profile(ofClip clipIndex: Int) -> ClipProfile? { index(ofClip: clipIndex).map { profiles[$0] } }
}

/// A few statistics of a clip's stored values.
package struct ClipProfile: Hashable, Sendable {
    /// The index of the clip in the file.
    package let clipIndex: Int
    package let frames: Int
    /// The rows of `/features` that are its own.
    package let rows: Range<Int>
    /// The share, 0 … 1, of values at the floor of the scale; nil: the scale has none.
    package let floorShare: Double?
    /// Whether every bin holds the same value in all of two frames or more.
    package let isConstant: Bool

    /// Values that are infinite or not numbers, which the other statistics leave out.
    package let invalidValues: Int

    /// Whether there is nothing to hear in the clip, as far as its values show: all lie at the floor or, where the scale has
    /// none, no bin changes. A steady tone may be constant without being silent.
    package var isSilent: Bool { floorShare.map { $0 == 1 } ?? isConstant }
}

extension ClipProfiles {
    /// A clip that is profiled.
    struct Chosen: Sendable {
        let clipIndex: Int
        let rows: Range<Int>
        /// How its values were normalised; nil: they were not.
        let figures: NormalizationFigures?
    }

    /// Clips whose columns are read at a time.
    private static let blockSize = 4096
    /// Values of clips' statistics that are in memory at a time.
    private static let maximumStatistics = 1 << 20
    /// The maximum number of clips that `choose` should take at a time; nil: any, as clips have no statistics of their own.
    static func chosenAtATime(_ reader: FeatureReader) -> Int? {
        reader.normalize.storesClipStatistics ? max(1, maximumStatistics / max(reader.bins, 1)) : nil
    }

    /// Clips that a thread takes at a time. Sums of their values are added up part by part, so it may depend on nothing but the
    /// number of clips.
    private static func partSize(clips: Int) -> Int { max(1, min(64, clips / 256)) }

    /// Takes profiles in one pass over the stored values.
    ///
    /// The caller's thread reads the columns; then other threads read the rows of the clips, without libhdf5. Takes memory for the
    /// result and a block of rows for each thread. Clips of more than a block are read twice if the floor of the scale depends on
    /// the clip's peak.
    ///
    /// - Parameters:
    ///   - blocks: How rows are read; the result does not depend on it.
    ///   - jobs: Number of threads; the result does not depend on it.
    /// - Throws: `StorageError`, also `.damaged` where the file's configuration cannot be read.
    package static func take(
        _ reader: FeatureReader, scope: ProfileScope = ProfileScope(), blocks: RowBlocks = .standard, jobs: Int = 1
    ) throws -> ClipProfiles {
        try take(reader, scope: scope, blocks: blocks, jobs: jobs, try? reader.storedRows())
    }

    /// - Parameter stored: The rows in the file; nil: libhdf5 reads them, on the caller's thread.
    static func take(
        _ reader: FeatureReader, scope: ProfileScope = ProfileScope(), blocks: RowBlocks = .standard, jobs: Int,
        _ stored: StoredTensor?
    ) throws -> ClipProfiles {
        let labels = try LabelSample.take(reader, scope)
        // A clip may be in the samples of several labels.
        let clips = Set(labels.samples.flatMap(\.clipIndices)).sorted()
        let (configuration, shape) = (try reader.decodedConfiguration(), reader.shape)
        let partSize = partSize(clips: clips.count)
        let limit = chosenAtATime(reader) ?? 16 * blockSize
        let step = max(1, limit / partSize) * partSize
        var first: Float?
        var (parts, values): ([ProfileBuilder.Part], ValueHistogram) = ([], ValueHistogram())
        for range in (0..<clips.count).blocks(of: step) {
            let chosen = try choose(clips[range], reader)
            guard let stored else {
                first = try first ?? firstValue(chosen, reader)
                var builder = ProfileBuilder(configuration, shape: shape, first: first)
                for range in (0..<chosen.count).blocks(of: partSize) {
                    parts.append(try builder.take(chosen[range], reader, blocks))
                }
                values.add(builder.histogram)
                continue
            }
            first = try first ?? firstValue(chosen, TensorReader(stored))
            let width = first
            let found = Mutex(ValueHistogram())
            parts += try WorkerPool.map(
                (chosen.count + partSize - 1) / partSize, jobs: jobs
            ) {
                (
                    builder: ProfileBuilder(configuration, shape: shape, first: width),
                    tensor: TensorReader(stored)
                )
            } finish: { worker in
                found.withLock { $0.add(worker.builder.histogram) }
            } _: { worker, part in
                let clips = chosen[part * partSize..<min((part + 1) * partSize, chosen.count)]
                return try worker.builder.take(clips, worker.tensor, blocks)
            }
            values.add(found.withLock { $0 })
        }
        return ProfileBuilder.finished(
            scope, labels, parts, values, bins: shape.bins,
            hasFloor: ProfileBuilder(configuration, shape: shape, first: nil).hasFloor)
    }

    /// Reads where the rows of clips are, and how they were normalised.
    ///
    /// - Parameter clips: Indices that rise.
    static func choose(
        _ clips: ArraySlice<Int>, _ reader: FeatureReader
    ) throws(StorageError) -> [Chosen] {
        let shared =
            [.dataset, .constant].contains(reader.normalize.scope)
            ? NormalizationFigures(reader.normalize, statistics: reader.statistics) : nil
        var chosen: [Chosen] = []
        chosen.reserveCapacity(clips.count)
        var rest = clips
        while let first = rest.first {
            // Columns are read in blocks that start and end at a chosen clip.
            let block = rest.prefix { $0 < first + blockSize }
            let last = block.last ?? first
            let rows = try reader.rowRanges(ofClips: first..<last + 1)
            var next = block.startIndex
            while next < block.endIndex {
                // Statistics of clips that follow one another are read together.
                var end = next + 1
                while end < block.endIndex, block[end] == block[end - 1] + 1 { end += 1 }
                let run = block[next..<end]
                next = end
                let own = try reader.statistics(ofClips: block[run.startIndex]..<block[end - 1] + 1)
                for (offset, clip) in run.enumerated() {
                    chosen.append(
                        Chosen(
                            clipIndex: clip, rows: rows[clip - first],
                            figures: own.map { NormalizationFigures(reader.normalize, statistics: $0[offset]) }
                                ?? shared))
                }
            }
            rest = rest.dropFirst(block.count)
        }
        return chosen
    }

    /// The first value of clips that is finite; nil: there is none.
    private static func firstValue(_ clips: [Chosen], _ source: some RowSource) throws(StorageError) -> Float? {
        for clip in clips {
            let (frames, step) = (source.frameCount(ofRows: clip.rows.count), 64)
            for range in (0..<frames).blocks(of: step) {
                let block = try source.frames(range, ofRows: clip.rows)
                if let value = block.values.first(where: \.isFinite) { return value }
            }
        }
        return nil
    }
}

extension ProfileBuilder {
    /// The statistics of some clips.
    fileprivate mutating func take(
        _ clips: ArraySlice<ClipProfiles.Chosen>, _ source: some RowSource, _ blocks: RowBlocks
    ) throws(StorageError) -> Part {
        for clip in clips {
            start(clipIndex: clip.clipIndex, rows: clip.rows, clip.figures)
            if needsPeaks {
                try blocks.each(clip.rows, of: source, before: { look($0) }, { add($0) })
            } else {
                try blocks.each(clip.rows, of: source) { add($0) }
            }
            end()
        }
        return takePart()
    }
}
