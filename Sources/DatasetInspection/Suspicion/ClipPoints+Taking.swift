import Concurrency
import FeatureModel
import FeatureStorage

extension ClipPoints {
    /// The clips of a file in the space where they are compared.
    struct Taken: Sendable {
        let points: ClipPoints
        /// For each clip whether all of its frames are equal, of two or more.
        let isConstant: [Bool]
    }

    /// Clips that a thread takes at a time.
    private static let partSize = 64
    /// Clips whose columns are read at a time.
    private static let blockSize = 4096

    /// - Parameters:
    ///   - sample: Indices of the clips that the axes are computed of, rising; their rows are read twice.
    ///   - jobs: Number of threads; the result does not depend on it.
    /// - Throws: `StorageError`.
    static func take(_ reader: FeatureReader, sample: [Int], jobs: Int) throws -> Taken {
        let dimension = ClipVectorBuilder(bins: reader.shape.bins).dimension
        let vectors = try pass(over: sample, reader, jobs: jobs) { $1 += $0 }
        let axes = try PrincipalAxes(of: vectors.values, dimension: dimension, jobs: jobs)
        let all = try pass(over: Array(0..<reader.clipCount), reader, jobs: jobs) { vector, values in
            let start = values.count
            values.append(contentsOf: repeatElement(0, count: axes.count))
            values.withUnsafeMutableBufferPointer {
                axes.project(vector, into: UnsafeMutableBufferPointer(rebasing: $0[start...]))
            }
        }
        return Taken(points: ClipPoints(axes: axes.count, values: all.values), isConstant: all.isConstant)
    }

    private typealias Part = (values: [Float], isConstant: [Bool])

    /// Appends what a closure makes of the vector of each clip.
    private static func pass(
        over clips: [Int], _ reader: FeatureReader, jobs: Int,
        _ body: @escaping @Sendable (UnsafeBufferPointer<Float>, inout [Float]) -> Void
    ) throws -> Part {
        let (stored, bins) = (try reader.storedRows(), reader.shape.bins)
        var all: Part = ([], [])
        all.isConstant.reserveCapacity(clips.count)
        for block in (0..<clips.count).blocks(of: blockSize) {
            let chosen = clips[block]
            let rows = try rows(of: chosen, reader)
            let parts: [Part]
            if let stored {
                parts = try WorkerPool.map((rows.count + partSize - 1) / partSize, jobs: jobs) {
                    (builder: ClipVectorBuilder(bins: bins), tensor: TensorReader(stored))
                } _: { worker, part in
                    let own = rows[part * partSize..<min((part + 1) * partSize, rows.count)]
                    return try read(own, worker.tensor, &worker.builder, body)
                }
            } else {
                var builder = ClipVectorBuilder(bins: bins)
                parts = [try read(rows[...], reader, &builder, body)]
            }
            for part in parts {
                all.values += part.values
                all.isConstant += part.isConstant
            }
        }
        return all
    }

    /// The rows of clips whose indices rise.
    private static func rows(of clips: ArraySlice<Int>, _ reader: FeatureReader) throws -> [Range<Int>] {
        var (rows, rest) = ([Range<Int>](), clips)
        while let first = rest.first {
            let block = rest.prefix { $0 < first + blockSize }
            guard let last = block.last else { break }
            let found = try reader.rowRanges(ofClips: first..<last + 1)
            rows += block.map { found[$0 - first] }
            rest = rest.dropFirst(block.count)
        }
        return rows
    }

    private static func read(
        _ rows: ArraySlice<Range<Int>>, _ source: some RowSource, _ builder: inout ClipVectorBuilder,
        _ body: (UnsafeBufferPointer<Float>, inout [Float]) -> Void
    ) throws -> Part {
        var part: Part = ([], [])
        var vector = [Float](repeating: 0, count: builder.dimension)
        for own in rows {
            builder.start(frames: source.frameCount(ofRows: own.count))
            try RowBlocks.standard.each(own, of: source) { $0.values.withUnsafeBufferPointer { builder.add($0) } }
            vector.withUnsafeMutableBufferPointer { builder.finish(into: $0) }
            vector.withUnsafeBufferPointer { body($0, &part.values) }
            part.isConstant.append(builder.isConstant)
        }
        return part
    }
}

extension ClipPoints {
    /// How far each clip is from the mean of its first label, in units of the root mean square of that distance over the label's clips;
    /// nil: without a label, or a label with less than two clips.
    func factors(_ clips: LabelledClips) -> [(label: Int32, factor: Float)?] {
        var counts = [Double](repeating: 0, count: clips.labelCount)
        var means = [Double](repeating: 0, count: clips.labelCount * axes)
        for clip in 0..<count {
            guard let label = clips.labels(of: clip).first.map({ Int($0) }) else { continue }
            counts[label] += 1
            for axis in 0..<axes { means[label * axes + axis] += Double(values[clip * axes + axis]) }
        }
        for label in counts.indices where counts[label] > 0 {
            for axis in 0..<axes { means[label * axes + axis] /= counts[label] }
        }
        var spreads = [Double](repeating: 0, count: clips.labelCount)
        let distances: [Double?] = (0..<count).map { clip in
            guard let label = clips.labels(of: clip).first.map({ Int($0) }) else { return nil }
            var sum = 0.0
            for axis in 0..<axes {
                let difference = Double(values[clip * axes + axis]) - means[label * axes + axis]
                sum += difference * difference
            }
            spreads[label] += sum
            return sum
        }
        return distances.enumerated().map { clip, squared in
            guard let squared, let label = clips.labels(of: clip).first, counts[Int(label)] > 1,
                spreads[Int(label)] > 0
            else { return nil }
            return (label, Float((squared / (spreads[Int(label)] / counts[Int(label)])).squareRoot()))
        }
    }
}
