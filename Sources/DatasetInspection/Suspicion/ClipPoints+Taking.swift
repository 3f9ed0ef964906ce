import Concurrency
import FeatureModel
import FeatureStorage

extension ClipPoints {
    /// What one pass over a file's rows finds of its clips.
    struct Taken: Sendable {
        /// The clips in the space where labels are compared.
        let points: ClipPoints
        /// The same without the level of each clip, to find copies with another gain.
        let withoutLevel: ClipPoints
        /// For each clip whether there is nothing to hear, as far as its values show: all are at the floor of the scale or, where it has
        /// none, all of its frames are equal, of two or more.
        let isSilent: [Bool]
        /// For each clip the share, 0 … 1, of its values at the floor of the scale; nil: the scale has none.
        let floorShares: [Float?]
    }

    /// Clips that a thread takes at a time.
    private static let partSize = 64
    /// Clips whose columns are read at a time.
    private static let blockSize = 4096

    /// - Parameters:
    ///   - sample: Indices of the clips that the axes are computed of, rising; their rows are read twice.
    ///   - jobs: Number of threads; the result does not depend on it.
    ///   - progress: Called with the share that is done.
    /// - Throws: `StorageError`, `.damaged` where a value is infinite or not a number; and what `progress` throws.
    static func take(
        _ reader: FeatureReader, sample: [Int], jobs: Int, progress: (Double) throws -> Void
    ) throws -> Taken {
        let floor = FloorRule(try reader.decodedConfiguration(), bins: reader.shape.bins)
        let shape = reader.shape
        let make = { @Sendable in ClipVectorBuilder(bins: shape.bins, floor: floor, element: shape.element) }
        let builder = make()
        let total = Double(sample.count + reader.clipCount)
        var vectors = try pass(over: sample, reader, make, jobs: jobs) { _, vector, part in
            part.values += vector
        } progress: {
            try progress(Double($0) / total)
        }.values
        let axes = try PrincipalAxes(of: vectors, dimension: builder.dimension, jobs: jobs)
        vectors.withUnsafeMutableBufferPointer { vectors in
            for start in stride(from: 0, to: vectors.count, by: builder.dimension) {
                builder.subtractLevel(
                    from: UnsafeMutableBufferPointer(rebasing: vectors[start..<start + builder.dimension]))
            }
        }
        let axesWithoutLevel = try PrincipalAxes(of: vectors, dimension: builder.dimension, jobs: jobs)
        vectors = []
        let all = try pass(over: Array(0..<reader.clipCount), reader, make, jobs: jobs) { builder, vector, part in
            axes.append(UnsafeBufferPointer(vector), to: &part.values)
            builder.subtractLevel(from: vector)
            axesWithoutLevel.append(UnsafeBufferPointer(vector), to: &part.valuesWithoutLevel)
        } progress: {
            try progress(Double(sample.count + $0) / total)
        }
        return Taken(
            points: ClipPoints(axes: axes.count, values: all.values),
            withoutLevel: ClipPoints(axes: axesWithoutLevel.count, values: all.valuesWithoutLevel),
            isSilent: zip(all.floorShares, all.isConstant).map { share, isConstant in
                share.map { $0 == 1 } ?? isConstant
            }, floorShares: all.floorShares)
    }

    /// What is found of consecutive clips.
    private struct Part: Sendable {
        var values: [Float] = []
        var valuesWithoutLevel: [Float] = []
        var isConstant: [Bool] = []
        var floorShares: [Float?] = []
        /// Index of the first clip with a value that is infinite or not a number.
        var damaged: Int?

        /// - Parameter count: The number of clips that there will be.
        mutating func append(_ other: Part, of count: Int) {
            if isConstant.isEmpty, !other.isConstant.isEmpty {
                values.reserveCapacity(count * other.values.count / other.isConstant.count)
                valuesWithoutLevel.reserveCapacity(count * other.valuesWithoutLevel.count / other.isConstant.count)
                isConstant.reserveCapacity(count)
                floorShares.reserveCapacity(count)
            }
            values += other.values
            valuesWithoutLevel += other.valuesWithoutLevel
            isConstant += other.isConstant
            floorShares += other.floorShares
        }
    }

    private typealias Body = @Sendable (ClipVectorBuilder, UnsafeMutableBufferPointer<Float>, inout Part) -> Void

    /// Appends what a closure makes of the vector of each clip.
    private static func pass(
        over clips: [Int], _ reader: FeatureReader, _ make: @escaping @Sendable () -> ClipVectorBuilder, jobs: Int,
        _ body: @escaping Body, progress: (Int) throws -> Void
    ) throws -> Part {
        let stored = try reader.storedRows()
        var all = Part()
        let size = min(blockSize, ClipProfiles.chosenAtATime(reader) ?? blockSize)
        for block in (0..<clips.count).blocks(of: size) {
            let chosen = try ClipProfiles.choose(clips[block], reader)
            let parts: [Part]
            if let stored {
                parts = try WorkerPool.map((chosen.count + partSize - 1) / partSize, jobs: jobs) {
                    (builder: make(), tensor: TensorReader(stored))
                } _: { worker, part in
                    let own = chosen[part * partSize..<min((part + 1) * partSize, chosen.count)]
                    return try read(own, worker.tensor, &worker.builder, body)
                }
            } else {
                var builder = make()
                parts = [try read(chosen[...], reader, &builder, body)]
            }
            if let damaged = parts.lazy.compactMap(\.damaged).first { throw try reader.notFinite(clip: damaged) }
            for part in parts { all.append(part, of: clips.count) }
            try progress(block.upperBound)
        }
        return all
    }

    private static func read(
        _ clips: ArraySlice<ClipProfiles.Chosen>, _ source: some RowSource, _ builder: inout ClipVectorBuilder,
        _ body: Body
    ) throws -> Part {
        var part = Part()
        var vector = [Float](repeating: 0, count: builder.dimension)
        for clip in clips {
            builder.start(frames: source.frameCount(ofRows: clip.rows.count), clip.figures)
            func add(_ block: FeatureMatrix) { block.values.withUnsafeBufferPointer { builder.add($0) } }
            if builder.needsPeaks {
                try RowBlocks.standard.each(clip.rows, of: source, before: { builder.look($0.values) }, add)
            } else {
                try RowBlocks.standard.each(clip.rows, of: source, add)
            }
            vector.withUnsafeMutableBufferPointer { vector in
                builder.finish(into: vector)
                body(builder, vector, &part)
            }
            if !builder.isFinite, part.damaged == nil { part.damaged = clip.clipIndex }
            part.isConstant.append(builder.isConstant)
            part.floorShares.append(builder.floorShare)
        }
        return part
    }
}

extension PrincipalAxes {
    /// Appends the coordinates of a vector.
    fileprivate func append(_ vector: UnsafeBufferPointer<Float>, to values: inout [Float]) {
        let start = values.count
        values.append(contentsOf: repeatElement(0, count: count))
        values.withUnsafeMutableBufferPointer {
            project(vector, into: UnsafeMutableBufferPointer(rebasing: $0[start...]))
        }
    }
}
